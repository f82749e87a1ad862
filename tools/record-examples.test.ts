import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import test from 'node:test'
import { readConfig } from '#config.ts'
import { startTestService } from '#tests/service.ts'
import { seedDemo } from '../demo/seed.ts'
import { exampleSettings, runExamples } from './record-examples.ts'

const { signUp } = readConfig(exampleSettings)
const service = await startTestService({ signUp })

/** Their examples say why. */
const cannotSucceed = [
  '/services/identity/v1/invitations/accept',
  '/services/identity/v1/invitations/begin-passkey',
  '/services/identity/v1/invitations/look-up',
  '/services/identity/v1/invitations/sign-up-with-passkey',
  '/services/identity/v1/invitations/sign-up',
  '/services/identity/v1/passkeys/add',
  '/services/identity/v1/passkeys/confirm',
  '/services/identity/v1/passkeys/remove',
  '/services/identity/v1/passkeys/rename',
  '/services/identity/v1/passkeys/sign-in',
  '/services/identity/v1/password/check-reset',
  '/services/identity/v1/password/reset',
  '/services/identity/v1/setup/check',
  '/services/identity/v1/setup/complete',
  '/services/identity/v1/sign-up/check',
  '/services/identity/v1/sign-up/complete',
  '/services/identity/v1/single-sign-on/begin',
  '/services/identity/v1/single-sign-on/complete',
  '/services/identity/v1/single-sign-on/link',
  '/services/identity/v1/single-sign-on/unlink',
  '/services/identity/v1/users/confirm-email',
  '/services/operations/v1/admin/rollouts/apply',
  '/services/operations/v1/admin/rollouts/cancel',
  '/services/operations/v1/admin/rollouts/discard',
  '/services/operations/v1/admin/rollouts/pause',
  '/services/operations/v1/admin/rollouts/resume',
  '/services/operations/v1/admin/rollouts/start-next-stage',
  '/services/platforms/v1/orders/book-payment',
  // The next examples need the campaign.
  '/services/websites/v1/themes/campaigns/end',
]

test('the examples of the reference succeed in its order on a fresh demo, with the values it shows', async () => {
  await seedDemo(service.db, { isSmall: true })
  const shown = JSON.parse(await readFile(new URL('../docs/examples.json', import.meta.url), 'utf8'))
  const recorded = await runExamples(service.fetch)
  assert.deepEqual(recorded, shown)
  const refused = Object.keys(recorded).filter((path) => recorded[path]?.refusal)
  assert.deepEqual(refused, cannotSucceed)
})
