import { operation } from '#api/operation.ts'
import { badCursor, pageInput, pageOf, pageOutput, readPage } from '#api/page.ts'
import { list, nullable, optional, record, text, timestamp } from '#contract/schema.ts'
import { listOpenable } from '#projects/listing.ts'
import { project } from './project.ts'

export default operation({
  path: '/services/identity/v1/projects/list',
  summary:
    'The projects that the caller can open (superadmins: all of their platform), by id, a page at a time',
  audience: 'signed in',
  input: { query: optional(text({ max: 255 })), ...pageInput },
  success: 200,
  message: 'The projects.',
  output: record({
    projects: list(
      record({
        ...project.properties,
        archived_at: nullable(
          timestamp({ about: 'Since when it can only be read; null for projects that are not archived.' }),
        ),
      }),
    ),
    ...pageOutput,
  }),
  failures: { 422: badCursor },
  async handle({ input, caller, db, fail }) {
    const { after, limit } = readPage(input, fail)
    const wanted = { query: input.query ?? null, after, limit: limit + 1 }
    const page = pageOf(await listOpenable(db, caller, wanted), limit)
    return { projects: page.rows, next_cursor: page.next_cursor }
  },
})
