import { keepPreviousData } from '@tanstack/react-query'
import { type MouseEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { Link, useParams, useSearchParams } from 'wouter'
import { useAskAgain } from '../../../data/ask-again.ts'
import { admin } from '../../../data/client.ts'
import { OpeningPage } from '../../../data/opening-page.tsx'
import { useProject } from '../../../data/project.tsx'
import { usePages, useRead } from '../../../data/read.ts'
import { Reading } from '../../../data/reading.tsx'
import { countsOfResult } from '../../../fleet/received.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import { Page } from '../../../ui/page.tsx'
import { useSettled } from '../../../ui/settled.ts'
import { ShowMore } from '../../../ui/show-more.tsx'
import { formatNumber } from '../../../words/locale.ts'
import { rich } from '../../../words/rich.tsx'
import { t } from '../../../words/words.ts'
import { differsFromPlan, hasUndone, OutcomeFilter } from '../outcome-filter.tsx'
import { PlanActions } from '../plan-actions.tsx'
import { RolloutActions } from '../rollout-actions.tsx'
import { RolloutBar } from '../rollout-bar.tsx'
import { RolloutSign } from '../rollout-strip.tsx'
import { useSaidOnce } from '../said-once.ts'
import { StillDeleted } from '../still-deleted.tsx'
import type { Outcome, PlanRequest, Result, Rollout, TakenBack } from '../types.ts'
import {
  isPlan,
  isUnderWay,
  kindNames,
  outcomeName,
  outcomes,
  progressInWords,
  versionInText,
} from '../words.ts'
import '../../../ui/table.css'
import { Ago } from '../../../ui/time.tsx'
import { CourseFigures, RestReason } from './course.tsx'
import { DownloadResults } from './download-results.tsx'
import { differenceInWords, leftInWords, outcomeReasons } from './left-out.ts'
import { Planned } from './planned.tsx'
import { ReceivedChanges } from './received-changes.tsx'
import { StageList } from './stage-list.tsx'
import './page.css'

export default function RolloutPage() {
  const { base } = useProject()
  const { rollout: rolloutId } = useParams<{ rollout: string }>()
  // Without the results, which may be many and are refetched when the counts change.
  const input = { id: Number(rolloutId), limit: 1 }
  const query = useRead(`${admin}/rollouts/get`, input)
  useAskAgain(`${admin}/rollouts/get`, query.data && isUnderWay(query.data.rollout) ? 500 : 5000, input)
  return (
    <OpeningPage
      query={query}
      title={t('Rollout')}
      failed={t('The rollout could not be opened')}
      instead={<ButtonLink href={`${base}/rollouts`}>{t('Go to rollouts')}</ButtonLink>}
    >
      {({ rollout, request, taken_back }) => (
        <OpenRollout rollout={rollout} request={request} takenBack={taken_back} />
      )}
    </OpeningPage>
  )
}

interface Props {
  rollout: Rollout
  request: PlanRequest
  takenBack: TakenBack
}

function OpenRollout({ rollout, request, takenBack }: Props) {
  const { base } = useProject()
  useSaidOnce(rollout)
  const template = `${base}/templates/${rollout.board_id}`
  const source = rollout.version === 0 ? template : `${template}/versions/${rollout.version}`
  const words = {
    kind: kindNames[rollout.kind],
    a: (text: ReactNode) => <Link href={source}>{text}</Link>,
    version: versionInText(rollout),
    name: <span dir="auto">{rollout.created_by_name ?? t('someone')}</span>,
    ago: <Ago at={rollout.started_at ?? rollout.created_at} />,
  }
  return (
    <Page
      title={`${rollout.title} · ${t('Rollout')}`}
      heading={<span dir="auto">{rollout.title}</span>}
      actions={
        <div className="rollout-actions" role="presentation" onClickCapture={ignoreSecondClick}>
          {isPlan(rollout) ? (
            <PlanActions rollout={rollout} request={request} />
          ) : (
            <RolloutActions
              rollout={rollout}
              download={<DownloadResults rollout={rollout} />}
              takenBack={takenBack}
            />
          )}
        </div>
      }
    >
      <p className="rollout-about">
        {rollout.started_at === null
          ? rich('{kind} · <a>{version}</a>, planned by {name} {ago}', words)
          : rich('{kind} · <a>{version}</a>, started by {name} {ago}', words)}
      </p>
      <Related rollout={rollout} takenBack={takenBack} />
      <CardInTemplate rollout={rollout} isToDelete={request?.delete_from_projects === true} />
      {isPlan(rollout) ? (
        <Planned rollout={rollout} />
      ) : (
        <>
          <section className="rollout-summary" aria-label={t('Summary')}>
            <p>
              <RolloutSign rollout={rollout} /> {progressInWords(rollout)}
            </p>
            <RolloutBar rollout={rollout} />
            <RestReason rollout={rollout} />
            <dl className="plan-figures">
              <CourseFigures rollout={rollout} />
            </dl>
          </section>
          <StageList rollout={rollout} />
          <Results rollout={rollout} />
        </>
      )}
    </Page>
  )
}

/** After the first click of a double click another action may be at that place: apply instead of plan again, start now instead of apply. */
function ignoreSecondClick(event: MouseEvent) {
  if (event.detail < 2) return
  event.preventDefault()
  event.stopPropagation()
}

/** The rollout that a revert is of, or the revert of this one. */
function Related({ rollout, takenBack }: Omit<Props, 'request'>) {
  const { base } = useProject()
  const { reverts_id: reverts, reverted_by_id: revertedBy } = rollout
  if (reverts === null && revertedBy === null) return null
  const to = (text: ReactNode) => <Link href={`${base}/rollouts/${reverts ?? revertedBy}`}>{text}</Link>
  return (
    <p className="rollout-about">
      {reverts === null
        ? takenBack === null || takenBack.left === 0
          ? rich('It was reverted by <a>another rollout</a>.', { a: to })
          : rich(
              'It was partly reverted by <a>another rollout</a>. Projects reverted: {count}. Left: {left}.',
              { a: to, count: formatNumber(takenBack.changed), left: formatNumber(takenBack.left) },
            )
        : rich('It reverts <a>an earlier rollout</a>.', { a: to })}{' '}
      {reverts !== null && isPlan(rollout) && <LeftByRevert id={reverts} />}
    </p>
  )
}

/** What becomes of the card of a deletion in the template. */
function CardInTemplate({ rollout, isToDelete }: { rollout: Rollout; isToDelete: boolean }) {
  const { kind, status, starts_at: start, started_at: begun } = rollout
  const isCanceled = status === 'canceled' || status === 'canceling'
  if (kind !== 'removal' || (begun === null && (!isToDelete || isCanceled))) return null
  if (begun === null)
    return (
      <p className="rollout-about">
        {start === null
          ? t('Applying the plan also deletes the card from the template.')
          : t('The card stays in the template until the rollout starts, which deletes it there too.')}
      </p>
    )
  return (
    isCanceled && (
      <p className="rollout-about">
        <StillDeleted rollout={rollout} />
      </p>
    )
  )
}

/** What a revert leaves as it is in the template. */
function LeftByRevert({ id }: { id: number }) {
  const { data } = useRead(`${admin}/rollouts/get`, { id, limit: 1 })
  return data && <StillDeleted rollout={data.rollout} />
}

function Results({ rollout }: { rollout: Rollout }) {
  const [search, setSearch] = useSearchParams()
  const outcome = outcomes.find((one) => one === search.get('outcome')) ?? null
  return (
    <>
      <OutcomeFilter
        outcomes={outcomes}
        counts={rollout.counts}
        nameOf={(one) => outcomeName(one, rollout)}
        differing={rollout.counts.differs}
        isUndoable={rollout.stop_after_undone !== null}
        search={search}
        onChange={setSearch}
      />
      <ResultList
        rollout={rollout}
        outcome={outcome}
        isDiffering={search.get('outcome') === differsFromPlan}
        isUndone={search.get('outcome') === hasUndone}
        text={useSettled((search.get('q') ?? '').trim())}
      />
    </>
  )
}

interface ListProps {
  rollout: Rollout
  outcome: Outcome | null
  isDiffering: boolean
  isUndone: boolean
  text: string
}

function ResultList({ rollout, outcome, isDiffering, isUndone, text }: ListProps) {
  const query = usePages(
    `${admin}/rollouts/get`,
    {
      id: rollout.id,
      ...(outcome !== null && { outcome }),
      ...(isDiffering && { differs: true }),
      ...(isUndone && { is_undone: true }),
      ...(text !== '' && { query: text }),
    },
    { placeholderData: keepPreviousData },
  )
  const { refetch } = query
  const results = query.data?.pages.flatMap((page) => page.results)
  const [opened, setOpened] = useState<Result>()
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
            <ResultTable results={read} rollout={rollout} onOpen={setOpened} />
          )
        }
      </Reading>
      <ShowMore query={query} />
      {opened && <ReceivedChanges rollout={rollout} project={opened} onClose={() => setOpened(undefined)} />}
    </>
  )
}

