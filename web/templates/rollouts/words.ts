import { dateInText } from '../../ui/time.tsx'
import { counted, t } from '../../words/words.ts'
import type { Outcome, Rollout } from './types.ts'

/** In display order. */
export const outcomes: readonly Outcome[] = [
  'changed',
  'unchanged',
  'failed',
  'pending',
  'opted_out',
  'no_access',
]

interface Words {
  name: string
  counted(count: number): string
}

const outcomeWords: Record<Outcome | 'not_reached', Words> = {
  changed: { name: t('Changed'), counted: (count) => counted(count, { other: '{count} changed' }) },
  unchanged: { name: t('Unchanged'), counted: (count) => counted(count, { other: '{count} unchanged' }) },
  failed: { name: t('Failed'), counted: (count) => counted(count, { other: '{count} failed' }) },
  opted_out: { name: t('Opted out'), counted: (count) => counted(count, { other: '{count} opted out' }) },
  no_access: { name: t('No access'), counted: (count) => counted(count, { other: '{count} no access' }) },
  pending: { name: t('Waiting'), counted: (count) => counted(count, { other: '{count} waiting' }) },
  not_reached: {
    name: t('Not reached'),
    counted: (count) => counted(count, { other: '{count} not reached' }),
  },
}

/** After a cancellation, waiting projects were not reached. */
const wordsOf = (outcome: Outcome, { status }: Rollout): Words =>
  outcomeWords[
    outcome === 'pending' && (status === 'canceled' || status === 'canceling') ? 'not_reached' : outcome
  ]

export const outcomeName = (outcome: Outcome, rollout: Rollout): string => wordsOf(outcome, rollout).name

/** The number of projects with an outcome: "3 changed". */
export const outcomeCount = (outcome: Outcome, rollout: Rollout): string =>
  wordsOf(outcome, rollout).counted(rollout.counts[outcome])

export const kindNames: Record<Rollout['kind'], string> = {
  board: t('Template'),
  card: t('Card'),
  removal: t('Card deletion'),
  revert: t('Revert'),
  reset: t('Reset'),
}

const statusNames: Record<Rollout['status'], string> = {
  planning: t('Planning…'),
  planned: t('Planned'),
  expired: t('Plan expired'),
  running: t('Running'),
  waiting: t('Waiting for the next stage'),
  paused: t('Paused'),
  canceling: t('Canceling…'),
  done: t('Done', { as: 'rollout' }),
  canceled: t('Canceled'),
}

/** True for a rollout that was applied for a later time. */
export const waitsForStart = ({ status, stage }: Rollout): boolean => status === 'waiting' && stage === 0

export const statusInWords = (rollout: Rollout): string =>
  waitsForStart(rollout) && rollout.next_stage_at !== null
    ? t('Starts {time}', { time: dateInText(rollout.next_stage_at, true) })
    : statusNames[rollout.status]

/** The last stage that has begun, if it is done, so that the next one follows it. */
export const finishedStage = ({ stage: begun, stages }: Rollout) =>
  stages.some(({ number, pending }) => number <= begun && pending > 0)
    ? undefined
    : stages.find(({ number }) => number === begun)

/** The stage that begins at once if a paused rollout is resumed, because nothing is left to wait for; undefined if none does. */
export function stageOnResume(rollout: Rollout) {
  const { status, stage: begun, stages, next_stage_at: at } = rollout
  const isDue = at === null ? finishedStage(rollout)?.wait_minutes === 0 : Date.parse(at) <= Date.now()
  return status === 'paused' && isDue
    ? stages.find(({ number, pending }) => number > begun && pending > 0)
    : undefined
}

/** Rollouts of templates that were never published are from before there were versions. */
export const versionInText = ({ version }: Pick<Rollout, 'version'>): string =>
  version === 0 ? t('no version') : t('version {version}', { version })

/** True while its numbers may still change. */
export const isUnderWay = ({ status }: Rollout): boolean =>
  status === 'planning' || status === 'running' || status === 'canceling'

/** True for a rollout that has begun and may go on. */
export const isActive = ({ status }: Rollout): boolean =>
  status === 'running' || status === 'waiting' || status === 'paused'

/** True for a rollout that has not begun. */
export const isPlan = ({ status }: Rollout): boolean =>
  status === 'planning' || status === 'planned' || status === 'expired'

