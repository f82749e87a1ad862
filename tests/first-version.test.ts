// The typed client calls v2, so these operations would never be seen at v1; every answer is held to the declaration there.
import assert from 'node:assert/strict'
import test from 'node:test'
import { Secret, TOTP } from 'otpauth'
import { addSetupLink } from '#identity/setup.ts'
import { newInvitationSecret } from '#projects/invitation/invitation.ts'
import { createAuthenticator } from './authenticator.ts'
import { createMaster, present } from './master.ts'
import { post } from './post.ts'
import { password, startTestService } from './service.ts'
import { createTrial } from './subscription.ts'
import { createTheme } from './themes.ts'

const service = await startTestService()
const identity = '/services/identity/v1'
const admin = '/services/operations/v1/admin'

/** The data of a success at v1. */
async function dataOf<Data>(path: string, token: string, input: object = {}, success = 200): Promise<Data> {
  const { status, text, body } = await post<Data>(service, path, token, input)
  assert.equal(status, success, text)
  return body.data
}

test('200 setup/status and setup/check at v1, before anybody has an account', async () => {
  const token = await addSetupLink(service.db)
  assert.deepEqual(await dataOf(`${identity}/setup/status`, ''), { is_set_up: false, has_link: true })
  await dataOf(`${identity}/setup/check`, '', { token })
})

test('200 second-factor at v1: begun, confirmed, new codes, warning dismissed, disabled', async () => {
  const { token } = await service.addUser()
  const folder = `${identity}/second-factor`
  const { secret } = await dataOf<{ secret: string }>(`${folder}/begin`, token, { password })
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate()
  type Codes = { recovery_codes: string[] }
  const first = await dataOf<Codes>(`${folder}/confirm`, token, { code })
  const recovery = { password, code: first.recovery_codes[0], is_recovery: true }
  const second = await dataOf<Codes>(`${folder}/regenerate-codes`, token, recovery)
  assert.equal(new Set([...first.recovery_codes, ...second.recovery_codes]).size, 20)
  await dataOf(`${folder}/dismiss-warning`, token)
  const [recoveryCode] = second.recovery_codes
  await dataOf(`${folder}/disable`, token, { password, code: recoveryCode, is_recovery: true })
  const { user } = await service.client(token).call(`${identity}/users/me`)
  assert.equal(user.second_factor, false)
})

test('200 sessions/list and sessions/revoke-all at v1', async () => {
  const { token, email } = await service.addUser()
  await service.client().call('/v1/authenticate', { email, password })
  const { sessions } = await dataOf<{ sessions: object[] }>(`${identity}/sessions/list`, token)
  assert.deepEqual(sessions, (await service.client(token).call(`${identity}/sessions/list`)).sessions)
  assert.equal(sessions.length, 2)
  assert.deepEqual(await dataOf(`${identity}/sessions/revoke-all`, token, { keep_current: true }), {
    revoked_count: 1,
  })
})

test('201 projects/create and 200 projects/list at v1', async () => {
  const { token } = await service.addUser({ superadmin: true })
  const name = 'Made at v1'
  const { project } = await dataOf<{ project: object }>(`${identity}/projects/create`, token, { name }, 201)
  const { projects } = await dataOf<{ projects: object[] }>(`${identity}/projects/list`, token, {
    query: name,
  })
  assert.deepEqual(projects, [{ ...project, archived_at: null }])
})

test('200 master-cards/move, rollouts/list, get, retry and cancel at v1', async () => {
  const { boardId, cardIds, projects, superadmin, sync } = await createMaster(service)
  const { token } = superadmin
  const moved = { id: present(cardIds[1]), position: 1 }
  const { card } = await dataOf<{ card: object }>(`${admin}/master-cards/move`, token, moved)
  assert.partialDeepStrictEqual(card, moved)
  const { sql } = service.db
  await sql.unsafe(`alter table boards add constraint refused check (title <> 'Launch') not valid`)
  await sync()
  await sql`alter table boards drop constraint refused`
  type Rollout = { id: number; status: string; counts: { failed: number; changed: number } }
  const { rollouts } = await dataOf<{ rollouts: Rollout[] }>(`${admin}/rollouts/list`, token, {
    board_id: boardId,
  })
  const { id, counts } = present(rollouts[0])
  assert.equal(counts.failed, projects.length)
  const { rollout } = await dataOf<{ rollout: Rollout }>(`${admin}/rollouts/get`, token, { id })
  assert.deepEqual(rollout, rollouts[0])
  const { rollout: resumed } = await dataOf<{ rollout: Rollout }>(`${admin}/rollouts/retry`, token, { id })
  assert.deepEqual([resumed.status, resumed.counts.changed], ['done', projects.length])
  await sql`update rollouts set status = 'running', finished_at = null where id = ${id}`
  const { rollout: canceled } = await dataOf<{ rollout: Rollout }>(`${admin}/rollouts/cancel`, token, { id })
  assert.match(canceled.status, /^cancel/)
})

