// When a rollout starts, when it pauses by itself, and why it rests now.
import { Link } from 'wouter'
import { dateInText, dateName } from '../../../ui/time.tsx'
import { counted, t } from '../../../words/words.ts'
import { hasUndone } from '../outcome-filter.tsx'
import type { Rollout } from '../types.ts'
import { finishedStage, isActive, isPlan, stageOnResume, waitsForStart } from '../words.ts'

/** The start and the thresholds that it was planned with, until it has ended; as entries of a list. */
export function CourseFigures({ rollout }: { rollout: Rollout }) {
  if (!isPlan(rollout) && !isActive(rollout)) return null
  const { starts_at: start, stop_after_failures: failures, stop_after_undone: undone } = rollout
  return (
    <>
      {start !== null && isPlan(rollout) && <Figure name={t('Start')} value={dateName(start, true)} />}
      {failures !== null && <Figure name={t('Pause after failures')} value={inProjects(failures)} />}
      {undone !== null && <Figure name={t('Pause when undone')} value={inProjects(undone)} />}
    </>
  )
}

const inProjects = (count: number) => counted(count, { one: '{count} project', other: '{count} projects' })

const Figure = ({ name, value }: { name: string; value: string }) => (
  <div>
    <dt>{name}</dt>
    <dd className="numbers">{value}</dd>
  </div>
)

/** What a rollout that rests waits for. */
export function RestReason({ rollout }: { rollout: Rollout }) {
  if (rollout.status === 'paused')
    return (
      <p role="status">
        {pauseInWords(rollout)}{' '}
        {rollout.pause_reason === 'undone' && (
          <>
            <WhoUndid />{' '}
          </>
        )}
        {resumeInWords(rollout)}
      </p>
    )
  if (rollout.status !== 'waiting' || waitsForStart(rollout)) return null
  return (
    <p>
      {rollout.next_stage_at === null
        ? t('The next stage begins when you start it.')
        : t('The next stage begins {time}.', { time: dateInText(rollout.next_stage_at, true) })}
    </p>
  )
}

const WhoUndid = () => (
  <Link href={`?${new URLSearchParams({ outcome: hasUndone })}`} className="rollout-undone">
    {t('Show these projects')}
  </Link>
)

/** What a rollout that was paused between two stages does when it is resumed. */
function resumeInWords(rollout: Rollout): string | undefined {
  const { next_stage_at: at } = rollout
  const due = stageOnResume(rollout)
  if (due) return at === null ? startInWords(due) : dueInWords(due)
  const finished = finishedStage(rollout)
  if (!finished) return undefined
  if (at !== null) return t('Once resumed, the next stage begins {time}.', { time: dateInText(at, true) })
  return finished.wait_minutes === null
    ? t('Once resumed, the next stage begins when you start it.')
    : waitInWords(finished.wait_minutes)
}

type Stage = Rollout['stages'][number]

const dueInWords = ({ number, pending }: Stage) =>
  counted(
    pending,
    {
      one: 'The wait before stage {number} is over: resuming starts it in {count} project.',
      other: 'The wait before stage {number} is over: resuming starts it in {count} projects.',
    },
    { number },
  )

const startInWords = ({ number, pending }: Stage) =>
  counted(
    pending,
    {
      one: 'There is no wait before stage {number}: resuming starts it in {count} project.',
      other: 'There is no wait before stage {number}: resuming starts it in {count} projects.',
    },
    { number },
  )

/** The wait begins with the resumption if it was paused before the stage had ended. */
function waitInWords(minutes: number): string {
  if (minutes % 1440 === 0)
    return counted(minutes / 1440, {
      one: 'Once resumed, the next stage begins {count} day later.',
      other: 'Once resumed, the next stage begins {count} days later.',
    })
  if (minutes % 60 === 0)
    return counted(minutes / 60, {
      one: 'Once resumed, the next stage begins {count} hour later.',
      other: 'Once resumed, the next stage begins {count} hours later.',
    })
  return counted(minutes, {
    one: 'Once resumed, the next stage begins {count} minute later.',
    other: 'Once resumed, the next stage begins {count} minutes later.',
  })
}

function pauseInWords({ pause_reason: reason, counts }: Rollout): string {
  if (reason === 'failures')
    return counted(counts.failed, {
      one: 'Paused automatically: it failed in {count} project.',
      other: 'Paused automatically: it failed in {count} projects.',
    })
  if (reason === 'undone') return t('Paused automatically: too many projects undid it.')
  if (reason === 'template') return t('Paused automatically: its template was deactivated or deleted.')
  return t('Paused by hand.')
}
