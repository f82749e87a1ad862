import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import test from 'node:test'
import { setPassword } from '#identity/accounts.ts'
import { usualQuotas } from '#quotas/quotas.ts'
import { type Claims, followToReturn, type Spoil, startIdentityProvider } from '#tests/identity-provider.ts'
import { waitingForLocks } from '#tests/lock-waits.ts'
import { within } from '#tests/process.ts'
import { password, recordedLog, startTestService } from '#tests/service.ts'

const publicUrl = 'http://localhost:3000'
const returnTo = `${publicUrl}/single-sign-on`
const provider = await startIdentityProvider({ redirectUris: [returnTo] })
const plain = await startTestService()
const projectId = await plain.addProject('Staff project')
const otherProjectId = await plain.addProject('Leads project')
const { log, lines } = recordedLog()
const service = await startTestService(
  {
    publicUrl,
    singleSignOn: {
      ...provider.settings,
      members: [
        { value: 'staff', projectId, role: 'member' },
        { value: 'leads', projectId: otherProjectId, role: 'admin' },
        { value: 'gone', projectId: 999_999, role: 'member' },
      ],
    },
  },
  plain.address,
  log,
)
const base = '/services/identity/v1/single-sign-on'

const newPerson = (claims: Partial<Claims> = {}): Claims => {
  const sub = randomUUID()
  return {
    sub,
    email: `${sub}@example.test`,
    email_verified: true,
    name: 'Noor Haddad',
    groups: ['staff'],
    ...claims,
  }
}

const cookieIn = (response: Response) =>
  response.headers.getSetCookie().find((cookie) => cookie.startsWith('__Host-cardinal-sign-on='))

/** Begins in a browser, and goes to the provider as this person. */
async function comeBack(person: Claims, { spoil, denies = false }: { spoil?: Spoil; denies?: boolean } = {}) {
  const begun = await service.fetch(`${base}/begin`, { method: 'POST' })
  const { data } = (await begun.json()) as { data: { url: string } }
  const cookie = cookieIn(begun)?.split(';')[0] ?? ''
  Object.assign(provider.state, { person, denies })
  const url = await followToReturn(data.url, returnTo)
  provider.state.spoil = spoil
  const input = Object.fromEntries(
    ['state', 'code', 'iss', 'error'].map((name) => [name, url.searchParams.get(name)]),
  )
  return { cookie, input: input as { state: string; code: string | null } }
}

/** By the first version of the API unless `at` is another. */
async function complete({ cookie, input }: { cookie: string; input: object }, at = base) {
  const response = await service.fetch(`${at}/complete`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(cookie !== '' && { cookie }) },
    body: JSON.stringify(input),
  })
  provider.state.spoil = undefined
  const { data } = (await response.json()) as {
    data: { token: string; user_id: number; link_token: string | null; email: string }
  }
  return { status: response.status, code: response.headers.get('x-error-code'), data, response }
}

const signOn = async (person: Claims, options?: Parameters<typeof comeBack>[1]) =>
  complete(await comeBack(person, options))

const me = (token: string) => service.client(token).call('/services/identity/v1/users/me')

const rolesOf = async (token: string) =>
  (await me(token)).memberships.map(({ project_name: name, role }) => [name, role])

test('200 a new person gets an account without a password, and is a member by the claim; the second time it is the same account', async () => {
  const person = newPerson({ groups: ['staff', 'leads', 'gone', 'others'] })
  const first = await signOn(person)
  assert.equal(first.status, 200)
  const { user } = await me(first.data.token)
  assert.deepEqual([user.name, user.email, user.has_password], ['Noor Haddad', person.email, false])
  assert.deepEqual(await rolesOf(first.data.token), [
    ['Leads project', 'admin'],
    ['Staff project', 'member'],
  ])
  const { url } = await service.client().call(`${base}/begin`)
  assert.equal(new URL(url).origin, provider.issuer)
  const returned = await comeBack({ ...person, email: 'renamed@example.test' })
  const second = await complete(returned, base.replace('/v1/', '/v2/'))
  assert.deepEqual([second.status, second.data.user_id], [200, first.data.user_id])
  const entries = await plain.db.sql<{ kind: string }[]>`
    select kind from audit_entries where account_id = ${user.id} order by id`
  assert.deepEqual(
    entries.map(({ kind }) => kind),
    ['user.added', 'member.added', 'member.added', 'sign_in.succeeded', 'sign_in.succeeded'],
  )
  assert.match(cookieIn(first.response) ?? '', /Max-Age=0/)
})

