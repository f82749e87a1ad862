import type { Outcome, Push } from '../data/types.ts'

/** In the order in which they are shown. */
export const outcomes: readonly Outcome[] = ['changed', 'unchanged', 'failed', 'pending', 'no_access']

export const outcomeNames: Record<Outcome, string> = {
  changed: 'Changed',
  unchanged: 'Unchanged',
  failed: 'Failed',
  no_access: 'No access',
  pending: 'To go',
}

export const kindNames: Record<Push['kind'], string> = {
  board: 'Sync',
  card: 'Card push',
  removal: 'Removal',
}

export const statusNames: Record<Push['status'], string> = {
  running: 'Running',
  done: 'Done',
  canceled: 'Canceled',
}

export const projects = (count: number): string =>
  `${count.toLocaleString()} ${count === 1 ? 'project' : 'projects'}`

/** Outcomes with their numbers, those that there are none of left out: "3 changed, 1 failed". */
export const countsInWords = ({ counts }: Push): string =>
  outcomes
    .filter((outcome) => counts[outcome] > 0)
    .map((outcome) => `${counts[outcome].toLocaleString()} ${outcomeNames[outcome].toLowerCase()}`)
    .join(', ') || 'no projects'

/** Projects that it is for, and how many of them it has reached. */
export function reached({ counts }: Push): { total: number; done: number } {
  const total = counts.projects - counts.no_access
  return { total, done: total - counts.pending }
}

/** How it stands, in a sentence. */
export function standing(push: Push): string {
  const { total, done } = reached(push)
  const verbs = {
    board: ['Syncing', 'Synced'],
    card: ['Pushing', 'Pushed'],
    removal: ['Removing', 'Removed'],
  }[push.kind]
  if (push.status === 'running')
    return `${verbs[0]} “${push.title}”: ${done.toLocaleString()} of ${projects(total)}`
  if (push.status === 'canceled')
    return `Canceled “${push.title}” after ${done.toLocaleString()} of ${projects(total)}`
  const { failed, changed } = push.counts
  const reach = {
    board: `with ${projects(total)}`,
    card: `to ${projects(total)}`,
    // It looks into every project, and most of them may never have had the card.
    removal: `from ${projects(changed)}`,
  }[push.kind]
  return failed > 0
    ? `${verbs[1]} “${push.title}”, but not everywhere: it failed in ${projects(failed)}`
    : `${verbs[1]} “${push.title}” ${reach}`
}
