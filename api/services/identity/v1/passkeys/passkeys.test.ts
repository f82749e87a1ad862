import assert from 'node:assert/strict'
import test from 'node:test'
import { setPassword } from '#identity/accounts.ts'
import { createAuthenticator } from '#tests/authenticator.ts'
import { waitingForLocks } from '#tests/lock-waits.ts'
import { startTestService, type TestUser } from '#tests/service.ts'
import { sweepExpired } from '../../../../../jobs/sweep-expired.ts'

const service = await startTestService()
const base = '/services/identity/v1/passkeys'
const origin = service.url.replace('127.0.0.1', 'localhost')

type Authenticator = ReturnType<typeof createAuthenticator>

/** A new passkey in the account of the user. */
async function addTo(user: Pick<TestUser, 'token'>, authenticator = createAuthenticator(), name = 'Phone') {
  const client = service.client(user.token)
  const { challenge, relying_party: relyingParty } = await client.call(`${base}/begin-adding`)
  const made = authenticator.create({ challenge, origin, relyingParty })
  const { passkey } = await client.call(`${base}/add`, { name, ...made })
  return { authenticator, passkey }
}

const begin = async () => {
  const { challenge, relying_party: relyingParty } = await service.client().call(`${base}/begin-sign-in`)
  return { challenge, relyingParty, origin }
}

const signIn = async (authenticator: Authenticator) =>
  service.client().attempt(`${base}/sign-in`, authenticator.use(await begin()))

const codeOf = async (attempt: Promise<{ ok: boolean; status: number; code?: string }>) => {
  const { status, code } = await attempt
  return [status, code]
}

async function entriesOf(userId: number, kind: string) {
  const rows = await service.db.sql<{ details: object }[]>`
    select details from audit_entries where account_id = ${userId} and kind = ${kind} order by id`
  return rows.map(({ details }) => details)
}

const mailsOf = ({ email }: TestUser) => service.db.sql<{ change: string; name: string }[]>`
  select content ->> 'change' as change, content ->> 'name' as name from mails
  where kind = 'passkey' and to_address = ${email} order by id`

/** As if the person had signed in an hour ago. */
const age = (user: TestUser) => service.db.sql`
  update sessions set password_at = now() - interval '1 hour' where user_id = ${user.id}`

test('200 a passkey alone signs in, counts as two factors and shows when it was used; its owner is told', async () => {
  const user = await service.addUser()
  const { authenticator, passkey } = await addTo(user)
  assert.equal(passkey.last_used_at, null)
  const signedIn = await signIn(authenticator)
  assert.ok(signedIn.ok)
  assert.equal(signedIn.data.user_id, user.id)
  const client = service.client(signedIn.data.token)
  const { passkeys } = await client.call(`${base}/list`)
  assert.deepEqual([passkeys.length, passkeys[0]?.name, passkeys[0]?.is_synced], [1, 'Phone', false])
  assert.ok(Date.parse(passkeys[0]?.last_used_at ?? '') > Date.now() - 60_000)
  const { sessions } = await client.call('/services/identity/v1/sessions/list')
  assert.equal(sessions.find((session) => session.is_current)?.second_factor, true)
  assert.deepEqual(await entriesOf(user.id, 'sign_in.succeeded'), [{ factor: 'passkey' }])
  assert.deepEqual(await entriesOf(user.id, 'passkey.added'), [{ name: 'Phone' }])
  assert.deepEqual(
    (await mailsOf(user)).map((mail) => ({ ...mail })),
    [{ change: 'added', name: 'Phone' }],
  )
})

test('200 an authenticator that does not count signs in again and again', async () => {
  const { authenticator } = await addTo(await service.addUser(), createAuthenticator({ counts: false }))
  assert.ok((await signIn(authenticator)).ok)
  assert.ok((await signIn(authenticator)).ok)
})

