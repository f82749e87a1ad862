import { operation } from '#api/operation.ts'
import { withListedDescription } from '#boards/listed-description.ts'
import { list, record } from '#contract/schema.ts'
import { listStatement, masterBoardInList } from './master-board.ts'

export default operation({
  path: '/services/operations/v1/admin/master-boards/list',
  summary: 'Every master board, with how many projects have it, are up to date, behind, refused or opted out',
  audience: 'superadmin',
  input: {},
  success: 200,
  message: 'The master boards.',
  output: record({ boards: list(masterBoardInList) }),
  failures: {},
  v1Text: { boards: 'each' },
  async handle({ db }) {
    const boards = await db.run<(typeof masterBoardInList)['static']>(listStatement, [])
    return { boards: boards.map(withListedDescription) }
  },
})
