import assert from 'node:assert/strict'
import test from 'node:test'
import { newInvitationSecret } from '#projects/invitation/invitation.ts'
import { usualQuotas } from '#quotas/quotas.ts'
import { createAuthenticator } from '#tests/authenticator.ts'
import { startTestService } from '#tests/service.ts'

const service = await startTestService({ quotas: { ...usualQuotas, membersPerProject: 3 } })
const base = '/services/identity/v1/invitations'
const passkeys = '/services/identity/v1/passkeys'
const site = { origin: service.url.replace('127.0.0.1', 'localhost'), relyingParty: 'localhost' }
const person = { name: 'Ada Lovelace', language: 'de' as const, passkey_name: 'Phone' }
let number = 0

async function invited(projectId?: number, email = `passkey${++number}@example.test`) {
  const joined = projectId ?? (await service.addProject())
  const inviter = await service.addUser({ roles: projectId === undefined ? { [joined]: 'owner' } : {} })
  const { secret: token, hash } = newInvitationSecret(joined)
  await service.db.sql`
    insert into invitations (project_id, email, role, token_hash, invited_by, expires_at)
    values (${joined}, ${email}, 'member', ${hash}, ${inviter.id}, now() + interval '1 day')`
  return { projectId: joined, email, token }
}

const begin = (token: string) => service.client().call(`${base}/begin-passkey`, { token, name: person.name })
const signUp = (token: string, made: ReturnType<ReturnType<typeof createAuthenticator>['create']>) =>
  service.client().attempt(`${base}/sign-up-with-passkey`, { ...person, token, ...made })

const codeOf = (answer: { ok: boolean; status: number; code?: string }) => [answer.status, answer.code]
const isKnown = async (email: string) =>
  (await service.db.sql`select from users where email = ${email}`).length > 0

test('201 an invited person makes a passkey and joins; it signs in alone, counts as two factors, and the account has no password', async () => {
  const { projectId, email, token } = await invited()
  const begun = await begin(token)
  assert.deepEqual(
    [begun.user_name, begun.user_display_name, begun.relying_party, begun.present_credentials],
    [email, person.name, 'localhost', []],
  )
  const authenticator = createAuthenticator()
  const answer = await signUp(token, authenticator.create({ ...site, challenge: begun.challenge }))
  assert.ok(answer.ok, JSON.stringify(answer))
  assert.equal(answer.data.project_id, projectId)
  const client = service.client(answer.data.token)
  const { user, current_project } = await client.call('/services/identity/v1/users/me')
  assert.deepEqual(
    [user.email, user.name, user.language, user.has_password, current_project?.id],
    [email, person.name, 'de', false, projectId],
  )
  const { passkeys: added } = await client.call(`${passkeys}/list`)
  assert.deepEqual(
    added.map(({ name }) => name),
    ['Phone'],
  )
  const [session] = await service.db.sql<{ second_factor: boolean; passkey_id: number }[]>`
    select second_factor, passkey_id from sessions where user_id = ${answer.data.user_id}`
  assert.deepEqual({ ...session }, { second_factor: true, passkey_id: added[0]?.id })
  const kinds = await service.db.sql<{ kind: string }[]>`
    select kind from audit_entries where account_id = ${answer.data.user_id} order by id`
  assert.deepEqual(
    kinds.map(({ kind }) => kind),
    ['user.added', 'passkey.added', 'member.added', 'sign_in.succeeded'],
  )
  const { challenge } = await service.client().call(`${passkeys}/begin-sign-in`)
  const again = await service
    .client()
    .attempt(`${passkeys}/sign-in`, authenticator.use({ ...site, challenge }))
  assert.ok(again.ok)
  assert.equal(again.data.user_id, answer.data.user_id)
})

test('400 a challenge of another invitation, of a session, or of another site: no account is created', async () => {
  const { email, token } = await invited()
  const other = await begin((await invited()).token)
  const user = await service.addUser()
  const ofSession = await service.client(user.token).call(`${passkeys}/begin-adding`)
  const own = await begin(token)
  for (const ceremony of [
    { ...site, challenge: other.challenge },
    { ...site, challenge: ofSession.challenge },
    { ...site, challenge: own.challenge, origin: 'https://evil.test' },
    { ...site, challenge: own.challenge, isVerified: false },
  ])
    assert.deepEqual(codeOf(await signUp(token, createAuthenticator().create(ceremony))), [
      400,
      'passkey_not_accepted',
    ])
  assert.equal(await isKnown(email), false)
})

