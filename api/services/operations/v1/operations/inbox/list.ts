import { operation } from '#api/operation.ts'
import { badCursor, pageInput, pageOf, pageOutput, readPage } from '#api/page.ts'
import { flag, list, optional, record } from '#contract/schema.ts'
import { inboxItem } from '#inbox/item.ts'
import { listInbox } from '#inbox/listing.ts'

export default operation({
  path: '/services/operations/v1/operations/inbox/list',
  summary:
    'List what concerns the caller in the project, newest first, in pages: one item per card and reason',
  audience: 'read',
  on: 'project',
  input: { is_unread: optional(flag()), ...pageInput },
  success: 200,
  message: 'Your inbox.',
  output: record({ items: list(inboxItem), ...pageOutput }),
  failures: { 422: badCursor },
  check: ({ input, fail }) => void readPage(input, fail),
  async handle({ input: { is_unread: isUnread, ...paging }, caller, projectId, db, fail }) {
    const { after, limit } = readPage(paging, fail)
    const wanted = { after, limit: limit + 1, isUnread: isUnread ?? false }
    const { rows, next_cursor } = pageOf(await listInbox(db, { projectId, userId: caller.id }, wanted), limit)
    return { items: rows, next_cursor }
  },
})
