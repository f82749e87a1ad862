import { operation } from '#api/operation.ts'
import { integer, record, text } from '#contract/schema.ts'
import { takeVersion } from './transition.ts'
import { version } from './version.ts'

export default operation({
  path: '/services/websites/v1/themes/versions/reject',
  summary: 'Reject a version that waits for its review, and say why',
  audience: 'superadmin',
  input: { version_id: integer(), reason: text({ max: 1000 }) },
  success: 200,
  message: 'The theme version was rejected.',
  output: record({ version }),
  failures: [400, 403, 404],
  writes: true,
  async handle(call) {
    return {
      version: await takeVersion(call, 'reject', ({ sql }) => ({
        reviewed_by: call.caller.id,
        reviewed_at: sql`now()`,
        rejection_reason: call.input.reason,
      })),
    }
  },
})
