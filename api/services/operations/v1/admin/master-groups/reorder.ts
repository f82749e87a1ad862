import { notFound } from '#api/failures.ts'
import { badGroups, refuseMissing, refuseRepeated } from '#api/listed.ts'
import { operation } from '#api/operation.ts'
import { integer, list, nothing, record } from '#contract/schema.ts'
import { reorderTemplateGroups } from '#templates/group/ordering.ts'

export default operation({
  path: '/services/operations/v1/admin/master-groups/reorder',
  summary: 'Move groups of a template to new positions; the others keep their order around them',
  audience: 'superadmin',
  on: { template: 'board_id' },
  input: {
    board_id: integer({ about: 'The id of the template.' }),
    groups: list(record({ id: integer(), position: integer() }), { max: 1000 }),
  },
  success: 200,
  message: 'The template groups were reordered.',
  output: nothing,
  failures: { 422: { ...badGroups, board_id: notFound } },
  writes: true,
  async handle({ input: { board_id: boardId, groups }, caller, db, fail }) {
    const ids = groups.map(({ id }) => id)
    refuseRepeated('groups.id', ids, fail)
    const outcome = await reorderTemplateGroups(db, { boardId, actorId: caller.id }, groups)
    if (!outcome) throw fail(422, { board_id: 'not_found' })
    refuseMissing('groups.id', ids, (id) => outcome.missing.includes(id), fail)
    return []
  },
})
