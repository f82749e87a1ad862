import { useEffect, useRef } from 'react'
import { Link, useParams, useSearchParams } from 'wouter'
import { useAskAgain } from '../../../data/ask-again.ts'
import { admin, type Output } from '../../../data/client.ts'
import { useProject } from '../../../data/project.tsx'
import { usePages, useRead } from '../../../data/read.ts'
import { Failed, Reading } from '../../../data/reading.tsx'
import { ButtonLink } from '../../../ui/button.tsx'
import { Page } from '../../../ui/page.tsx'
import { ShowMore } from '../../../ui/show-more.tsx'
import { Loading, SkeletonRows } from '../../../ui/states.tsx'
import { formatNumber } from '../../../words/locale.ts'
import { rich } from '../../../words/rich.tsx'
import { t } from '../../../words/words.ts'
import { RolloutActions } from '../rollout-actions.tsx'
import { RolloutBar } from '../rollout-bar.tsx'
import { RolloutSign } from '../rollout-strip.tsx'
import { useSaidOnce } from '../said-once.ts'
import type { Outcome, Rollout } from '../types.ts'
import { isUnderWay, kindNames, outcomeName, outcomes, progressInWords } from '../words.ts'
import '../../../ui/table.css'
import { Ago } from '../../../ui/time.tsx'
import './page.css'

export default function RolloutPage() {
  const { base } = useProject()
  const { rollout: rolloutId } = useParams<{ rollout: string }>()
  // Without the results, which may be many and are refetched when the counts change.
  const input = { id: Number(rolloutId), limit: 1 }
  const { data, error, refetch } = useRead(`${admin}/rollouts/get`, input)
  useAskAgain(`${admin}/rollouts/get`, data && isUnderWay(data.rollout) ? 500 : 5000, input)
  if (error && !data)
    return (
      <Page title={t('Rollout')}>
        <Failed
          what={t('The rollout could not be opened')}
          error={error}
          onRetry={() => void refetch()}
          instead={<ButtonLink href={`${base}/rollouts`}>{t('Go to rollouts')}</ButtonLink>}
        />
      </Page>
    )
  if (!data)
    return (
      <Page title={t('Rollout')}>
        <Loading>
          <SkeletonRows />
        </Loading>
      </Page>
    )
  return <OpenRollout rollout={data.rollout} />
}

function OpenRollout({ rollout }: { rollout: Rollout }) {
  const { base } = useProject()
  useSaidOnce(rollout)
  const template = `${base}/templates/${rollout.board_id}`
  const source = rollout.version === 0 ? template : `${template}/versions/${rollout.version}`
  return (
    <Page
      title={`${rollout.title} · ${t('Rollout')}`}
      heading={<span dir="auto">{rollout.title}</span>}
      actions={<RolloutActions rollout={rollout} />}
    >
      <p className="rollout-about">
        {rich('{kind} · <a>version {version}</a>, started by {name} {ago}', {
          kind: kindNames[rollout.kind],
          a: (text) => <Link href={source}>{text}</Link>,
          version: String(rollout.version),
          name: <span dir="auto">{rollout.created_by_name ?? t('someone')}</span>,
          ago: <Ago at={rollout.created_at} />,
        })}
      </p>
      <section className="rollout-summary" aria-label={t('Summary')}>
        <p>
          <RolloutSign rollout={rollout} /> {progressInWords(rollout)}
        </p>
        <RolloutBar rollout={rollout} />
      </section>
      <Results rollout={rollout} />
    </Page>
  )
}

function Results({ rollout }: { rollout: Rollout }) {
  const [search, setSearch] = useSearchParams()
  const asked = search.get('outcome')
  const outcome = outcomes.find((one) => one === asked) ?? null
  return (
    <>
      <fieldset className="rollout-filter">
        <legend className="visually-hidden">{t('Show projects by result')}</legend>
        {[null, ...outcomes.filter((one) => one === outcome || rollout.counts[one] > 0)].map((one) => (
          <button
            key={one}
            type="button"
            aria-pressed={one === outcome}
            className="rollout-filter-button numbers"
            onClick={() => setSearch(one === null ? {} : { outcome: one }, { replace: true })}
          >
            {one !== null && <span className="rollout-mark" data-outcome={one} aria-hidden="true" />}
            {one === null ? t('All') : outcomeName(one, rollout)}
            <span className="rollout-filter-count">
              {formatNumber(one === null ? rollout.counts.projects : rollout.counts[one])}
            </span>
          </button>
        ))}
      </fieldset>
      <ResultList rollout={rollout} outcome={outcome} />
    </>
  )
}

function ResultList({ rollout, outcome }: { rollout: Rollout; outcome: Outcome | null }) {
  const query = usePages(`${admin}/rollouts/get`, { id: rollout.id, ...(outcome !== null && { outcome }) })
  const { refetch } = query
  const results = query.data?.pages.flatMap((page) => page.results)
  const counts = JSON.stringify(rollout.counts)
  const shownFor = useRef(counts)
  useEffect(() => {
    if (shownFor.current !== counts) void refetch()
    shownFor.current = counts
  }, [counts, refetch])
  return (
    <>
      <Reading query={{ ...query, data: results }} failed={t('The results could not be loaded')}>
        {(read) =>
          read.length === 0 ? (
            <p className="rollout-none">{t('No projects.')}</p>
          ) : (
            <ResultTable results={read} rollout={rollout} />
          )
        }
      </Reading>
      <ShowMore query={query} />
    </>
  )
}

type Result = Output<`${typeof admin}/rollouts/get`>['results'][number]

const ResultTable = ({ results, rollout }: { results: readonly Result[]; rollout: Rollout }) => (
  <table className="table rollout-results">
    <caption className="visually-hidden">{t('Projects')}</caption>
    <thead>
      <tr>
        <th scope="col">{t('Project')}</th>
        <th scope="col">{t('Result')}</th>
      </tr>
    </thead>
    <tbody>
      {results.map(({ project_id, project_name, outcome, error: reason, technical_details: details }) => (
        <tr key={project_id}>
          <th scope="row">
            <Link href={`/operator/projects/${project_id}`} className="table-link truncate" dir="auto">
              {project_name}
            </Link>
          </th>
          <td>
            <span className="rollout-outcome">
              <span className="rollout-mark" data-outcome={outcome} aria-hidden="true" />
              {outcomeName(outcome, rollout)}
            </span>
            {reason !== null && <p className="rollout-reason">{reason}</p>}
            {details !== null && (
              <details className="rollout-details">
                <summary>{t('Technical details')}</summary>
                <code>{details}</code>
              </details>
            )}
          </td>
        </tr>
      ))}
    </tbody>
  </table>
)