test('200 passkeys at v1: added, renamed, used to sign in and to confirm, removed', async () => {
  const { id: userId, token } = await service.addUser()
  const folder = `${identity}/passkeys`
  const authenticator = createAuthenticator()
  const site = { origin: service.url.replace('127.0.0.1', 'localhost'), relyingParty: 'localhost' }
  type Begun = { challenge: string }
  type Passkey = { id: number; name: string }
  const begun = await dataOf<Begun>(`${folder}/begin-adding`, token)
  const made = { name: 'Phone', ...authenticator.create({ ...site, ...begun }) }
  const { passkey } = await dataOf<{ passkey: Passkey }>(`${folder}/add`, token, made, 201)
  const renaming = { id: passkey.id, name: 'Laptop' }
  assert.equal(
    (await dataOf<{ passkey: Passkey }>(`${folder}/rename`, token, renaming)).passkey.name,
    'Laptop',
  )
  const use = async () =>
    authenticator.use({ ...site, ...(await dataOf<Begun>(`${folder}/begin-sign-in`, '')) })
  const signedIn = await dataOf<{ token: string; user_id: number }>(`${folder}/sign-in`, '', await use())
  assert.equal(signedIn.user_id, userId)
  await dataOf(`${folder}/confirm`, signedIn.token, await use())
  const { passkeys } = await dataOf<{ passkeys: Passkey[] }>(`${folder}/list`, signedIn.token)
  assert.deepEqual(
    passkeys.map(({ id }) => id),
    [passkey.id],
  )
  await dataOf(`${folder}/remove`, signedIn.token, { id: passkey.id })
})

test('200 and 201 an invited person makes a passkey and an account with it at v1', async () => {
  const projectId = await service.addProject()
  const owner = await service.addUser({ roles: { [projectId]: 'owner' } })
  const { secret, hash } = newInvitationSecret(projectId)
  await service.db.sql`
    insert into invitations (project_id, email, role, token_hash, invited_by, expires_at)
    values (${projectId}, 'first@version.test', 'member', ${hash}, ${owner.id}, now() + interval '1 day')`
  const person = { token: secret, name: 'Ada' }
  const folder = `${identity}/invitations`
  const { challenge } = await dataOf<{ challenge: string }>(`${folder}/begin-passkey`, '', person)
  const site = { origin: service.url.replace('127.0.0.1', 'localhost'), relyingParty: 'localhost' }
  const made = createAuthenticator().create({ ...site, challenge })
  const input = { ...person, passkey_name: 'Phone', ...made }
  type SignedUp = { project_id: number }
  const joined = await dataOf<SignedUp>(`${folder}/sign-up-with-passkey`, '', input, 201)
  assert.equal(joined.project_id, projectId)
})

test('200 plans/list and subscriptions/extend-trial at v1', async () => {
  const platforms = '/services/platforms/v1'
  const { owner, client, subscriptionId } = await createTrial(service)
  const { token } = await service.addUser({ superadmin: true })
  const plans = await dataOf(`${platforms}/plans/list`, owner.token)
  const { contact_url: _onlyInV2, ...inBoth } = await client.call(`${platforms}/plans/list`)
  assert.deepEqual(plans, inBoth)
  type Extended = { subscription: { trial_ends_at: string } }
  const { subscription } = await dataOf<Extended>(`${platforms}/subscriptions/extend-trial`, token, {
    id: subscriptionId,
    days: 10,
  })
  const { subscriptions } = await client.call(`${platforms}/subscriptions/list`)
  assert.deepEqual(
    [subscription.trial_ends_at],
    subscriptions.map((one) => one.trial_ends_at),
  )
})

test('200 versions/approve and versions/reject at v1', async () => {
  const { reviewer, addVersion } = await createTheme(service)
  for (const [action, status] of [
    ['approve', 'approved'],
    ['reject', 'rejected'],
  ] as const) {
    const input = { version_id: await addVersion('pending'), reason: 'Too dark.' }
    type Reviewed = { version: { approval_status: string } }
    const path = `/services/websites/v1/themes/versions/${action}`
    assert.equal((await dataOf<Reviewed>(path, reviewer.token, input)).version.approval_status, status)
  }
})