test('200 others sign in while new people wait to join a project that is being changed', async () => {
  const { email } = await plain.addUser()
  const returned: Awaited<ReturnType<typeof comeBack>>[] = []
  for (let count = 0; count < 4; count++) returned.push(await comeBack(newPerson()))
  const { joining } = await plain.db.transaction(async ({ sql }) => {
    await sql`select lock_project(${projectId})`
    const joining = Promise.all(returned.map((one) => complete(one)))
    await waitingForLocks(plain.db, 2)
    await within(5_000, service.client().call('/v1/authenticate', { email, password }))
    return { joining }
  })
  assert.deepEqual(
    (await joining).map(({ status }) => status),
    [200, 200, 200, 200],
  )
})

test('200 a name has the characters that other names may have', async () => {
  const name = `Noor\0\r\nBcc: eve@evil.example\u001b\ud800${'😀'.repeat(300)}`
  const { status, data } = await signOn(newPerson({ name }))
  assert.equal(status, 200)
  const { user } = await me(data.token)
  assert.ok(user.name.startsWith('Noor Bcc: eve@evil.example \ufffd😀'), user.name)
  assert.deepEqual([[...user.name].length, user.name.isWellFormed()], [255, true])
})

test('200 who is called like the support of Cardinal at the provider, or invisibly, has their address as name', async () => {
  for (const name of ['Cardinal support', '\u200b \u3164']) {
    const person = newPerson({ name })
    const { data } = await signOn(person)
    assert.equal((await me(data.token)).user.name, person.email)
  }
})

test('401 somebody without a password cannot sign in or confirm with one', async () => {
  const person = newPerson()
  const { data } = await signOn(person)
  const answer = await service.client().attempt('/v1/authenticate', { email: person.email ?? '', password })
  assert.deepEqual([answer.status, answer.ok || answer.code], [401, 'wrong_credentials'])
  const confirming = await service
    .client(data.token)
    .attempt('/services/identity/v1/password/confirm', { password })
  assert.deepEqual([confirming.status, confirming.ok || confirming.code], [422, 'password_incorrect'])
})

test('a claim adds memberships later, and leaves a role that somebody has', async () => {
  const person = newPerson()
  const { data } = await signOn(person)
  await plain.db.sql`
    update memberships set role = 'owner' where project_id = ${projectId} and user_id = ${data.user_id}`
  await signOn({ ...person, groups: ['staff', 'leads'] })
  assert.deepEqual(await rolesOf(data.token), [
    ['Leads project', 'admin'],
    ['Staff project', 'owner'],
  ])
})

test('403 a person without an account whom no claim makes a member', async () => {
  const person = newPerson({ groups: ['others', 'gone'] })
  const refused = await signOn(person)
  assert.deepEqual([refused.status, refused.code], [403, 'no_access'])
  assert.deepEqual((await plain.db.sql`select from users where email = ${person.email ?? ''}`).length, 0)
})