/** The outcomes that occurred with their numbers: "3 changed, 1 failed". */
export const countsInWords = (rollout: Rollout): string =>
  outcomes
    .filter((outcome) => rollout.counts[outcome] > 0)
    .map((outcome) => outcomeCount(outcome, rollout))
    .join(', ') || t('no projects')

/** The projects of a rollout, and how many of them it has reached. */
export function reached({ counts }: Rollout): { total: number; done: number } {
  const total = counts.projects - counts.no_access
  return { total, done: total - counts.pending }
}

/** The projects that could still receive it. */
export const leftOver = ({ counts }: Rollout): number => counts.failed + counts.pending

/** The progress as a sentence. */
export function progressInWords(rollout: Rollout): string {
  const { total, done } = reached(rollout)
  const { title, status } = rollout
  if (isPlan(rollout) || status === 'waiting' || status === 'paused')
    return `${title}: ${statusInWords(rollout)}`
  if (status === 'canceling')
    return counted(
      total,
      {
        one: 'Canceling “{title}” after {done} of {count} project…',
        other: 'Canceling “{title}” after {done} of {count} projects…',
      },
      { title, done },
    )
  if (status === 'canceled')
    return counted(
      total,
      {
        one: 'Canceled “{title}” after {done} of {count} project',
        other: 'Canceled “{title}” after {done} of {count} projects',
      },
      { title, done },
    )
  if (rollout.kind === 'removal') return removalInWords(rollout)
  return rollout.kind === 'revert' || rollout.kind === 'reset'
    ? returnInWords(rollout)
    : deliveryInWords(rollout)
}

function deliveryInWords(rollout: Rollout): string {
  const { total, done } = reached(rollout)
  const { title, status, counts } = rollout
  if (status === 'running')
    return counted(
      total,
      {
        one: 'Rolling out “{title}”: {done} of {count} project',
        other: 'Rolling out “{title}”: {done} of {count} projects',
      },
      { title, done },
    )
  if (counts.failed > 0)
    return counted(
      counts.failed,
      {
        one: 'Rolled out “{title}”, but it failed in {count} project',
        other: 'Rolled out “{title}”, but it failed in {count} projects',
      },
      { title },
    )
  return counted(
    total - counts.opted_out,
    {
      one: 'Rolled out “{title}” to {count} project',
      other: 'Rolled out “{title}” to {count} projects',
    },
    { title },
  )
}

/** Of a revert or a reset, which change only what is still there to change. */
function returnInWords(rollout: Rollout): string {
  const { total, done } = reached(rollout)
  const { title, kind, status, counts } = rollout
  if (status === 'running')
    return kind === 'revert'
      ? counted(
          total,
          {
            one: 'Reverting “{title}”: {done} of {count} project',
            other: 'Reverting “{title}”: {done} of {count} projects',
          },
          { title, done },
        )
      : counted(
          total,
          {
            one: 'Resetting “{title}”: {done} of {count} project',
            other: 'Resetting “{title}”: {done} of {count} projects',
          },
          { title, done },
        )
  return kind === 'revert'
    ? counted(
        counts.changed,
        { one: 'Reverted “{title}” in {count} project', other: 'Reverted “{title}” in {count} projects' },
        { title },
      )
    : counted(
        counts.changed,
        { one: 'Reset “{title}” in {count} project', other: 'Reset “{title}” in {count} projects' },
        { title },
      )
}

function removalInWords(rollout: Rollout): string {
  const { total, done } = reached(rollout)
  const { title, status, counts } = rollout
  if (status === 'running')
    return counted(
      total,
      {
        one: 'Deleting “{title}”: {done} of {count} project',
        other: 'Deleting “{title}”: {done} of {count} projects',
      },
      { title, done },
    )
  if (counts.failed > 0)
    return counted(
      counts.failed,
      {
        one: 'Deleted “{title}”, but it failed in {count} project',
        other: 'Deleted “{title}”, but it failed in {count} projects',
      },
      { title },
    )
  if (counts.changed === 0) return t('No projects to delete “{title}” from', { title })
  // A deletion visits every project, and most of them may never have had the card.
  return counted(
    counts.changed,
    { one: 'Deleted “{title}” from {count} project', other: 'Deleted “{title}” from {count} projects' },
    { title },
  )
}
