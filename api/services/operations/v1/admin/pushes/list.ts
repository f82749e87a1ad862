import { operation } from '#api/operation.ts'
import { badCursor, pageInput, pageOf, pageOutput, readPage } from '#api/page.ts'
import { integer, list, optional, record } from '#contract/schema.ts'
import { type Push, push, pushColumns, pushTables } from './push.ts'

export default operation({
  path: '/services/operations/v1/admin/pushes/list',
  summary: 'Pushes and syncs with their counts, the newest first',
  audience: 'superadmin',
  input: { board_id: optional(integer()), ...pageInput },
  success: 200,
  message: 'The pushes.',
  output: record({ pushes: list(push), ...pageOutput }),
  failures: { 422: badCursor },
  async handle({ input, db, fail }) {
    const { after, limit } = readPage(input, fail)
    const found = await db.run<Push>(
      `select ${pushColumns} from ${pushTables}
       where ($1::bigint is null or p.board_id = $1) and ($2::bigint is null or p.id < $2) order by p.id desc limit $3`,
      [input.board_id ?? null, after, limit + 1],
    )
    const { rows, next_cursor } = pageOf(found, limit)
    return { pushes: rows, next_cursor }
  },
})
