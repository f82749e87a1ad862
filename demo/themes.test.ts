import assert from 'node:assert/strict'
import test from 'node:test'
import { startTestService } from '#tests/service.ts'
import { demoPassword } from './accounts.ts'
import { seedDemo } from './seed.ts'

const versions = '/services/websites/v1/themes/versions'
const service = await startTestService()
await seedDemo(service.db)

async function signedIn(email: string) {
  const { token } = await service.client().call('/v1/authenticate', { email, password: demoPassword })
  return service.client(token)
}

test('the demo has a theme version in every stage of the review, and projects that use one', async () => {
  const owner = await signedIn('owner@acme.test')
  const acme = (await owner.call(`${versions}/list`)).versions
  assert.deepEqual(
    acme.map((one) => [one.theme_name, one.version, one.theme_status, one.approval_status]),
    [
      ['Aurora', '2.0', 'draft', 'pending'],
      ['Aurora', '1.0', 'published', 'approved'],
      ['Aurora', '0.9', 'draft', 'rejected'],
    ],
  )
  assert.ok(acme[2]?.rejection_reason)
  const [, aurora] = acme
  const superadmin = await signedIn('superadmin@cardinal.test')
  const usage = await superadmin.call(`${versions}/usage`, { version_id: aurora?.version_id as number })
  assert.deepEqual(
    usage.projects.slice(0, 2).map(({ project_name: name }) => name),
    ['Acme', 'Cedar'],
  )
})

test('the demo lets the superadmin review, and Blue choose', async () => {
  const superadmin = await signedIn('superadmin@cardinal.test')
  const { versions: waiting } = await superadmin.call(`${versions}/list`, { approval_status: 'pending' })
  assert.deepEqual(
    waiting.map(({ version }) => version),
    ['1.1', '2.0'],
  )
  await superadmin.call(`${versions}/approve`, { version_id: waiting[0]?.version_id as number })
  const blue = await signedIn('owner@blue.test')
  const offered = (await blue.call(`${versions}/browse`)).versions
  assert.deepEqual(
    offered.map((one) => [one.theme_name, one.version]),
    [
      ['Daybreak', '2.0'],
      ['Borealis', '1.0'],
      ['Aurora', '1.0'],
    ],
  )
  await blue.call(`${versions}/choose`, { version_id: offered[2]?.version_id as number })
})
