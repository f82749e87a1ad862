import { operation } from '#api/operation.ts'
import { integer, list, record, text } from '#contract/schema.ts'
import { listOpenablePlatforms } from '#projects/platform.ts'

export default operation({
  path: '/services/identity/v1/platforms/list',
  summary: 'The platforms of the projects that the caller can open (all for superadmins of all), by name',
  audience: 'signed in',
  input: {},
  success: 200,
  message: 'The platforms.',
  output: record({ platforms: list(record({ id: integer(), name: text() })) }),
  failures: {},
  async handle({ caller, db }) {
    return { platforms: await listOpenablePlatforms(db, caller) }
  },
})
