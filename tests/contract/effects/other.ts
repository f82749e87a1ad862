import assert from 'node:assert/strict'
import { TOTP } from 'otpauth'
import { addRecoveryCodes } from '#identity/accounts.ts'
import { invoicing } from '../../invoice.ts'
import { createMaster } from '../../master.ts'
import { post } from '../../post.ts'
import { password, startTestService, type TestService, testTotpSecret } from '../../service.ts'
import { createTrial } from '../../subscription.ts'
import { createTheme } from '../../themes.ts'
import { attempt, call, type Effects, scene, service, statusOf, template } from './world.ts'

const identity = '/services/identity/v1'
const subscriptions = '/services/platforms/v1/subscriptions'
const versions = '/services/websites/v1/themes/versions'
const nobody = { token: '' }

export const signIn = ({ email }: { email: string }, input: object = {}) =>
  call(nobody, '/v1/authenticate', { email, password, ...input })

/** Somebody with two-factor authentication and recovery codes, who signs in with the first of them. */
async function signedInWithCodes(codes: string[]) {
  const user = await service.addUser({ totpSecret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' })
  await addRecoveryCodes(service.db, user.id, codes)
  return signIn(user, { code: codes[0], is_recovery: true })
}

export const userEffects: Effects = {
  needs_code__regeneration: [
    'is true when the last recovery code was used',
    async () => {
      assert.equal((await signedInWithCodes(['aaaa-1111', 'bbbb-2222'])).needs_code__regeneration, false)
      assert.equal((await signedInWithCodes(['cccc-3333'])).needs_code__regeneration, true)
      assert.equal((await signIn(await service.addUser())).needs_code__regeneration, false)
    },
  ],
  warn_message: [
    'says how many recovery codes are left if they are few',
    async () => {
      const codes = ['dddd-1111', 'dddd-2222', 'dddd-3333', 'dddd-4444']
      assert.equal((await signedInWithCodes(codes)).warn_message, '')
      assert.equal((await signedInWithCodes(codes.slice(1))).warn_message, '2 recovery codes left.')
      assert.equal(
        (await signedInWithCodes(codes.slice(3))).warn_message,
        'No recovery codes are left; make new ones.',
      )
    },
  ],
  token: [
    'is the Bearer token of other calls, until the session is revoked',
    async () => {
      const { token, id } = await signIn(await service.addUser())
      assert.equal((await call({ token }, `${identity}/users/me`)).user.id, id)
      await call({ token }, `${identity}/sessions/revoke-all`)
      assert.equal(await statusOf({ token }, `${identity}/users/me`), 401)
    },
  ],
  language: [
    'is what the person chose with users/update, and the language of messages; null before',
    async () => {
      const user = await service.addUser()
      assert.equal((await signIn(user)).language, null)
      for (const [language, refusal] of [
        ['de', 'Diese Aktion ist nicht erlaubt.'],
        ['en', 'This action is unauthorized.'],
        [null, 'This action is unauthorized.'],
      ] as const) {
        await call(user, `${identity}/users/update`, { language })
        assert.equal((await signIn(user)).language, language)
        assert.equal((await attempt(user, 'admin/master-boards/list')).body.message, refusal)
      }
    },
  ],
  id: [
    'names the person as author and assignee',
    async () => {
      const { member, addCard } = await scene()
      const { id } = await signIn(member)
      const card = await addCard({ owner_id: id })
      assert.deepEqual([card.owner_id, card.created_by], [id, id])
    },
  ],
  name: [
    'is the name that others see',
    async () => {
      const { member, viewer } = await scene()
      const { id, name } = await signIn(member)
      const { members } = await call(viewer, `${identity}/members/list`)
      assert.equal(members.find((one: { user_id: number }) => one.user_id === id).name, name)
    },
  ],
  email: [
    'is what the person signs in with, in any case',
    async () => {
      const user = await service.addUser()
      const other = await service.addUser()
      assert.equal((await signIn({ email: user.email.toUpperCase() })).email, user.email)
      assert.equal((await signIn(other)).email, other.email)
    },
  ],
  superadmin: [
    'opens templates',
    async () => {
      for (const superadmin of [true, false]) {
        const code = superadmin && { code: new TOTP({ secret: testTotpSecret }).generate() }
        const signedIn = await signIn(await service.addUser({ superadmin }), { ...code })
        assert.equal(signedIn.superadmin, superadmin)
        assert.equal(await statusOf(signedIn, 'admin/master-boards/list'), superadmin ? 200 : 403)
      }
    },
  ],
  superadmin_billing: [
    'lets a superadmin start trials',
    async () => {
      for (const superadminBilling of [true, false]) {
        const projectId = await service.addProject()
        const code = new TOTP({ secret: testTotpSecret }).generate()
        const signedIn = await signIn(await service.addUser({ superadmin: true, superadminBilling }), {
          code,
        })
        assert.equal(signedIn.superadmin_billing, superadminBilling)
        const status = await statusOf(
          signedIn,
          `${subscriptions}/start-trial`,
          { product: 'website' },
          { 'x-project-id': String(projectId) },
        )
        assert.equal(status, superadminBilling ? 201 : 403)
      }
    },
  ],
  enable_ai: [
    'is what superadmins set with users/set-ai',
    async () => {
      const user = await service.addUser()
      const superadmin = await service.addUser({ superadmin: true })
      assert.equal((await signIn(user)).enable_ai, false)
      for (const enable_ai of [true, false]) {
        assert.equal(await statusOf(user, `${identity}/users/set-ai`, { id: user.id, enable_ai }), 403)
        await call(superadmin, `${identity}/users/set-ai`, { id: user.id, enable_ai })
        assert.equal((await signIn(user)).enable_ai, enable_ai)
        assert.equal((await call(user, `${identity}/users/me`)).user.enable_ai, enable_ai)
      }
    },
  ],
}

const invoices = await startTestService(invoicing)
const wanted = { plan: 'pro', period: 'month', product: 'website' }

async function upgrade(at: TestService = service) {
  const { owner, subscriptionId } = await createTrial(at)
  const ask = async () =>
    (
      await post<{ checkout_url: string; session_id: string | null; subscription_id: number }>(
        at,
        `${subscriptions}/upgrade-trial`,
        owner.token,
        wanted,
      )
    ).body.data
  const get = async () => (await call(owner, `${subscriptions}/get`, { id: subscriptionId })).subscription
  return { ask, get, owner, subscriptionId }
}

const pay = (url: string) =>
  fetch(url, {
    method: 'POST',
    body: new URLSearchParams({ number: '4242 4242 4242 4242', expiry: '12/49', code: '123' }),
    redirect: 'manual',
  })

export const checkoutEffects: Effects = {
  checkout_url: [
    'opens a page where the plan is paid for, the same until then',
    async () => {
      const { ask, get } = await upgrade()
      const { checkout_url } = await ask()
      assert.equal((await ask()).checkout_url, checkout_url)
      const page = await fetch(checkout_url)
      assert.deepEqual([page.status, (await page.text()).includes('Website Pro')], [200, true])
      assert.equal((await get()).status, 'trialing')
      await pay(checkout_url)
      assert.equal((await get()).status, 'active')
    },
  ],
  session_id: [
    'is the session at the payment provider, and null for payment by invoice',
    async () => {
      const { ask, get } = await upgrade()
      const { session_id } = await ask()
      assert.equal((await get()).checkout_session_id, session_id)
      assert.match(session_id ?? '', /^sandbox_/)
      assert.equal((await (await upgrade(invoices)).ask()).session_id, null)
    },
  ],
  subscription_id: [
    'is the subscription that becomes active when it is paid for',
    async () => {
      const { ask, subscriptionId, owner } = await upgrade()
      const { subscription_id, checkout_url } = await ask()
      assert.equal(subscription_id, subscriptionId)
      await pay(checkout_url)
      const { subscription } = await call(owner, `${subscriptions}/get`, { id: subscription_id })
      assert.deepEqual([subscription.status, subscription.plan], ['active', 'pro'])
    },
  ],
}

export const versionEffects: Effects = {
  version_id: [
    'is the version, as text',
    async () => {
      const { addVersion, members } = await createTheme(service)
      const ids = [await addVersion('approved'), await addVersion('approved')]
      for (const version_id of ids) {
        const answer = await call(members.admin, `${versions}/deprecate`, { version_id })
        assert.equal(answer.version_id, String(version_id))
      }
    },
  ],
  theme_status: [
    'deprecated: no project can choose the version, and projects that use it keep it',
    async () => {
      const { addVersion, members } = await createTheme(service)
      const other = await createTheme(service)
      const version_id = await addVersion('published')
      await call(members.admin, `${versions}/choose`, { version_id })
      const { theme_status } = await call(members.admin, `${versions}/deprecate`, { version_id })
      assert.equal(theme_status, 'deprecated')
      assert.equal(await statusOf(other.members.admin, `${versions}/choose`, { version_id }), 400)
      const { version } = await call(members.admin, `${versions}/chosen`)
      assert.deepEqual([version.version_id, version.theme_status], [version_id, 'deprecated'])
    },
  ],
}

export const syncEffects: Effects = {
  synced_count: [
    'counts the projects that are now up to date, without projects that deleted their copy',
    async () => {
      const { sync, projects, copyIn } = await createMaster(service, { projects: 2 })
      assert.equal((await sync()).synced_count, 2)
      const [first] = projects as [(typeof projects)[number]]
      await call(first.user, 'boards/delete', { id: (await copyIn(first)).id })
      assert.equal((await sync()).synced_count, 1)
    },
  ],
  skipped_no_access: [
    'counts the projects without access, whose copies stay as they are',
    async () => {
      const { sync, projects, admin, cardIds } = await createMaster(service, { projects: 2 })
      const before = (await sync()).skipped_no_access
      const { sql } = service.db
      await sql`update projects set tool_keys = '[]' where id = ${projects[0]?.id as number}`
      await admin.call('/services/operations/v1/admin/master-cards/update', {
        id: cardIds[0] as number,
        title: 'Changed',
      })
      const { synced_count, skipped_no_access } = await sync()
      assert.deepEqual([synced_count, skipped_no_access], [1, before + 1])
      const rows =
        await sql`select title from cards where project_id = ${projects[0]?.id as number} order by id`
      assert.deepEqual(
        rows.map(({ title }) => title),
        ['Card 1', 'Card 2'],
      )
    },
  ],
}

export const pushEffects: Effects = {
  projects_updated: [
    'counts the projects that the change reached: one project that lacks it, none the second time',
    async () => {
      const { superadmin, card, change } = await template()
      const push = async () =>
        (await call(superadmin, 'admin/master-cards/push', { card_id: card.id })).projects_updated
      assert.equal(await push(), '0')
      await change({ title: 'Changed' })
      assert.deepEqual([await push(), await push()], ['1', '0'])
    },
  ],
}

export const tourEffects: Effects = {
  dismissed_count: [
    'counts the cards that were hidden by this call',
    async () => {
      const { admin, addCard, sync } = await template({ tour_key: 'first' })
      await addCard({ tour_key: 'second' })
      await addCard()
      await sync()
      const dismiss = async () => (await call(admin, 'tour/cards/dismiss-all')).dismissed_count
      assert.deepEqual([await dismiss(), await dismiss()], [2, 0])
      await call(admin, 'tour/cards/restore-all')
      assert.equal(await dismiss(), 2)
    },
  ],
}
