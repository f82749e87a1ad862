import { operation } from '#api/operation.ts'
import { badCursor, pageInput, pageOf, pageOutput, readPage } from '#api/page.ts'
import { flag, integer, list, nullable, record, text, timestamp } from '#contract/schema.ts'
import { listDeleted } from '#projects/deletion/listing.ts'

export default operation({
  path: '/services/identity/v1/projects/list-deleted',
  summary:
    "The caller's projects that were deleted and can be restored (superadmins: all of their platform), by id, a page at a time",
  audience: 'signed in',
  input: pageInput,
  success: 200,
  message: 'The deleted projects.',
  output: record({
    projects: list(
      record({
        id: integer(),
        name: text(),
        deleted_at: timestamp(),
        deleted_by_name: nullable(text()),
        restorable_until: timestamp({ about: 'Then everything in it is permanently deleted.' }),
        may_restore: flag({ about: 'True for owners of the project and superadmins.' }),
      }),
    ),
    ...pageOutput,
  }),
  failures: { 422: badCursor },
  async handle({ input, caller, db, fail }) {
    const { after, limit } = readPage(input, fail)
    const page = pageOf(await listDeleted(db, caller, { after, limit: limit + 1 }), limit)
    return { projects: page.rows, next_cursor: page.next_cursor }
  },
})
