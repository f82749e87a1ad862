import { operation } from '#api/operation.ts'
import { integer, record } from '#contract/schema.ts'
import { takeVersion } from './transition.ts'
import { version } from './version.ts'

export default operation({
  path: '/services/websites/v1/themes/versions/approve',
  summary: 'Approve a version that waits for its review',
  audience: 'superadmin',
  input: { version_id: integer() },
  success: 200,
  message: 'The theme version was approved.',
  output: record({ version }),
  failures: [400, 403, 404],
  writes: true,
  async handle(call) {
    return {
      version: await takeVersion(call, 'approve', ({ sql }) => ({
        reviewed_by: call.caller.id,
        reviewed_at: sql`now()`,
      })),
    }
  },
})
