import { operation } from '#api/operation.ts'
import { integer, list, record } from '#contract/schema.ts'
import { markItemsRead } from '#inbox/listing.ts'

export default operation({
  path: '/services/operations/v1/operations/inbox/mark-read',
  summary:
    "Mark items of the caller's inbox as read; ids of items that have been replaced by newer ones are ignored",
  audience: 'read',
  on: 'project',
  input: { items: list(integer(), { max: 200 }) },
  success: 200,
  message: 'Marked as read.',
  output: record({ read_count: integer() }),
  failures: {},
  writes: true,
  async handle({ input: { items: ids }, caller, projectId, db, tell }) {
    const count = await markItemsRead(db, { projectId, userId: caller.id }, { ids })
    // So that the person's other windows show it too.
    if (count > 0) db.afterCommit(() => tell(projectId, [caller.id]))
    return { read_count: count }
  },
})