test('an account with the same address is opened only after its owner has confirmed it', async () => {
  const owner = await plain.addUser({ roles: { [projectId]: 'viewer' } })
  const person = newPerson({ email: owner.email.toUpperCase() })
  const offered = await signOn(person)
  assert.deepEqual([offered.status, offered.data.token, offered.data.user_id], [200, '', null])
  const token = offered.data.link_token ?? ''
  const link = (by: string, withToken = token) =>
    service.client(by).attempt(`${base}/link`, { token: withToken })
  const codeOf = async (answer: ReturnType<typeof link>) => {
    const { status, ...rest } = await answer
    return [status, 'code' in rest ? rest.code : undefined]
  }
  const stranger = await plain.addUser()
  assert.deepEqual(await codeOf(link(stranger.token)), [403, 'other_account'])
  assert.deepEqual(await codeOf(link(owner.token, 'cardinal_none')), [404, 'sign_on_link_not_found'])
  const age = (minutes: number) => plain.db.sql`
    update sessions set password_at = now() - make_interval(mins => ${minutes}) where user_id = ${owner.id}`
  await age(20)
  assert.deepEqual(await codeOf(link(owner.token)), [403, 'password_confirmation_required'])
  await age(0)
  assert.deepEqual(await codeOf(link(owner.token)), [200, undefined])
  assert.deepEqual(await codeOf(link(owner.token)), [404, 'sign_on_link_not_found'])
  const signedOn = await signOn(person)
  assert.equal(signedOn.data.user_id, owner.id)
  assert.deepEqual(await rolesOf(signedOn.data.token), [['Staff project', 'viewer']])
  const mails = await plain.db.sql`select from mails where kind = 'sign_on' and to_address = ${owner.email}`
  assert.equal(mails.length, 1)
})

