import type { Change } from './apply.ts'

/** More are only counted, so that a large rollout writes small events. */
const mostCards = 20

/** What the event of a rollout says about a board. */
export const summaryOf = ({ added, removed, updated }: Change) => ({
  added_count: added,
  ...(removed > 0 && { removed_count: removed }),
  updated_count: updated.length,
  updated: updated.slice(0, mostCards),
})
