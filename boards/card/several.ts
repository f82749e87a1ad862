/** The most cards that one call changes, deletes, restores or creates. */
export const mostCards = 500

/** The wanted ids that were not found. */
export function missingOf(ids: readonly number[], found: readonly { id: number }[]): number[] {
  const present = new Set(found.map(({ id }) => id))
  return ids.filter((id) => !present.has(id))
}