test('a superadmin has their rights in a session of a passkey, until the passkey is removed', async () => {
  const user = await service.addUser({ superadmin: true, totpSecret: null })
  const { authenticator, passkey } = await addTo(user)
  const reads = (token: string) =>
    service.client(token).attempt('/services/operations/v1/admin/master-boards/list')
  assert.equal((await reads(user.token)).status, 403)
  const signedIn = await signIn(authenticator)
  assert.ok(signedIn.ok)
  const { token } = signedIn.data
  assert.equal((await reads(token)).status, 200)
  await service.client(token).call(`${base}/remove`, { id: passkey.id })
  const refused = await reads(token)
  assert.deepEqual([refused.status, refused.ok || refused.code], [403, 'second_factor_setup_required'])
})

test('a session of a passkey stays one after a change of the password', async () => {
  const user = await service.addUser({ superadmin: true, totpSecret: null })
  const { authenticator } = await addTo(user)
  const signedIn = await signIn(authenticator)
  assert.ok(signedIn.ok)
  const { token } = await service.client(signedIn.data.token).call('/services/identity/v1/password/change', {
    current_password: 'demo-password',
    new_password: 'tall oaks hum at noon',
  })
  const answer = await service.client(token).attempt('/services/operations/v1/admin/master-boards/list')
  assert.equal(answer.status, 200)
})

test('401 what was signed before is not accepted again, also not twice at once', async () => {
  const user = await service.addUser()
  const { authenticator } = await addTo(user, createAuthenticator({ counts: false }))
  const assertion = authenticator.use(await begin())
  const send = () => service.client().attempt(`${base}/sign-in`, assertion)
  const answers = await Promise.all([send(), send(), send()])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 401, 401])
  assert.deepEqual(await codeOf(send()), [401, 'passkey_not_accepted'])
  assert.deepEqual(
    await entriesOf(user.id, 'sign_in.failed'),
    Array(3).fill({ reason: 'passkey_not_accepted' }),
  )
})

const wrongs: Record<string, (right: Awaited<ReturnType<typeof begin>>) => object> = {
  'another page': (right) => ({ ...right, origin: 'https://evil.example' }),
  'another site': (right) => ({ ...right, relyingParty: 'evil.example' }),
  'a person who was not verified': (right) => ({ ...right, isVerified: false }),
  'a challenge of their own': (right) => ({ ...right, challenge: Buffer.alloc(54, 7).toString('base64url') }),
  'no challenge': (right) => ({ ...right, challenge: '' }),
}

for (const [situation, change] of Object.entries(wrongs))
  test(`401 a signature for ${situation} is not accepted`, async () => {
    const { authenticator } = await addTo(await service.addUser())
    const ceremony = change(await begin()) as Awaited<ReturnType<typeof begin>>
    const answer = service.client().attempt(`${base}/sign-in`, authenticator.use(ceremony))
    assert.deepEqual(await codeOf(answer), [401, 'passkey_not_accepted'])
  })

test('401 a wrong signature, bytes that mean nothing, and a copied authenticator whose counter goes back are not accepted', async () => {
  const { authenticator } = await addTo(await service.addUser())
  const right = authenticator.use(await begin())
  const stranger = createAuthenticator().use(await begin())
  const garbage = 'not base64url at all \u2603'
  for (const wrong of [
    { signature: stranger.signature },
    { authenticator_data: garbage },
    { client_data: 'e30' },
  ]) {
    const answer = service.client().attempt(`${base}/sign-in`, { ...right, ...wrong })
    assert.deepEqual(await codeOf(answer), [401, 'passkey_not_accepted'])
  }
  await service.db
    .sql`update passkeys set counter = 1000 where credential = ${Buffer.from(right.credential, 'base64url')}`
  assert.deepEqual(await codeOf(signIn(authenticator)), [401, 'passkey_not_accepted'])
})

test('401 a challenge to sign in expires; used ones are forgotten after that', async () => {
  const { authenticator } = await addTo(await service.addUser())
  const ceremony = await begin()
  const aside = new Date(Date.now() + 6 * 60_000)
  const now = Date.now
  Date.now = () => aside.getTime()
  try {
    const late = service.client().attempt(`${base}/sign-in`, authenticator.use(ceremony))
    assert.deepEqual(await codeOf(late), [401, 'passkey_not_accepted'])
  } finally {
    Date.now = now
  }
  assert.ok((await signIn(authenticator)).ok)
  const count = async () => (await service.db.sql`select from used_challenges`).length
  const before = await count()
  await sweepExpired(service.db)
  assert.equal(await count(), before)
  await service.db.sql`update used_challenges set expires_at = now() - interval '2 hours'`
  await sweepExpired(service.db)
  assert.equal(await count(), 0)
})

