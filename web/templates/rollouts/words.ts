import { formatNumber } from '../../ui/locale.ts'
import type { Outcome, Push } from './types.ts'

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
export const outcomeName = (outcome: Outcome, { status }: Push): string =>
  outcome === 'pending' && status !== 'running' ? 'Not reached' : outcomeNames[outcome]

export const kindNames: Record<Push['kind'], string> = {
  board: 'Template',
  card: 'Card',
  removal: 'Card deletion',
}

export const statusNames: Record<Push['status'], string> = {
  running: 'Running',
  canceling: 'Canceling…',
  done: 'Done',
  canceled: 'Canceled',
}

/** True while its numbers may still change. */
export const isUnderWay = ({ status }: Push): boolean => status === 'running' || status === 'canceling'

export const projects = (count: number): string =>
  `${formatNumber(count)} ${count === 1 ? 'project' : 'projects'}`

/** The outcomes that occurred with their numbers: "3 changed, 1 failed". */
export const countsInWords = (push: Push): string =>
  outcomes
    .filter((outcome) => push.counts[outcome] > 0)
    .map((outcome) => `${formatNumber(push.counts[outcome])} ${outcomeName(outcome, push).toLowerCase()}`)
    .join(', ') || 'no projects'

/** The projects of a rollout, and how many of them it has reached. */
export function reached({ counts }: Push): { total: number; done: number } {
  const total = counts.projects - counts.no_access
  return { total, done: total - counts.pending }
}

/** The projects that could still receive it. */
export const leftOver = ({ counts }: Push): number => counts.failed + counts.pending

/** The progress as a sentence. */
export function progressInWords(push: Push): string {
  const { total, done } = reached(push)
  const { failed, changed, opted_out: optedOut } = push.counts
  const progress = `${formatNumber(done)} of ${projects(total)}`
  const [going, gone] = push.kind === 'removal' ? ['Deleting', 'Deleted'] : ['Rolling out', 'Rolled out']
  if (push.status === 'running') return `${going} “${push.title}”: ${progress}`
  if (push.status === 'canceling') return `Canceling “${push.title}” after ${progress}…`
  if (push.status === 'canceled') return `Canceled “${push.title}” after ${progress}`
  if (failed > 0) return `${gone} “${push.title}”, but it failed in ${projects(failed)}`
  // A deletion visits every project, and most of them may never have had the card.
  const reach = push.kind === 'removal' ? `from ${projects(changed)}` : `to ${projects(total - optedOut)}`
  return `${gone} “${push.title}” ${reach}`
}
