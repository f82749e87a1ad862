import { notFound } from '#api/failures.ts'
import { refuseMissing } from '#api/listed.ts'
import { operation } from '#api/operation.ts'
import { reorderGroups } from '#boards/group/ordering.ts'
import { integer, list, nothing, record } from '#contract/schema.ts'

export default operation({
  path: '/services/operations/v1/operations/groups/reorder',
  summary:
    'Reorder groups of one board; groups that are not listed keep their order in the remaining positions',
  audience: 'work',
  on: { group: 'groups.id' },
  input: { groups: list(record({ id: integer(), position: integer() }), { max: 1000 }) },
  success: 200,
  message: 'The groups were reordered.',
  output: nothing,
  failures: { 422: { 'groups.*.id': notFound } },
  writes: true,
  async handle({ input: { groups }, caller, projectId, db, fail }) {
    const { missing } = await reorderGroups(db, { projectId, actorId: caller.id }, groups)
    const ids = groups.map(({ id }) => id)
    refuseMissing('groups.id', ids, (id) => missing.includes(id), fail)
    return []
  },
})
