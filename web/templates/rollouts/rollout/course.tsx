// When a rollout starts, when it pauses by itself, and why it rests now.
import { dateInText, dateName } from '../../../ui/time.tsx'
import { counted, t } from '../../../words/words.ts'
import type { Rollout } from '../types.ts'
import { isActive, isPlan, stageOnResume, waitsForStart } from '../words.ts'

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
        {pauseInWords(rollout)} {resumeInWords(rollout)}
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

/** What a rollout that was paused between two stages does when it is resumed. */
function resumeInWords(rollout: Rollout): string | undefined {
  const { stages, stage: begun, next_stage_at: at } = rollout
  const due = stageOnResume(rollout)
  if (due)
    return counted(
      due.pending,
      {
        one: 'The wait before stage {number} is over: resuming starts it in {count} project.',
        other: 'The wait before stage {number} is over: resuming starts it in {count} projects.',
      },
      { number: due.number },
    )
  const isBetween = begun > 0 && stages.every(({ number, pending }) => number > begun || pending === 0)
  if (!isBetween) return undefined
  return at === null
    ? t('Once resumed, the next stage begins when you start it.')
    : t('Once resumed, the next stage begins {time}.', { time: dateInText(at, true) })
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
