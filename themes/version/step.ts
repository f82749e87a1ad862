// Takes one step in the lifecycle of a version, for submitting.ts, reviewing.ts, publishing.ts and deprecating.ts.
import { assignments, type ColumnValue, type Fragment } from '#database/assignments.ts'
import type { Database, Queries } from '#database/connect.ts'
import { change } from '#events/change.ts'
import { recordEvent } from '#events/record.ts'
import { type Action, changesBy, transitions } from './lifecycle.ts'
import { readVersion, type Version } from './version.ts'

/** The version, and the person who takes the step. */
export interface Taken {
  projectId: number
  id: number
  actorId: number
}

/** The version after the step, or why its state forbids it; undefined if the project has no such version. */
type Step<A extends Action> =
  | { version: Version }
  | { refusal: (typeof transitions)[A]['refusal'] }
  | undefined

/** Locks a version and moves it to its next state, with the columns that describe the step. */
export function takeStep<A extends Action>(
  db: Database,
  { projectId, id, actorId }: Taken,
  action: A,
  columns: (queries: Queries) => Record<string, ColumnValue | Fragment>,
): Promise<Step<A>> {
  return change(db, projectId, async (queries) => {
    const { sql } = queries
    await sql`select from theme_versions where project_id = ${projectId} and id = ${id} for no key update`
    const before = await readVersion(queries, projectId, id)
    if (!before) return undefined
    const changes = changesBy(action, before)
    if (!changes) return { refusal: transitions[action].refusal }
    if (Object.keys(changes).length === 0) return { version: before }
    const values = { ...changes, ...columns(queries), updated_at: sql`now()` }
    await sql`update theme_versions set ${assignments(queries, values)} where project_id = ${projectId} and id = ${id}`
    const after = (await readVersion(queries, projectId, id)) as Version
    await recordEvent(queries, {
      boardId: null,
      actorId,
      kind: `theme_version.${transitions[action].event}`,
      data: eventDataOf(after),
    })
    return { version: after }
  })
}

/** The payload of a version's events. */
export const eventDataOf = ({
  version_id,
  theme_name,
  version,
  theme_status,
  approval_status,
  rejection_reason,
}: Version) => ({
  version_id,
  theme_name,
  version,
  theme_status,
  approval_status,
  ...(rejection_reason !== null && { rejection_reason }),
})
