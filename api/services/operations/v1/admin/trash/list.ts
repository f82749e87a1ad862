import { operation } from '#api/operation.ts'
import { badCursor, pageInput, pageOfMoments, pageOutput, readPage } from '#api/page.ts'
import { integer, list, optional, record } from '#contract/schema.ts'
import { deletedThing, listDeleted } from '#templates/trash.ts'

export default operation({
  path: '/services/operations/v1/admin/trash/list',
  summary:
    'Templates, groups and cards of templates that were deleted in the last 30 days and can be restored',
  audience: 'superadmin',
  input: {
    board_id: optional(integer({ about: 'Only what was deleted from this template.' })),
    ...pageInput,
  },
  success: 200,
  message: 'What was deleted from templates.',
  output: record({ things: list(deletedThing), ...pageOutput }),
  failures: { 422: badCursor },
  async handle({ input, caller, db, fail }) {
    const { after, limit } = readPage(input, fail)
    const wanted = {
      platformId: caller.superadminPlatformId,
      boardId: input.board_id ?? null,
      before: after,
      limit,
    }
    const { rows, next_cursor } = pageOfMoments(await listDeleted(db, wanted), limit)
    return { things: rows, next_cursor }
  },
})
