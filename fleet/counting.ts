import type { Queries } from '#database/connect.ts'
import { countFigures } from './figures.ts'
import { countStates } from './states.ts'
import { countSubscriptions } from './subscriptions.ts'

/** Counts projects for the operator: the list of projects, their subscriptions, and the sums of template cards. Inside of a transaction. */
export async function countProjects(queries: Queries, projectIds: readonly number[]): Promise<void> {
  if (projectIds.length === 0) return
  await countStates(queries, projectIds)
  await countFigures(queries, projectIds)
  await countSubscriptions(queries, projectIds)
}
