import { operation } from '#api/operation.ts'
import { badCursor, pageInput, pageOf, pageOutput, readPage } from '#api/page.ts'
import { flag, integer, list, nullable, oneOf, optional, record } from '#contract/schema.ts'
import { filterInput, isFiltering } from '#fleet/filter.ts'
import { countFleet, findFew, findMany, listFleet, orders } from '#fleet/listing.ts'
import { projectInFleet } from '#fleet/project.ts'

export default operation({
  path: '/services/operations/v1/admin/projects/list',
  summary: 'All projects with their figures, searched, filtered and sorted, a page at a time',
  about:
    'The figures follow the events of each project within seconds; each is at most a day old. `query` finds part of a name or of a label, a whole id, and the beginning of the address of a member, or of its domain after an `@`.',
  audience: 'superadmin',
  input: {
    ...filterInput,
    platform_id: optional(integer({ about: 'Only projects of this platform.' })),
    is_deleted: optional(flag({ about: 'The deleted projects instead of the others.' })),
    is_archived: optional(flag({ about: 'The archived projects instead of the others.' })),
    sort: optional(oneOf(orders)),
    is_descending: optional(flag()),
    ...pageInput,
  },
  fromReplica: true,
  success: 200,
  message: 'The projects.',
  output: record({
    projects: list(projectInFleet),
    count: nullable(integer({ about: 'How many match in all; only on the first page.' })),
    ...pageOutput,
  }),
  failures: { 422: badCursor },
  check: ({ input, fail }) => void readPage(input, fail),
  async handle({ input, caller, db, fail }) {
    const { after, limit } = readPage(input, fail)
    const fleet = {
      platformId: caller.superadminPlatformId,
      wantedPlatformId: input.platform_id,
      isDeleted: input.is_deleted ?? false,
      isArchived: input.is_archived ?? false,
    }
    const order = { by: input.sort ?? 'name', isDescending: input.is_descending ?? false }
    const isCounted = after === null || isFiltering(input)
    const found = await findFew(db, fleet, input)
    const first =
      !found && input.query != null && after === null
        ? await findMany(db, fleet, input, order, limit + 1)
        : undefined
    const matching = found?.length ?? first?.count ?? (isCounted ? await countFleet(db, fleet, input) : null)
    const wanted = { after, limit: limit + 1, matching, found: found ?? first?.ids }
    const rows = await listFleet(db, fleet, input, order, wanted)
    if (!rows) throw fail(422, { cursor: 'not_valid' })
    const page = pageOf(rows, limit)
    return { projects: page.rows, count: after === null ? matching : null, next_cursor: page.next_cursor }
  },
})
