import { operation } from '#api/operation.ts'
import { integer, record } from '#contract/schema.ts'
import { takeVersion } from './transition.ts'
import { version } from './version.ts'

export default operation({
  path: '/services/websites/v1/themes/versions/submit',
  summary: 'Submit a draft for review, for the first time or after a rejection',
  audience: 'manage themes',
  input: { version_id: integer() },
  success: 200,
  message: 'The theme version was submitted for review.',
  output: record({ version }),
  failures: [400, 403, 404],
  writes: true,
  async handle(call) {
    return {
      version: await takeVersion(call, 'submit', ({ sql }) => ({
        submitted_at: sql`now()`,
        reviewed_by: null,
        reviewed_at: null,
        rejection_reason: null,
      })),
    }
  },
})
