import { noMasterBoard, noVersion } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { limitReached, onLimit } from '#api/quota.ts'
import { integer, record } from '#contract/schema.ts'
import { wholeTemplate } from '#templates/template/template.ts'
import { restoreVersion } from '#templates/version/restoring.ts'

export default operation({
  path: '/services/operations/v1/admin/master-boards/versions/restore',
  summary: 'Make the draft of a template what a version was; projects receive it once it is published',
  audience: 'superadmin',
  on: { template: 'board_id' },
  input: {
    board_id: integer({ about: 'The id of the template.' }),
    number: integer({ about: 'The number of the version.' }),
  },
  success: 200,
  message: 'The version was restored as a draft.',
  output: record({ board: wholeTemplate }),
  failures: {
    400: {
      ...limitReached,
      identifier_taken: 'Another template card now has this unique identifier; change that card first.',
    },
    404: { ...noMasterBoard, ...noVersion },
  },
  writes: true,
  async handle({ input: { board_id: id, number }, caller, db, quotas, fail }) {
    const restoring = restoreVersion(db, quotas, { id, actorId: caller.id }, number)
    const board = await restoring.catch(onLimit((limit) => fail(400, ...limit)))
    if (!board) throw fail(404, 'master_board_not_found')
    if (board === 'no version') throw fail(404, 'version_not_found')
    if (board === 'identifier taken') throw fail(400, 'identifier_taken')
    return { board }
  },
})
