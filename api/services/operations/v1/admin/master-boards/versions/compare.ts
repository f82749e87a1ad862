import { noMasterBoard, notFound } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { integer, list, optional, record } from '#contract/schema.ts'
import { readTemplate } from '#templates/template/template.ts'
import { compare, difference } from '#templates/version/comparing.ts'
import { readContent, readVersion } from '#templates/version/version.ts'

export default operation({
  path: '/services/operations/v1/admin/master-boards/versions/compare',
  summary: 'What differs between two versions of a template, or between a version and the draft',
  audience: 'superadmin',
  on: { template: 'board_id' },
  input: {
    board_id: integer({ about: 'The id of the template.' }),
    from: optional(integer({ about: 'The number of the version to compare with; by default the draft.' })),
    to: optional(integer({ about: 'The number of the version that is compared; by default the draft.' })),
  },
  success: 200,
  message: 'The differences.',
  output: record({ differences: list(difference) }),
  failures: { 404: noMasterBoard, 422: { from: notFound, to: notFound } },
  async handle({ input: { board_id: boardId, from, to }, db, fail }) {
    if (!(await readTemplate(db, boardId))) throw fail(404, 'master_board_not_found')
    const revisionOf = async (number: number | null | undefined) =>
      typeof number === 'number' ? (await readVersion(db, boardId, number))?.revision : null
    const [before, after] = await Promise.all([revisionOf(from), revisionOf(to)])
    if (before === undefined || after === undefined)
      throw fail(422, {
        ...(before === undefined && { from: 'not_found' as const }),
        ...(after === undefined && { to: 'not_found' as const }),
      })
    const states = await Promise.all([readContent(db, boardId, before), readContent(db, boardId, after)])
    return { differences: compare(...states) }
  },
})
