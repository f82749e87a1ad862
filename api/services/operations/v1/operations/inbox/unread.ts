import { operation } from '#api/operation.ts'
import { integer, record } from '#contract/schema.ts'
import { countUnreadItems } from '#inbox/listing.ts'

export default operation({
  path: '/services/operations/v1/operations/inbox/unread',
  summary: "Count the unread items of the caller's inbox; 100 stands for 100 or more",
  audience: 'read',
  on: 'project',
  input: {},
  success: 200,
  message: 'The unread items.',
  output: record({ unread_count: integer() }),
  failures: {},
  async handle({ caller, projectId, db }) {
    return { unread_count: await countUnreadItems(db, { projectId, userId: caller.id }) }
  },
})