test('401 a passkey that nobody has, and 429 after many of them from one address; known passkeys still work', async () => {
  const { authenticator } = await addTo(await service.addUser())
  for (let attempt = 0; attempt < 10; attempt++)
    assert.deepEqual(await codeOf(signIn(createAuthenticator())), [401, 'passkey_unknown'])
  assert.deepEqual(await codeOf(signIn(createAuthenticator())), [429, 'too_many_attempts'])
  assert.ok((await signIn(authenticator)).ok)
  await service.db.sql`delete from sign_in_attempts`
})

test('403 a disabled account', async () => {
  const user = await service.addUser()
  const { authenticator } = await addTo(user)
  await service.db.sql`update users set disabled_at = now() where id = ${user.id}`
  assert.deepEqual(await codeOf(signIn(authenticator)), [403, 'account_disabled'])
})

test('400 a new passkey is not accepted with a challenge of another session, of a sign-in, or one that was used', async () => {
  const [user, other] = [await service.addUser(), await service.addUser()]
  const client = service.client(user.token)
  const add = (challenge: string, authenticator = createAuthenticator()) =>
    codeOf(
      client.attempt(`${base}/add`, {
        name: 'Phone',
        ...authenticator.create({ challenge, origin, relyingParty: 'localhost' }),
      }),
    )
  const refused = [400, 'passkey_not_accepted']
  assert.deepEqual(await add((await begin()).challenge), refused)
  const foreign = await service.client(other.token).call(`${base}/begin-adding`)
  assert.deepEqual(await add(foreign.challenge), refused)
  const { challenge } = await client.call(`${base}/begin-adding`)
  const authenticator = createAuthenticator()
  assert.deepEqual(await add(challenge, authenticator), [201, undefined])
  assert.deepEqual(await add(challenge), refused)
  const again = await client.call(`${base}/begin-adding`)
  assert.equal(again.present_credentials.length, 1)
  assert.deepEqual(await add(again.challenge, authenticator), [400, 'passkey_known'])
})

test('400 an account has at most 20 passkeys', async () => {
  const user = await service.addUser()
  for (let number = 1; number <= 20; number++) await addTo(user, createAuthenticator(), `Key ${number}`)
  const client = service.client(user.token)
  const { challenge } = await client.call(`${base}/begin-adding`)
  const made = createAuthenticator().create({ challenge, origin, relyingParty: 'localhost' })
  const answer = client.attempt(`${base}/add`, { name: 'One more', ...made })
  assert.deepEqual(await codeOf(answer), [400, 'too_many_passkeys'])
})

test('403 adding and removing need a recent sign-in; the passkey itself confirms it', async () => {
  const user = await service.addUser()
  const { authenticator, passkey } = await addTo(user)
  const client = service.client(user.token)
  await age(user)
  const unconfirmed = [403, 'password_confirmation_required']
  assert.deepEqual(await codeOf(client.attempt(`${base}/begin-adding`)), unconfirmed)
  assert.deepEqual(await codeOf(client.attempt(`${base}/remove`, { id: passkey.id })), unconfirmed)
  const { authenticator: foreign } = await addTo(await service.addUser())
  const refused = client.attempt(`${base}/confirm`, foreign.use(await begin()))
  assert.deepEqual(await codeOf(refused), [400, 'passkey_not_accepted'])
  await client.call(`${base}/confirm`, authenticator.use(await begin()))
  await client.call(`${base}/remove`, { id: passkey.id })
  assert.deepEqual(await client.call(`${base}/list`), { passkeys: [] })
  assert.deepEqual(await codeOf(signIn(authenticator)), [401, 'passkey_unknown'])
  assert.deepEqual(await entriesOf(user.id, 'passkey.removed'), [{ name: 'Phone' }])
  assert.deepEqual(
    (await mailsOf(user)).map(({ change }) => change),
    ['added', 'removed'],
  )
})

