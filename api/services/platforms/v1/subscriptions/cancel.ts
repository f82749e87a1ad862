import { operation } from '#api/operation.ts'
import { subscription } from '#billing/shown.ts'
import { integer, record } from '#contract/schema.ts'
import { beginCancellation, cancellationFailures, finishCancellation } from './cancellation.ts'

export default operation({
  path: '/services/platforms/v1/subscriptions/cancel',
  summary: 'Cancel a paid subscription at the end of its period',
  audience: 'upgrade',
  on: { subscription: 'id' },
  input: { id: integer() },
  success: 200,
  message: 'The subscription ends at the end of its period.',
  output: record({ subscription }),
  failures: cancellationFailures,
  writes: true,
  begin: beginCancellation,
  handle: (call) => finishCancellation(call, true),
})
