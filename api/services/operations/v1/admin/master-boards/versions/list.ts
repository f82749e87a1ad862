import { noMasterBoard } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { badCursor, pageInput, pageOf, pageOutput, readPage } from '#api/page.ts'
import { integer, list, record } from '#contract/schema.ts'
import { isTemplate } from '#templates/template/template.ts'
import { listVersions, version } from '#templates/version/version.ts'

export default operation({
  path: '/services/operations/v1/admin/master-boards/versions/list',
  summary: 'The versions of a template, newest first, a page at a time',
  audience: 'superadmin',
  on: { template: 'board_id' },
  input: { board_id: integer({ about: 'The id of the template.' }), ...pageInput },
  success: 200,
  message: 'The versions.',
  output: record({ versions: list(version), ...pageOutput }),
  failures: { 404: noMasterBoard, 422: badCursor },
  async handle({ input: { board_id: boardId, ...paging }, db, fail }) {
    const { after, limit } = readPage(paging, fail)
    if (!(await isTemplate(db, boardId))) throw fail(404, 'master_board_not_found')
    const found = await listVersions(db, boardId, { before: after, limit: limit + 1 })
    const { rows, next_cursor } = pageOf(found, limit)
    return { versions: rows, next_cursor }
  },
})