test('429 a signed-in person who confirms with wrong passkeys is slowed down', async () => {
  const user = await service.addUser()
  const { authenticator } = await addTo(user)
  const client = service.client(user.token)
  const wrong = { ...authenticator.use(await begin()), signature: 'AAAA' }
  for (let attempt = 0; attempt < 10; attempt++)
    assert.deepEqual(await codeOf(client.attempt(`${base}/confirm`, wrong)), [400, 'passkey_not_accepted'])
  assert.deepEqual(await codeOf(client.attempt(`${base}/confirm`, wrong)), [429, 'too_many_attempts'])
})

test('200 a passkey gets another name; 404 one of somebody else', async () => {
  const user = await service.addUser()
  const { passkey } = await addTo(user)
  const renamed = await service.client(user.token).call(`${base}/rename`, { id: passkey.id, name: 'Laptop' })
  assert.equal(renamed.passkey.name, 'Laptop')
  const other = service.client((await service.addUser()).token)
  for (const verb of ['rename', 'remove'] as const) {
    const answer = other.attempt(`${base}/${verb}`, { id: passkey.id, name: 'Mine' })
    assert.deepEqual(await codeOf(answer), [404, 'passkey_not_found'])
  }
})

test('401 the session has ended while its person added or removed a passkey', async () => {
  const user = await service.addUser()
  const { passkey } = await addTo(user)
  const client = service.client(user.token)
  const { challenge } = await client.call(`${base}/begin-adding`)
  const made = createAuthenticator().create({ challenge, origin, relyingParty: 'localhost' })
  // Both are past the check of the token and wait for the user.
  await service.db
    .transaction(async (queries) => {
      await queries.sql`select from users where id = ${user.id} for update`
      const adding = codeOf(client.attempt(`${base}/add`, { name: 'Late', ...made }))
      const removing = codeOf(client.attempt(`${base}/remove`, { id: passkey.id }))
      await waitingForLocks(service.db, 2)
      await setPassword(queries, user.id, '')
      return { adding, removing }
    })
    .then(async ({ adding, removing }) => {
      assert.deepEqual(await adding, [401, 'unauthenticated'])
      assert.deepEqual(await removing, [401, 'unauthenticated'])
    })
})

test('400 at an address where passkeys cannot work', async () => {
  for (const publicUrl of ['http://boards.example.com', 'https://192.0.2.7', 'https://[2001:db8::1]']) {
    const elsewhere = await startTestService({ publicUrl }, service.address)
    const user = await service.addUser()
    assert.equal((await elsewhere.client().call('/services/identity/v1/setup/status')).passkey_origin, null)
    const [known, nobody] = [elsewhere.client(user.token), elsewhere.client()]
    const made = createAuthenticator().create({ challenge: '', origin, relyingParty: 'localhost' })
    const used = createAuthenticator().use({ challenge: '', origin, relyingParty: 'localhost' })
    for (const answer of [
      nobody.attempt(`${base}/begin-sign-in`),
      nobody.attempt(`${base}/sign-in`, used),
      known.attempt(`${base}/begin-adding`),
      known.attempt(`${base}/add`, { name: 'Phone', ...made }),
      known.attempt(`${base}/confirm`, used),
    ])
      assert.deepEqual(await codeOf(answer), [400, 'passkeys_unavailable'])
    await elsewhere.stop()
  }
})

test('the site is the one of the public address, whatever a request calls the service', async () => {
  const elsewhere = await startTestService({ publicUrl: 'https://boards.example.com' }, service.address)
  const response = await elsewhere.fetch(`${base}/begin-sign-in`, {
    method: 'POST',
    headers: { host: 'cardinal.test' },
  })
  const { data } = (await response.json()) as { data: { relying_party: string } }
  assert.equal(data.relying_party, 'boards.example.com')
  const { passkey_origin: shown } = await elsewhere.client().call('/services/identity/v1/setup/status')
  assert.equal(shown, 'https://boards.example.com')
  assert.equal((await service.client().call('/services/identity/v1/setup/status')).passkey_origin, origin)
})
