import { operation } from '#api/operation.ts'
import { reorderGroups } from '#boards/group/ordering.ts'
import type { Fail } from '#contract/operation.ts'
import { usualMessages } from '#contract/operation.ts'
import { integer, list, nothing, record } from '#contract/schema.ts'
import type { Queries } from '#database/connect.ts'
import type { Caller } from '#identity/caller.ts'
import { may, type Role } from '#identity/roles.ts'
import { refuseDuplicates, refuseGroups } from '../listed-groups.ts'

export default operation({
  path: '/services/operations/v1/operations/groups/reorder',
  summary: 'Give groups of one board new places; those that are not named keep their order around them',
  audience: 'work',
  input: { groups: list(record({ id: integer(), position: integer() }), { max: 1000 }) },
  success: 200,
  message: 'The groups were reordered.',
  output: nothing,
  failures: [403, 422],
  writes: true,
  async handle({ input: { groups }, caller, db, fail }) {
    refuseDuplicates(groups, fail)
    const places = await placesOf(db, caller, groups, fail)
    const first = places[0] as (typeof places)[number]
    refuseGroups(places, ({ boardId }) => boardId !== first.boardId, fail)

    const { projectId, boardId } = first
    const { missing } = await reorderGroups(db, { projectId, boardId, actorId: caller.id }, groups)
    refuseGroups(groups, ({ id }) => missing.includes(id), fail)
    return []
  },
})

interface Place {
  projectId: number
  boardId: number
}

/** Where the listed groups are: first all ids that name nothing, and only then one that the caller may not touch. */
async function placesOf(
  { sql }: Queries,
  caller: Caller,
  groups: readonly { id: number }[],
  fail: Fail<403 | 422>,
): Promise<Place[]> {
  const ids = groups.map(({ id }) => id)
  const rows = await sql<{ id: number; project_id: number; board_id: number; role: Role | null }[]>`
    select g.id, g.project_id, g.board_id, m.role from groups g
    join projects p on p.id = g.project_id and p.deleted_at is null
    left join memberships m on m.project_id = g.project_id and m.user_id = ${caller.id}
    where g.id = any(${ids}::bigint[]) and g.deleted_at is null`
  const found = new Map(rows.map((row) => [row.id, row]))
  refuseGroups(groups, ({ id }) => !found.has(id), fail)
  if (rows.some(({ role }) => !may(caller, role, 'work'))) throw fail(403, usualMessages[403])
  return ids.flatMap((id) => {
    const row = found.get(id)
    return row ? [{ projectId: row.project_id, boardId: row.board_id }] : []
  })
}