interface TableProps {
  results: readonly Result[]
  rollout: Rollout
  onOpen(result: Result): void
}

const ResultTable = ({ results, rollout, onOpen }: TableProps) => (
  <table className="table rollout-results">
    <caption className="visually-hidden">{t('Projects')}</caption>
    <thead>
      <tr>
        <th scope="col">{t('Project')}</th>
        <th scope="col">{t('Result')}</th>
      </tr>
    </thead>
    <tbody>
      {results.map((result) => (
        <ResultRow key={result.project_id} result={result} rollout={rollout} onOpen={() => onOpen(result)} />
      ))}
    </tbody>
  </table>
)

interface RowProps {
  result: Result
  rollout: Rollout
  onOpen(): void
}

function ResultRow({ result, rollout, onOpen }: RowProps) {
  const { outcome, stage, error: reason, technical_details: details } = result
  const counts = countsOfResult(result)
  return (
    <tr>
      <th scope="row">
        <Link href={`/operator/projects/${result.project_id}`} className="table-link truncate" dir="auto">
          {result.project_name}
        </Link>
      </th>
      <td>
        <span className="rollout-outcome">
          <span className="rollout-mark" data-outcome={outcome} aria-hidden="true" />
          {outcomeName(outcome, rollout)}
        </span>
        {[
          stage === null ? '' : t('Stage {number}', { number: stage }),
          counts,
          ...leftInWords(result),
          outcomeReasons[outcome] ?? '',
        ]
          .filter((words) => words !== '')
          .map((words) => (
            <p key={words} className="rollout-detail">
              {words}
            </p>
          ))}
        {outcome === 'changed' && (
          <button type="button" className="rollout-show" onClick={onOpen}>
            {t('Show changes')}
          </button>
        )}
        {result.differs && <p className="rollout-detail">{differenceInWords(result)}</p>}
        {reason !== null && <p className="rollout-reason">{reason}</p>}
        {details !== null && (
          <details className="rollout-details">
            <summary>{t('Technical details')}</summary>
            <code>{details}</code>
          </details>
        )}
      </td>
    </tr>
  )
}
