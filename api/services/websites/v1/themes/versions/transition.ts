import type { Call } from '#api/operation.ts'
import type { Queries } from '#database/connect.ts'
import { change } from '#events/change.ts'
import { recordEvent } from '#events/record.ts'
import { inProjectOf } from '#identity/in-project.ts'
import { type Action, changesBy, transitions } from './lifecycle.ts'
import { readVersion, type Version } from './version.ts'

/** Takes a version to its next state, under a lock on it, together with the columns that tell of it. */
export function takeVersion(
  { input: { version_id: id }, caller, db, fail }: Call<{ version_id: number }, 400 | 403 | 404>,
  action: Action,
  columns: (queries: Queries) => Record<string, unknown>,
): Promise<Version> {
  const question = { db, caller, permission: 'manage themes', kind: 'theme_versions', id } as const
  return inProjectOf(question, fail, ({ projectId }) =>
    change(db, projectId, async (queries) => {
      const { sql } = queries
      await sql`select from theme_versions where project_id = ${projectId} and id = ${id} for no key update`
      const before = await readVersion(queries, projectId, id)
      if (!before) return undefined
      const changes = changesBy(action, before)
      if (!changes) throw fail(400, transitions[action].refusal)
      if (Object.keys(changes).length === 0) return before
      const values = { ...changes, ...columns(queries), updated_at: sql`now()` }
      await sql`update theme_versions set ${sql(values as never)} where project_id = ${projectId} and id = ${id}`
      const after = (await readVersion(queries, projectId, id)) as Version
      await recordEvent(queries, {
        boardId: null,
        actorId: caller.id,
        kind: `theme_version.${transitions[action].event}`,
        data: toldOf(after),
      })
      return after
    }),
  )
}

/** What the events of a version say. */
export const toldOf = ({
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
