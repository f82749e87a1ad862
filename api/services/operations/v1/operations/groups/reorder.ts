import { operation } from '#api/operation.ts'
import { type Fail, Failure, type FieldErrors } from '#contract/operation.ts'
import { integer, list, nothing, record } from '#contract/schema.ts'
import { inProjectOfOrElse } from '#identity/in-project.ts'
import { writeEvent } from '../event.ts'
import { arranged, duplicateIds, writeOrder } from '../order.ts'
import { lockOrder } from './group.ts'

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
  async handle({ input: { groups }, caller, db, live, http, fail }) {
    const duplicates = duplicateIds(groups)
    if (duplicates) throw fail(422, duplicates)
    // Every listed group is looked up, so that one of another project is refused wherever it stands in the list.
    const lookups = await Promise.allSettled(
      groups.map(({ id }, index) =>
        inProjectOfOrElse(
          { db, caller, permission: 'work', kind: 'groups', id },
          fail,
          async ({ projectId }) => {
            const [group] = await db.run<{ board_id: number }>(
              'select board_id from groups where project_id = $1 and id = $2 and deleted_at is null',
              [projectId, id],
            )
            return group && { projectId, boardId: group.board_id }
          },
          () => fail(422, invalid(index)),
        ),
      ),
    )
    const places = foundIn(lookups, fail)
    const first = places[0] as (typeof places)[number]
    const elsewhere = places.findIndex(({ boardId }) => boardId !== first.boardId)
    if (elsewhere !== -1) throw fail(422, invalid(elsewhere))

    await db.transaction(async (queries) => {
      const { projectId, boardId } = first
      const order = await lockOrder(queries, projectId, boardId)
      const gone = groups.findIndex(({ id }) => !order.includes(id))
      if (gone !== -1) throw fail(422, invalid(gone))
      const ids = arranged(order, groups)
      if (ids.every((id, place) => id === order[place])) return
      await writeOrder(queries, 'groups', projectId, ids)
      const data = { group_ids: ids }
      await writeEvent(queries, { projectId, boardId, actorId: caller.id, kind: 'groups.reordered', data })
      live.announce(http, projectId)
    })
    return []
  },
})

/** What was found, or the refusal: all ids that name nothing at once, and only then one that the caller may not touch. */
function foundIn<Place>(lookups: PromiseSettledResult<Place>[], fail: Fail<422>): Place[] {
  const refusals = lookups.flatMap((lookup) => (lookup.status === 'rejected' ? [lookup.reason] : []))
  const missing = refusals.filter((reason) => reason instanceof Failure && reason.status === 422)
  if (missing.length > 0) throw fail(422, Object.assign({}, ...missing.map(({ detail }) => detail)))
  if (refusals.length > 0) throw refusals[0]
  return lookups.flatMap((lookup) => (lookup.status === 'fulfilled' ? [lookup.value] : []))
}

const invalid = (index: number): FieldErrors => ({
  [`groups.${index}.id`]: [`The selected groups.${index}.id is invalid.`],
})
