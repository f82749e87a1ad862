import type { Queries } from '#database/connect.ts'
import { countFigures, readVersions, type VersionOfProject } from './figures.ts'
import { countStates } from './states.ts'
import { countSubscriptions } from './subscriptions.ts'

/**
 * Counts projects for the operator: the list of projects, their subscriptions, and the sums of template cards. Inside of a transaction, in which their
 * versions may have been read before.
 */
export async function countProjects(
  queries: Queries,
  projectIds: readonly number[],
  read?: readonly VersionOfProject[],
): Promise<void> {
  if (projectIds.length === 0) return
  const wanted = new Set(projectIds)
  // Read first: what is committed while the parts are counted may be missing in one of them, so the project is counted again.
  const versions = (read ?? (await readVersions(queries, projectIds))).filter(({ project_id: id }) =>
    wanted.has(id),
  )
  await countStates(queries, projectIds)
  await countFigures(queries, versions)
  await countSubscriptions(queries, projectIds)
}
