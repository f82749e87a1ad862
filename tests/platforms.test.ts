// Every operation as a superadmin of another platform: nothing is changed, and nothing of the platform is shown.
import assert from 'node:assert/strict'
import test, { afterEach } from 'node:test'
import { operations } from '#api/registry.ts'
import type { Description } from '#contract/operation.ts'
import { addPlatform } from '#projects/platform.ts'
import { invoicing } from './invoice.ts'
import { createMaster } from './master.ts'
import { sender } from './post.ts'
import { startTestService } from './service.ts'
import { createThings, idFields, inputOf, keepDatabase, nameOf, requiredOf, withForeign } from './things.ts'

const service = await startTestService({ ...invoicing, inbox: false, figures: false })
const billing = '/services/platforms/v1'
const me = '/services/identity/v1/users/me'

/** In every name of the first platform, so that an answer shows whether it tells something of it. */
const secret = 'Quillwort'
const { sql } = service.db
const home = (await sql<{ id: number }[]>`update platforms set name = ${secret} returning id`)[0]
  ?.id as number
const other = (await addPlatform(service.db, 'Other')) as number

const strangersProject = await service.addProject('Elsewhere', [], other)
const stranger = await service.addUser({
  superadmin: true,
  platformId: other,
  roles: { [strangersProject]: 'owner' },
})
const superadmin = await service.addUser({ superadmin: true, platformId: home })

// A change in the own project beforehand, because its first one is stored as its first version.
await service.client(stranger.token).call('/services/operations/v1/operations/tags/create', { name: 'x' })

/** Why a superadmin of the platform is refused; only somebody who may act there learns it. */
const otherReasons = [
  'not_a_member',
  'not_your_comment',
  'already_subscribed',
  'superadmin_not_found',
  'second_factor_off',
  'rollout_ended',
  'rollout_complete',
  'rollout_begun',
  'rollout_not_active',
  'rollout_not_paused',
  'rollout_not_waiting',
  'rollout_changed_nothing',
  // Nobody matches what the example asks for.
  'filters_empty',
  'tool_key_unknown_product',
  'stages_empty',
  // The project is not among those of the rollout.
  'project_id_not_found',
  'nothing_to_publish',
  'campaign_not_found',
  // The project has another name than the one that confirms it.
  'name_not_its_name',
]

/** A template, a project with one of each thing, and an open order, all on the first platform. */
async function createPlatformThings() {
  const master = await createMaster(service, { projects: 0, cards: 2, title: secret, platformId: home })
  const { projectId, user, things } = await createThings(service, master, { name: secret, platformId: home })
  await sql`update projects set name = ${secret} where id = ${projectId}`
  await sql`update users set name = ${secret} where id = ${user.id}`
  return { projectId, user, things }
}

async function placeOrder(owner: { token: string }) {
  const client = service.client(owner.token)
  const input = { product: 'website', plan: 'pro', period: 'year' } as const
  await client.call(`${billing}/subscriptions/upgrade-trial`, input)
  const { orders } = await client.call(`${billing}/orders/list`)
  return orders[0] as (typeof orders)[number]
}

const isAboutOneself = ({ audience, path }: Description) =>
  audience === 'public' ||
  (audience === 'signed in' && path !== me && !/\/(projects|platforms)\/list$/.test(path))

/** Operations that name no thing and answer with what the caller's own platforms have. */
const isOfOwnPlatforms = ({ path, on }: Description) =>
  on === 'project or all' ||
  /\/(projects|platforms|labels|audiences|master-boards|rollouts|admin\/trash)\/list$|orders\/list-open$|overview\/get(-age)?$|campaigns\/list$|subscriptions\/(list-all|summarize)$/.test(
    path,
  )

const tested = operations.filter((one) => !isAboutOneself(one))
const { projectId, user, things } = await createPlatformThings()
const ownMaster = await createMaster(service, { projects: 0, cards: 2, platformId: other })
const own = await createThings(service, ownMaster, { platformId: other })
const { contents, assertUnchanged, bringBack } = await keepDatabase(service)
afterEach(bringBack)

for (const operation of tested)
  test(`${operation.path} as a superadmin of another platform`, async () => {
    const here = { 'x-project-id': String(projectId) }
    const isOnThing = typeof operation.on === 'object' || operation.on === 'platform'
    const order = operation.path.includes('/orders/') ? await placeOrder(user) : undefined
    const paid = operation.path.endsWith('/book-payment') && {
      reference: order?.reference,
      amount: order?.amount,
    }
    const named = operation.on === 'project' ? requiredOf : inputOf
    const input = { ...named(operation, things), ...paid }
    const send = sender(service, stranger.token, operation.path)
    const before = await contents()
    const isSentWithout = isOnThing || (operation.on === undefined && operation.path !== me)
    for (const headers of [here, ...(isSentWithout ? [{}] : [])]) {
      const { status, text } = await send('', input, headers)
      assert.ok(!text.includes(secret), text)
      const allowed = isOfOwnPlatforms(operation) ? [200] : [403, 404]
      assert.ok(allowed.includes(status), text)
    }
    await assertUnchanged(before)
    // A superadmin of this platform is accepted, so the platform was the reason for the refusal.
    const accepted = await sender(service, superadmin.token, operation.path)('', input, here)
    const isForOtherReason = otherReasons.includes(accepted.headers.get('x-error-code') as string)
    assert.ok(isForOtherReason || accepted.status === operation.success, accepted.text)
  })

for (const operation of tested)
  for (const field of idFields(operation.input))
    test(`${operation.path}: ${field} of another platform, everything else of the own`, async () => {
      const id = things[nameOf(operation, field).thing]
      const headers = { 'x-project-id': String(own.projectId) }
      const send = sender(service, stranger.token, operation.path)
      const before = await contents()
      for (const input of withForeign(inputOf(operation, own.things), field, id)) {
        const { status, text } = await send('', input, headers)
        assert.ok(!text.includes(secret), text)
        const allowed = isOfOwnPlatforms(operation) ? [200] : [403, 404, 422]
        assert.ok(allowed.includes(status), text)
      }
      await assertUnchanged(before)
    })