test('200 linking at v1', async () => {
  const owner = await plain.addUser()
  const { data } = await signOn(newPerson({ email: owner.email }))
  const response = await service.fetch(`${base}/link`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${owner.token}` },
    body: JSON.stringify({ token: data.link_token }),
  })
  assert.equal(response.status, 200)
})

test('200 an account is unlinked: single sign-on no longer opens it, and its owner is told', async () => {
  const owner = await plain.addUser()
  const person = newPerson({ email: owner.email })
  const offered = await signOn(person)
  const client = service.client(owner.token)
  await client.call(`${base}/link`, { token: offered.data.link_token ?? '' })
  const { providers } = await client.call(`${base}/list`)
  assert.deepEqual(
    providers.map(({ issuer }) => issuer),
    [provider.settings.issuer],
  )
  const unlink = async (issuer: string) => {
    const { status, ...rest } = await client.attempt(`${base}/unlink`, { issuer })
    return [status, 'code' in rest ? rest.code : undefined]
  }
  assert.deepEqual(await unlink('https://elsewhere.test'), [404, 'provider_not_linked'])
  const age = (minutes: number) => plain.db.sql`
    update sessions set password_at = now() - make_interval(mins => ${minutes}) where user_id = ${owner.id}`
  await age(20)
  assert.deepEqual(await unlink(provider.settings.issuer), [403, 'password_confirmation_required'])
  await age(0)
  assert.deepEqual(await unlink(provider.settings.issuer), [200, undefined])
  assert.deepEqual(await client.call(`${base}/list`), { providers: [] })
  assert.equal((await signOn(person)).data.user_id, null)
  const told = await plain.db.sql<{ change: string }[]>`
    select content ->> 'change' as change from mails where kind = 'sign_on' and to_address = ${owner.email} order by id`
  assert.deepEqual(
    told.map(({ change }) => change),
    ['linked', 'unlinked'],
  )
})

test('400 the only way to sign in cannot be unlinked; with a passkey or a password it can, also at v1', async () => {
  const { data } = await signOn(newPerson())
  const send = (path: string, input: object = {}) =>
    service.fetch(`${base}/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${data.token}` },
      body: JSON.stringify(input),
    })
  const { issuer } = provider.settings
  const refused = await send('unlink', { issuer })
  assert.deepEqual([refused.status, refused.headers.get('x-error-code')], [400, 'only_way_in'])
  assert.equal((await send('list')).status, 200)
  await plain.db.sql`
    insert into passkeys (user_id, credential, public_key, counter, name, is_synced)
    values (${data.user_id}, '\\x01', '\\x01', 0, 'Phone', false)`
  assert.equal((await send('unlink', { issuer })).status, 200)
})

test('404 an offer to link expires', async () => {
  const owner = await plain.addUser()
  const { data } = await signOn(newPerson({ email: owner.email }))
  await plain.db.sql`update sign_on_links set expires_at = now() - interval '1 second'`
  const answer = await service.client(owner.token).attempt(`${base}/link`, { token: data.link_token ?? '' })
  assert.equal(answer.status, 404)
})

test('403 a disabled account, and one with two-factor authentication unless the provider asked for two factors', async () => {
  const person = newPerson()
  const { data } = await signOn(person)
  await plain.db
    .sql`update users set totp_secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' where id = ${data.user_id}`
  const single = await signOn(person)
  assert.deepEqual([single.status, single.code], [403, 'second_factor_required'])
  const multiple = await signOn(
    { ...person, amr: ['pwd', 'mfa'] },
    { spoil: { claims: { amr: ['pwd', 'mfa'] } } },
  )
  assert.equal(multiple.status, 200)
  await plain.db.sql`update users set disabled_at = now() where id = ${data.user_id}`
  const disabled = await signOn(person)
  assert.deepEqual([disabled.status, disabled.code], [403, 'account_disabled'])
})

const tomorrow = Math.floor(Date.now() / 1000) + 86_400
const spoiled: Record<string, [Spoil, string]> = {
  'another issuer': [{ claims: { iss: 'https://other.example' } }, 'wrong_issuer'],
  'another audience': [{ claims: { aud: 'another-application' } }, 'wrong_audience'],
  'another nonce': [{ claims: { nonce: 'another' } }, 'wrong_nonce'],
  'no nonce': [{ claims: { nonce: undefined } }, 'token_invalid'],
  'an expired token': [{ claims: { iat: tomorrow - 200_000, exp: tomorrow - 190_000 } }, 'token_expired'],
  'another signature': [{ isForged: true }, 'token_invalid'],
}

for (const [situation, [spoil, code]] of Object.entries(spoiled))
  test(`401 ${situation} is refused, recorded and logged`, async () => {
    lines.length = 0
    const refused = await signOn(newPerson(), { spoil })
    assert.deepEqual([refused.status, refused.code], [401, code])
    assert.ok(lines.some((line) => line.includes(`"refusal":"${code}"`)))
    const [entry] = await plain.db.sql<{ details: object }[]>`
      select details from audit_entries where kind = 'sign_in.failed' order by id desc limit 1`
    assert.deepEqual(entry?.details, { reason: code })
    assert.doesNotMatch(lines.join(''), /id_token|eyJ/)
  })

test('403 an address that is not verified, none at all, and one of another domain', async () => {
  const cases: [Partial<Claims>, string][] = [
    [{ email_verified: false }, 'address_unverified'],
    [{ email_verified: 'true' as unknown as boolean }, 'address_unverified'],
    [{ email: undefined as unknown as string }, 'address_unverified'],
    [{ email: 'eve@evil.example,noor@example.test' }, 'address_unverified'],
    [{ email: 'noor\0@example.test' }, 'address_unverified'],
    [{ email: `${'n'.repeat(250)}@example.test` }, 'address_unverified'],
    [{ email: 'noor@example.test.evil.example' }, 'domain_not_allowed'],
    [{ email: 'noor@sub.example.test' }, 'domain_not_allowed'],
  ]
  for (const [claims, code] of cases) {
    const refused = await signOn(newPerson(claims))
    assert.deepEqual([refused.status, refused.code], [403, code])
  }
})

test('403 an address that the provider has not verified opens no account and offers no link, wherever it says so', async () => {
  const victim = await plain.addUser({ roles: { [projectId]: 'owner' } })
  const { email } = victim
  const attacker = newPerson()
  const cases: [Partial<Claims>, Spoil | undefined][] = [
    [{ email, email_verified: false }, undefined],
    [{ email, email_verified: undefined as unknown as boolean }, undefined],
    [{ email, email_verified: 1 as unknown as boolean }, undefined],
    [{ email: email.toUpperCase(), email_verified: false }, undefined],
    // What the token says counts for its own address only, and what userinfo says for the one there.
    [{ email: 'own@example.test' }, { claims: { email, email_verified: undefined } }],
    [{ email: 'own@example.test' }, { claims: { email, email_verified: false } }],
    [{ email, email_verified: false }, { claims: { email: undefined, email_verified: true } }],
    [
      { email, email_verified: undefined as unknown as boolean },
      { claims: { email: undefined, email_verified: true } },
    ],
  ]
  const traces = async () => {
    const [found] = await plain.db.sql<{ links: number; identities: number; sessions: number }[]>`
      select (select count(*) from sign_on_links where lower(email) = lower(${email})) as links,
        (select count(*) from sign_on_identities where subject = ${attacker.sub} or user_id = ${victim.id}) as identities,
        (select count(*) from sessions where user_id = ${victim.id}) as sessions`
    return found
  }
  for (const [claims, spoil] of cases) {
    const refused = await signOn({ ...attacker, ...claims }, spoil && { spoil })
    assert.deepEqual([refused.status, refused.code], [403, 'address_unverified'])
  }
  assert.deepEqual(await traces(), { links: 0, identities: 0, sessions: 1 })

  // A person who is linked already is refused as well, once their address is no longer verified.
  const known = newPerson()
  assert.equal((await signOn(known)).status, 200)
  const revoked = await signOn({ ...known, email_verified: false })
  assert.deepEqual([revoked.status, revoked.code], [403, 'address_unverified'])
})

test('403 a person without an account whose address would count as that of somebody else', async () => {
  const person = newPerson()
  const email = `\u0130${person.email}`
  const refused = await signOn({ ...person, email })
  assert.deepEqual([refused.status, refused.code], [403, 'mistakable_letter'])
  assert.equal((await plain.db.sql`select from users where lower(email) = lower(${email})`).length, 0)
})

test('401 a token without a signature, by the secret of the client, for several applications, or of another issuer by the address', async () => {
  const refusals: [Spoil, string][] = [
    [{ algorithm: 'none' }, 'token_invalid'],
    [{ algorithm: 'HS256' }, 'token_invalid'],
    [{ claims: { aud: ['cardinal', 'another-application'] } }, 'wrong_audience'],
    [{ claims: { aud: ['cardinal', 'another-application'], azp: 'another-application' } }, 'wrong_audience'],
  ]
  for (const [spoil, code] of refusals) {
    const refused = await signOn(newPerson(), { spoil })
    assert.deepEqual([refused.status, refused.code], [401, code], JSON.stringify(spoil))
  }
  const returned = await comeBack(newPerson())
  const mixedUp = await complete({ ...returned, input: { ...returned.input, iss: 'https://other.example' } })
  assert.deepEqual([mixedUp.status, mixedUp.code], [401, 'token_invalid'])
  const withoutIssuer = await comeBack(newPerson())
  const hidden = await complete({ ...withoutIssuer, input: { ...withoutIssuer.input, iss: null } })
  assert.equal(hidden.status, 401)
})

test('401 a subject that is too long or cannot be stored', async () => {
  for (const sub of ['x'.repeat(256), 'x\0']) {
    const refused = await signOn(newPerson(), { spoil: { claims: { sub } } })
    assert.deepEqual([refused.status, refused.code], [401, 'token_invalid'])
  }
})

test('401 a code that was used before, and one of another attempt', async () => {
  const returned = await comeBack(newPerson())
  assert.equal((await complete(returned)).status, 200)
  const replayed = await complete(returned)
  assert.deepEqual([replayed.status, replayed.code], [401, 'code_refused'])
  const [mine, theirs] = [await comeBack(newPerson()), await comeBack(newPerson())]
  // Signing somebody in to an account that is not theirs needs the cookie of their browser.
  const foreign = await complete({ cookie: theirs.cookie, input: mine.input })
  assert.deepEqual([foreign.status, foreign.code], [401, 'attempt_unknown'])
  const without = await complete({ cookie: '', input: mine.input })
  assert.deepEqual([without.status, without.code], [401, 'attempt_unknown'])
  // The verifier of PKCE belongs to the attempt as well.
  const mixed = await complete({ cookie: theirs.cookie, input: { ...theirs.input, code: mine.input.code } })
  assert.deepEqual([mixed.status, mixed.code], [401, 'code_refused'])
})

test('401 the person or the provider says no', async () => {
  const refused = await signOn(newPerson(), { denies: true })
  assert.deepEqual([refused.status, refused.code], [401, 'denied_by_provider'])
})

test('500 a provider that does not respond', async () => {
  const singleSignOn = { ...provider.settings, issuer: 'http://127.0.0.1:9' }
  const cut = await startTestService({ publicUrl, singleSignOn }, plain.address)
  const answer = await cut.client().attempt(`${base}/begin`)
  assert.deepEqual([answer.status, answer.ok || answer.code], [500, 'identity_provider_failed'])
  // Began before the provider went away.
  const { cookie, input } = await comeBack(newPerson())
  const response = await cut.fetch(`${base}/complete`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie },
    body: JSON.stringify(input),
  })
  assert.deepEqual([response.status, response.headers.get('x-error-code')], [500, 'identity_provider_failed'])
})