test('400 a passkey that belongs to an account: no account is created, and the invitation still works', async () => {
  const authenticator = createAuthenticator()
  const first = await invited()
  const made = authenticator.create({ ...site, challenge: (await begin(first.token)).challenge })
  assert.ok((await signUp(first.token, made)).ok)
  const second = await invited()
  const same = authenticator.create({ ...site, challenge: (await begin(second.token)).challenge })
  assert.deepEqual(codeOf(await signUp(second.token, same)), [400, 'passkey_known'])
  assert.equal(await isKnown(second.email), false)
  const { challenge } = await begin(second.token)
  assert.ok((await signUp(second.token, createAuthenticator().create({ ...site, challenge }))).ok)
})

test('201 for one of two who use the link at the same time', async () => {
  const { token } = await invited()
  const begun = await Promise.all([begin(token), begin(token)])
  const answers = await Promise.all(
    begun.map(({ challenge }) => signUp(token, createAuthenticator().create({ ...site, challenge }))),
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 400])
})

/** What the link of an invitation is refused with, by both operations. */
const refusals = async (token: string) => {
  const made = createAuthenticator().create({ ...site, challenge: 'a'.repeat(72) })
  const begun = await service.client().attempt(`${base}/begin-passkey`, { token, name: 'Ada' })
  return [codeOf(begun), codeOf(await signUp(token, made))]
}

const twice = (...refusal: [number, string]) => [refusal, refusal]

test('400 and 404 a link that is expired, revoked, used, unknown or of an archived project, and an address that has an account', async () => {
  const { sql } = service.db
  const expired = await invited()
  await sql`update invitations set expires_at = now() where email = ${expired.email}`
  assert.deepEqual(await refusals(expired.token), twice(400, 'invitation_expired'))
  const revoked = await invited()
  await sql`update invitations set revoked_at = now() where email = ${revoked.email}`
  assert.deepEqual(await refusals(revoked.token), twice(400, 'invitation_revoked'))
  const used = await invited()
  await sql`update invitations set accepted_at = now() where email = ${used.email}`
  assert.deepEqual(await refusals(used.token), twice(400, 'invitation_used'))
  const archived = await invited()
  await sql`update projects set archived_at = now() where id = ${archived.projectId}`
  assert.deepEqual(await refusals(archived.token), twice(400, 'invitation_archived'))
  assert.deepEqual(await refusals('1.nonsense'), twice(404, 'invitation_not_found'))
  const { email } = await service.addUser()
  const known = await invited(undefined, email.toUpperCase())
  assert.deepEqual(await refusals(known.token), twice(400, 'account_exists'))
})

test('422 for a name that is reserved for the support of Cardinal: no account is created', async () => {
  const { email, token } = await invited()
  const { challenge } = await begin(token)
  const made = createAuthenticator().create({ ...site, challenge })
  const input = { ...person, name: 'Cardinal support', token, ...made }
  const refused = await service.client().attempt(`${base}/sign-up-with-passkey`, input)
  assert.deepEqual([...codeOf(refused), await isKnown(email)], [422, 'name_reserved', false])
})

test('400 in a project that has as many members as it can have: no account is created', async () => {
  const { projectId } = await invited()
  for (let count = 0; count < 2; count++) await service.addUser({ roles: { [projectId]: 'member' } })
  const { email, token } = await invited(projectId)
  const { challenge } = await begin(token)
  const full = await signUp(token, createAuthenticator().create({ ...site, challenge }))
  assert.deepEqual([...codeOf(full), await isKnown(email)], [400, 'limit_reached', false])
})

test('400 where passkeys cannot work', async () => {
  const elsewhere = await startTestService({ publicUrl: 'https://192.0.2.7' }, service.address)
  const nobody = elsewhere.client()
  const made = createAuthenticator().create({ ...site, challenge: 'a'.repeat(72) })
  const answers = [
    await nobody.attempt(`${base}/begin-passkey`, { token: '1.nonsense', name: 'Ada' }),
    await nobody.attempt(`${base}/sign-up-with-passkey`, { ...person, token: '1.nonsense', ...made }),
  ]
  assert.deepEqual(answers.map(codeOf), twice(400, 'passkeys_unavailable'))
  await elsewhere.stop()
})
