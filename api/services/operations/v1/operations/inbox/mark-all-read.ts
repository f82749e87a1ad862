import { operation } from '#api/operation.ts'
import { integer, optional, record } from '#contract/schema.ts'
import { markItemsRead } from '#inbox/listing.ts'

export default operation({
  path: '/services/operations/v1/operations/inbox/mark-all-read',
  summary: 'Mark the whole inbox of the caller as read, or everything up to an item',
  audience: 'read',
  on: 'project',
  input: {
    up_to: optional(
      integer({ about: 'The id of the newest item that the person has seen; by default all items.' }),
    ),
  },
  success: 200,
  message: 'Marked as read.',
  output: record({ read_count: integer() }),
  failures: {},
  writes: true,
  async handle({ input: { up_to: upTo = null }, caller, projectId, db, tell }) {
    const count = await markItemsRead(db, { projectId, userId: caller.id }, { upTo })
    if (count > 0) db.afterCommit(() => tell(projectId, [caller.id]))
    return { read_count: count }
  },
})
