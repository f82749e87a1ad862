import { formatNumber } from '../../words/locale.ts'
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

const outcomeNames: Record<Outcome, string> = {
  changed: 'Changed',
  unchanged: 'Unchanged',
  failed: 'Failed',
  opted_out: 'Opted out',
  no_access: 'No access',
  pending: 'Waiting',
}

/** After a cancellation, waiting projects were not reached. */
export const outcomeName = (outcome: Outcome, { status }: Rollout): string =>
  outcome === 'pending' && status !== 'running' ? 'Not reached' : outcomeNames[outcome]

export const kindNames: Record<Rollout['kind'], string> = {
  board: 'Template',
  card: 'Card',
  removal: 'Card deletion',
}

export const statusNames: Record<Rollout['status'], string> = {
  running: 'Running',
  canceling: 'Canceling…',
  done: 'Done',
  canceled: 'Canceled',
}

/** True while its numbers may still change. */
export const isUnderWay = ({ status }: Rollout): boolean => status === 'running' || status === 'canceling'

export const projects = (count: number): string =>
  `${formatNumber(count)} ${count === 1 ? 'project' : 'projects'}`

/** The outcomes that occurred with their numbers: "3 changed, 1 failed". */
export const countsInWords = (rollout: Rollout): string =>
  outcomes
    .filter((outcome) => rollout.counts[outcome] > 0)
    .map(
      (outcome) => `${formatNumber(rollout.counts[outcome])} ${outcomeName(outcome, rollout).toLowerCase()}`,
    )
    .join(', ') || 'no projects'

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
  const { failed, changed, opted_out: optedOut } = rollout.counts
  const progress = `${formatNumber(done)} of ${projects(total)}`
  const [going, gone] = rollout.kind === 'removal' ? ['Deleting', 'Deleted'] : ['Rolling out', 'Rolled out']
  if (rollout.status === 'running') return `${going} “${rollout.title}”: ${progress}`
  if (rollout.status === 'canceling') return `Canceling “${rollout.title}” after ${progress}…`
  if (rollout.status === 'canceled') return `Canceled “${rollout.title}” after ${progress}`
  if (failed > 0) return `${gone} “${rollout.title}”, but it failed in ${projects(failed)}`
  // A deletion visits every project, and most of them may never have had the card.
  const reach = rollout.kind === 'removal' ? `from ${projects(changed)}` : `to ${projects(total - optedOut)}`
  return `${gone} “${rollout.title}” ${reach}`
}
