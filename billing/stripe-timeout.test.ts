// In a file of its own, because it waits for the full time-out of a call to Stripe.
import assert from 'node:assert/strict'
import test from 'node:test'
import { post } from '#tests/post.ts'
import { startTestService } from '#tests/service.ts'
import { startStripe } from '#tests/stripe.ts'
import { createTrial } from '#tests/subscription.ts'

test('500 with a sentence when Stripe says nothing; the next attempt finds the session that it made', async () => {
  const stripe = await startStripe()
  const service = await startTestService({ stripe: stripe.settings })
  const { owner, client, subscriptionId } = await createTrial(service)
  const upgrade = () =>
    post<{ session_id: string }>(service, '/services/platforms/v1/subscriptions/upgrade-trial', owner.token, {
      plan: 'pro',
      period: 'month',
      product: 'website',
    })
  stripe.faults.push('silent', 'silent')
  const { status, body } = await upgrade()
  assert.deepEqual(
    [status, body.message],
    [500, 'The payment provider did not respond correctly. Nothing was charged. Try again in a minute.'],
  )
  const { subscription } = await client.call('/services/platforms/v1/subscriptions/get', {
    id: subscriptionId,
  })
  assert.deepEqual([subscription.status, subscription.checkout_session_id], ['trialing', null])
  assert.equal(stripe.sessions.size, 1)
  const again = await upgrade()
  assert.deepEqual([again.status, again.body.data.session_id], [200, [...stripe.sessions.keys()][0]])
  assert.equal(stripe.sessions.size, 1)
})
