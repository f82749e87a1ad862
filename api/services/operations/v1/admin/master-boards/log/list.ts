import { noMasterBoard } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { badCursor, pageInput, pageOfMoments, pageOutput, readPage } from '#api/page.ts'
import { integer, list, record } from '#contract/schema.ts'
import { listLog, logEntry } from '#templates/log.ts'
import { isTemplate } from '#templates/template/template.ts'

export default operation({
  path: '/services/operations/v1/admin/master-boards/log/list',
  summary: 'Who changed what in a template, published it and rolled it out, newest first, in pages',
  audience: 'superadmin',
  on: { template: 'board_id' },
  input: { board_id: integer({ about: 'The id of the template.' }), ...pageInput },
  success: 200,
  message: 'The log of the template.',
  output: record({ entries: list(logEntry), ...pageOutput }),
  failures: { 404: noMasterBoard, 422: badCursor },
  async handle({ input: { board_id: boardId, ...paging }, db, fail }) {
    const { after, limit } = readPage(paging, fail)
    if (!(await isTemplate(db, boardId))) throw fail(404, 'master_board_not_found')
    const { rows, next_cursor } = pageOfMoments(await listLog(db, boardId, { before: after, limit }), limit)
    return { entries: rows, next_cursor }
  },
})
