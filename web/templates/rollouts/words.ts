import { formatNumber } from '../../ui/locale.ts'
import type { Outcome, Push } from './types.ts'

/** In the order in which they are shown. */
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

/** What still waits for a rollout that was canceled is what it has not reached. */
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

/** Whether its numbers may still change, or who may be asked to wait. */
export const isUnderWay = ({ status }: Push): boolean => status === 'running' || status === 'canceling'

export const projects = (count: number): string =>
  `${formatNumber(count)} ${count === 1 ? 'project' : 'projects'}`

/** Outcomes with their numbers, those that there are none of left out: "3 changed, 1 failed". */
export const countsInWords = (push: Push): string =>
  outcomes
    .filter((outcome) => push.counts[outcome] > 0)
    .map((outcome) => `${formatNumber(push.counts[outcome])} ${outcomeName(outcome, push).toLowerCase()}`)
    .join(', ') || 'no projects'

/** Projects that it is for, and how many of them it has reached. */
export function reached({ counts }: Push): { total: number; done: number } {
  const total = counts.projects - counts.no_access
  return { total, done: total - counts.pending }
}

/** Projects that it could still bring the change to. */
export const leftOver = ({ counts }: Push): number => counts.failed + counts.pending

/** How far it is, in a sentence. */
export function progressInWords(push: Push): string {
  const { total, done } = reached(push)
  const { failed, changed, opted_out: optedOut } = push.counts
  const progress = `${formatNumber(done)} of ${projects(total)}`
  const [going, gone] = push.kind === 'removal' ? ['Deleting', 'Deleted'] : ['Rolling out', 'Rolled out']
  if (push.status === 'running') return `${going} “${push.title}”: ${progress}`
  if (push.status === 'canceling') return `Canceling “${push.title}” after ${progress}…`
  if (push.status === 'canceled') return `Canceled “${push.title}” after ${progress}`
  if (failed > 0) return `${gone} “${push.title}”, but it failed in ${projects(failed)}`
  // A deletion looks into every project, and most of them may never have had the card.
  const reach = push.kind === 'removal' ? `from ${projects(changed)}` : `to ${projects(total - optedOut)}`
  return `${gone} “${push.title}” ${reach}`
}