test('400 without an identity provider', async () => {
  for (const answer of [
    await plain.client().attempt(`${base}/begin`),
    await plain.client().attempt(`${base}/complete`, { state: 'x' }),
  ])
    assert.deepEqual([answer.status, answer.ok || answer.code], [400, 'single_sign_on_off'])
  const status = '/services/identity/v1/setup/status'
  assert.equal((await plain.client().call(status)).single_sign_on, null)
  assert.equal((await service.client().call(status)).single_sign_on, 'Example ID')
})

test('400 a project that is full', async () => {
  const quotas = { ...usualQuotas, membersPerProject: 1 }
  const fullId = await plain.addProject('Full')
  await plain.addUser({ roles: { [fullId]: 'owner' } })
  const members = [{ value: 'staff', projectId: fullId, role: 'member' as const }]
  const full = await startTestService(
    { publicUrl, quotas, singleSignOn: { ...provider.settings, members } },
    plain.address,
  )
  const { cookie, input } = await comeBack(newPerson())
  const response = await full.fetch(`${base}/complete`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie },
    body: JSON.stringify(input),
  })
  assert.deepEqual([response.status, response.headers.get('x-error-code')], [400, 'limit_reached'])
})

test('401 the session has ended while its person linked or unlinked the account', async () => {
  const owner = await plain.addUser()
  const { data } = await signOn(newPerson({ email: owner.email }))
  const linking = await plain.db.transaction(async (queries) => {
    await queries.sql`select from users where id = ${owner.id} for update`
    const client = service.client(owner.token)
    const link = client.attempt(`${base}/link`, { token: data.link_token ?? '' })
    const unlink = client.attempt(`${base}/unlink`, { issuer: provider.settings.issuer })
    await waitingForLocks(plain.db, 2)
    await setPassword(queries, owner.id, '')
    return { link, unlink }
  })
  assert.deepEqual([(await linking.link).status, (await linking.unlink).status], [401, 401])
})

test('nobody becomes a member of an archived project by a claim, until it is back', async () => {
  const setArchived = (isArchived: boolean) =>
    plain.db
      .sql`update projects set archived_at = case when ${isArchived} then now() end where id = ${otherProjectId}`
  await setArchived(true)
  const leader = newPerson({ groups: ['leads'] })
  assert.equal((await signOn(leader)).code, 'no_access')
  const person = newPerson({ groups: ['staff', 'leads'] })
  const { data } = await signOn(person)
  assert.deepEqual(await rolesOf(data.token), [['Staff project', 'member']])
  await setArchived(false)
  await signOn(person)
  assert.deepEqual(await rolesOf(data.token), [
    ['Leads project', 'admin'],
    ['Staff project', 'member'],
  ])
})
