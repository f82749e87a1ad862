import { operation } from '#api/operation.ts'
import { home, readHome } from '#boards/home.ts'

export default operation({
  path: '/services/operations/v1/operations/home/get',
  summary:
    'Get what matters to the caller now: their open cards, most urgent first, cards with unread comments, and the boards that changed last',
  audience: 'read',
  on: 'project',
  input: {},
  success: 200,
  message: 'What matters now.',
  output: home,
  failures: {},
  handle: ({ caller, projectId, db }) => readHome(db, { projectId, userId: caller.id }),
})
