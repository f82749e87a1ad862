import { operation } from '#api/operation.ts'
import { integer, list, record } from '#contract/schema.ts'
import { countUnreadByProject } from '#inbox/listing.ts'

export default operation({
  path: '/services/operations/v1/operations/inbox/unread-by-project',
  summary:
    "Count the unread items of the caller's inbox in each of their projects; projects without any are left out, and 100 stands for 100 or more",
  audience: 'signed in',
  input: {},
  success: 200,
  message: 'The unread items.',
  output: record({ projects: list(record({ project_id: integer(), unread_count: integer() })) }),
  failures: {},
  async handle({ caller, db }) {
    return { projects: await countUnreadByProject(db, caller.id) }
  },
})
