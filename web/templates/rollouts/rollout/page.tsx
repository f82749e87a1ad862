import { useEffect, useRef } from 'react'
import { Link, useParams, useSearchParams } from 'wouter'
import { useAskAgain } from '../../../data/ask-again.ts'
import { admin, type Output } from '../../../data/client.ts'
import { useProject } from '../../../data/project.tsx'
import { usePages, useRead } from '../../../data/read.ts'
import { Failed, Reading } from '../../../data/reading.tsx'
import { ButtonLink } from '../../../ui/button.tsx'
import { formatNumber } from '../../../ui/locale.ts'
import { Page } from '../../../ui/page.tsx'
import { ShowMore } from '../../../ui/show-more.tsx'
import { Loading, SkeletonRows } from '../../../ui/states.tsx'
import { PushActions } from '../rollout-actions.tsx'
import { PushBar } from '../rollout-bar.tsx'
import { PushSign } from '../rollout-strip.tsx'
import { useSaidOnce } from '../said-once.ts'
import type { Outcome, Push } from '../types.ts'
import { isUnderWay, kindNames, outcomeName, outcomes, progressInWords } from '../words.ts'
import '../../../ui/table.css'
import { Ago } from '../../../ui/time.tsx'
import './page.css'

export default function PushPage() {
  const { base } = useProject()
  const { push: pushId } = useParams<{ push: string }>()
  // Without the results, which may be many and are refetched when the counts change.
  const input = { id: Number(pushId), limit: 1 }
  const { data, error, refetch } = useRead(`${admin}/pushes/get`, input)
  useAskAgain(`${admin}/pushes/get`, data && isUnderWay(data.push) ? 500 : 5000, input)
  if (error && !data)
    return (
      <Page title="Rollout">
        <Failed
          what="The rollout could not be opened"
          error={error}
          onRetry={() => void refetch()}
          instead={<ButtonLink href={`${base}/pushes`}>Go to rollouts</ButtonLink>}
        />
      </Page>
    )
  if (!data)
    return (
      <Page title="Rollout">
        <Loading>
          <SkeletonRows />
        </Loading>
      </Page>
    )
  return <OpenPush push={data.push} />
}

function OpenPush({ push }: { push: Push }) {
  const { base } = useProject()
  useSaidOnce(push)
  const template = `${base}/templates/${push.board_id}`
  const source = push.card_id === null ? template : `${template}/cards/${push.card_id}`
  return (
    <Page
      title={`${kindNames[push.kind]}: ${push.title}`}
      heading={<span dir="auto">{push.title}</span>}
      actions={<PushActions push={push} />}
    >
      <p className="push-about">
        {kindNames[push.kind]} ·{' '}
        <Link href={push.kind === 'removal' ? template : source}>version {push.version}</Link>, started by{' '}
        <span dir="auto">{push.created_by_name ?? 'someone'}</span> <Ago at={push.created_at} />
      </p>
      <section className="push-summary" aria-label="Summary">
        <p>
          <PushSign push={push} /> {progressInWords(push)}
        </p>
        <PushBar push={push} />
      </section>
      <Results push={push} />
    </Page>
  )
}

function Results({ push }: { push: Push }) {
  const [search, setSearch] = useSearchParams()
  const asked = search.get('outcome')
  const outcome = outcomes.find((one) => one === asked) ?? null
  return (
    <>
      <fieldset className="push-filter">
        <legend className="visually-hidden">Show projects by result</legend>
        {[null, ...outcomes.filter((one) => one === outcome || push.counts[one] > 0)].map((one) => (
          <button
            key={one}
            type="button"
            aria-pressed={one === outcome}
            className="push-filter-button numbers"
            onClick={() => setSearch(one === null ? {} : { outcome: one }, { replace: true })}
          >
            {one !== null && <span className="push-mark" data-outcome={one} aria-hidden="true" />}
            {one === null ? 'All' : outcomeName(one, push)}
            <span className="push-filter-count">
              {formatNumber(one === null ? push.counts.projects : push.counts[one])}
            </span>
          </button>
        ))}
      </fieldset>
      <ResultList push={push} outcome={outcome} />
    </>
  )
}

function ResultList({ push, outcome }: { push: Push; outcome: Outcome | null }) {
  const query = usePages(`${admin}/pushes/get`, { id: push.id, ...(outcome !== null && { outcome }) })
  const { refetch } = query
  const results = query.data?.pages.flatMap((page) => page.results)
  const counts = JSON.stringify(push.counts)
  const shownFor = useRef(counts)
  useEffect(() => {
    if (shownFor.current !== counts) void refetch()
    shownFor.current = counts
  }, [counts, refetch])
  return (
    <>
      <Reading query={{ ...query, data: results }} failed="The results could not be loaded">
        {(read) =>
          read.length === 0 ? (
            <p className="push-none">No projects.</p>
          ) : (
            <ResultTable results={read} push={push} />
          )
        }
      </Reading>
      <ShowMore query={query} />
    </>
  )
}

type Result = Output<`${typeof admin}/pushes/get`>['results'][number]

const ResultTable = ({ results, push }: { results: readonly Result[]; push: Push }) => (
  <table className="table push-results">
    <caption className="visually-hidden">Projects</caption>
    <thead>
      <tr>
        <th scope="col">Project</th>
        <th scope="col">Result</th>
      </tr>
    </thead>
    <tbody>
      {results.map(({ project_id, project_name, outcome, error: reason }) => (
        <tr key={project_id}>
          <th scope="row">
            <a href={`/p/${project_id}/boards`} className="table-link truncate" dir="auto">
              {project_name}
            </a>
          </th>
          <td>
            <span className="push-outcome">
              <span className="push-mark" data-outcome={outcome} aria-hidden="true" />
              {outcomeName(outcome, push)}
            </span>
            {reason !== null && <p className="push-reason">{reason}</p>}
          </td>
        </tr>
      ))}
    </tbody>
  </table>
)
