import { noMasterBoard, noVersion } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { integer, record } from '#contract/schema.ts'
import { isTemplate } from '#templates/template/template.ts'
import { readContent, readVersion, templateContent, version } from '#templates/version/version.ts'

export default operation({
  path: '/services/operations/v1/admin/master-boards/versions/get',
  summary: 'A version of a template, with the groups and cards it had',
  audience: 'superadmin',
  on: { template: 'board_id' },
  input: {
    board_id: integer({ about: 'The id of the template.' }),
    number: integer({ about: 'The number of the version.' }),
  },
  success: 200,
  message: 'The version.',
  output: record({ version, board: templateContent }),
  failures: { 404: { ...noMasterBoard, ...noVersion } },
  async handle({ input: { board_id: boardId, number }, db, fail }) {
    const found = await readVersion(db, boardId, number)
    if (!found && !(await isTemplate(db, boardId))) throw fail(404, 'master_board_not_found')
    if (!found) throw fail(404, 'version_not_found')
    return { version: found, board: await readContent(db, boardId, found.revision) }
  },
})
