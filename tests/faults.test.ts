// Lets every statement of every operation that changes something fail: the change is done as a whole, or not at all.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import test, { after as afterAll, type TestContext } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { operations } from '#api/registry.ts'
import { referenceOf } from '#billing/reference.ts'
import { readConfig } from '#config.ts'
import { connect, type Database } from '#database/connect.ts'
import { challengesOf } from '#identity/challenges.ts'
import { relyingPartyOf } from '#identity/relying-party.ts'
import { addSetupLink } from '#identity/setup.ts'
import { newToken, sha256 } from '#identity/tokens.ts'
import { verifyNew } from '#identity/verifying-passkey.ts'
import { type FoundInvitation, findInvitation, newInvitationSecret } from '#projects/invitation/invitation.ts'
import { effort } from '#tests/effort.ts'
import { seedDemo } from '../demo/seed.ts'
import { exampleSettings, runExamples } from '../tools/record-examples.ts'
import { createAuthenticator } from './authenticator.ts'
import { assertEventsTrue } from './events.ts'
import { type Fault, faultKinds, startFaultProxy } from './fault-proxy.ts'
import { followToReturn, startIdentityProvider } from './identity-provider.ts'
import { createTestDatabase } from './postgres.ts'
import { eventually } from './process.ts'
import { randomNumbers } from './random.ts'
import { startTestService, type TestService } from './service.ts'
import { bringBack, type Contents, type Difference, differenceOf, readContents } from './whole-database.ts'

const { signUp } = readConfig(exampleSettings)

const publicUrl = 'http://localhost:3000'
const returnTo = `${publicUrl}/single-sign-on`
const provider = await startIdentityProvider({ redirectUris: [returnTo] })

/** Keeps the job from running that sends mails, because what it does would be part of the change that is looked at. */
const holdMails = (sql: Database['sql']) =>
  eventually(async () =>
    assert.equal(
      (
        await sql`update jobs set run_at = 'infinity', attempts = 1 where kind = 'sendMails' and holder is null returning id`
      ).length,
      1,
    ),
  )

/** A service of its own, whose statements can fail. */
async function startPlace() {
  const database = await createTestDatabase()
  const proxy = await startFaultProxy(database.address)
  const service = await startTestService({ inbox: false, figures: false, signUp }, proxy.address)
  /** Not through the proxy. */
  const db = connect(database.address, { connections: 1 })
  await holdMails(db.sql)
  afterAll(async () => {
    await assertEventsTrue(db).finally(() => db.end())
    await proxy.stop()
    await database.drop()
  })
  let withProvider: Promise<TestService> | undefined
  /** Beside the service of the examples, which have no identity provider. Its people become members of Blue. */
  const startWithProvider = async () => {
    const members = [{ value: 'staff', projectId: await blueId(db.sql), role: 'member' as const }]
    const singleSignOn = { ...provider.settings, members }
    return startTestService({ inbox: false, figures: false, publicUrl, singleSignOn }, proxy.address)
  }
  return {
    proxy,
    service,
    withProvider: () => {
      withProvider ??= startWithProvider()
      return withProvider
    },
    db,
    sql: db.sql,
  }
}

type Place = Awaited<ReturnType<typeof startPlace>>

/** In the whole run most of the time is spent waiting, so several work at once, each on a part of the operations. */
const places = await Promise.all(Array.from({ length: effort > 1 ? 4 : 1 }, startPlace))

const below = randomNumbers('faults')

interface Call {
  path: string
  token?: string | undefined
  input: object
  /** The input with a code that is valid now, because the faults of an operation take minutes. */
  renew?: () => Promise<object>
  /** Of the place, unless it is another. */
  service?: TestService
  cookie?: string
}

/** The last two parts of a path. */
const nameOf = (path: string) => path.split('/').slice(-2).join('/')

const operationAt = (wanted: string) =>
  operations.find(({ path }) => path === wanted) as (typeof operations)[number]

async function post(place: Place, call: Call, key?: string) {
  const { path, token, input, renew, service = place.service, cookie } = call
  const response = await service.fetch(path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token && { authorization: `Bearer ${token}` }),
      ...(cookie && { cookie }),
      ...(key && { 'idempotency-key': key }),
    },
    body: JSON.stringify(key === undefined && renew ? await renew() : input),
    signal: AbortSignal.timeout(30_000),
  })
  const isReplay = response.headers.has('idempotency-replayed')
  return { response, status: response.status, text: await response.clone().text(), isReplay }
}

/**
 * Attempts are counted before the password is compared, and stay counted whatever happens then; so does the session's note that its user
 * knew the password. A rollout divides its projects anew when a statement takes too long.
 */
function changeIn(before: Contents, now: Contents): Difference {
  const {
    sign_in_attempts: _attempts,
    rollout_batches: _batches,
    sessions,
    ...change
  } = differenceOf(before, now)
  const isNote = sessions === undefined || isDeepStrictEqual(sessions, { lost: 1, gained: 1 })
  return isNote ? change : { ...change, sessions }
}

/** The state in which an example changes something that otherwise is refused or changes nothing. */
const scenes: Record<string, (call: Call, place: Place) => Promise<Call>> = {
  'projects/update': (call, { sql }) => after(call, sql`update projects set website_url = null`),
  'projects/leave-support': async (call, place) => {
    const { id: sessionId } = await sessionOf(call, place)
    const { id: projectId } = call.input as { id: number }
    const visit = place.sql`
      insert into support_visits (project_id, session_id, reason, may_change, ends_at)
      values (${projectId}, ${sessionId}, 'Ticket 4711', false, now() + interval '1 day') on conflict do nothing`
    return after(call, visit)
  },
  'cards/reset': (call, { sql }) =>
    after(call, sql`update cards set title = 'Ours' where master_card_id is not null`),
  'cards/take-updates': (call, { sql }) => after(call, sql`update cards set takes_updates = false`),
  'comments/mark-read': (call, { sql }) =>
    after(call, sql`update comments set user_id = 1, deleted_at = null`),
  'inbox/mark-read': (call, { sql }) => after(call, sql`update inbox_items set read_at = null`),
  'inbox/mark-card-read': (call, { sql }) =>
    after(
      call,
      sql`
        insert into inbox_items (project_id, user_id, reason, card_id)
        select c.project_id, u.id, 'due_soon', c.id from cards c, users u
        where c.title = 'Renew the certificate of the shop' and u.email = 'owner@acme.test' on conflict do nothing`,
    ),
  'versions/deprecate': (call, { sql }) =>
    after(
      call,
      sql`update theme_versions set theme_status = 'published', deprecated_at = null where theme_status = 'deprecated'`,
    ),
  'groups/restore-order': (call, { sql }) => after(call, sql`update cards set rank = -rank`),
  'groups/update': (call, { sql }) => after(call, sql`update groups set color = 'red'`),
  'invitations/accept': async (call, { sql }) => ({
    ...call,
    input: { token: await addInvitation(sql, 'member@acme.test') },
  }),
  'invitations/begin-passkey': async (call, { sql }) => ({
    ...call,
    input: { ...call.input, token: await addInvitation(sql, 'ada@example.com') },
  }),
  'invitations/sign-up-with-passkey': async (call, place) => {
    const token = await addInvitation(place.sql, 'ada@example.com')
    const { id } = (await findInvitation(place.db, token)) as FoundInvitation
    const challenge = await challengesOf(place.db).issue(`join by invitation ${id}`)
    const made = createAuthenticator().create(ceremonyOf(place, challenge))
    return { ...call, input: { ...call.input, token, ...made } }
  },
  'invitations/look-up': async (call, { sql }) => ({
    ...call,
    input: { token: await addInvitation(sql, 'ada@example.com') },
  }),
  'invitations/sign-up': async (call, { sql }) => ({
    ...call,
    input: { ...call.input, token: await addInvitation(sql, 'ada@example.com') },
  }),
  'password/check-reset': async (call, { sql }) => ({ ...call, input: { token: await addReset(sql) } }),
  'password/reset': async (call, { sql }) => ({
    ...call,
    input: { ...call.input, token: await addReset(sql) },
  }),
  'sign-up/check': async (call, { sql }) => ({ ...call, input: { token: await addSignUp(sql) } }),
  'sign-up/complete': async (call, { sql }) => ({
    ...call,
    input: { ...call.input, token: await addSignUp(sql) },
  }),
  'setup/check': async (call, { db }) => ({ ...call, input: { token: await withoutUsers(db) } }),
  'setup/complete': async (call, { db }) => ({
    ...call,
    input: { ...call.input, token: await withoutUsers(db) },
  }),
  'passkeys/add': async (call, place) => {
    const { id } = await sessionOf(call, place)
    const challenge = await challengesOf(place.db).issue(`add in session ${id}`)
    return {
      ...call,
      input: { name: 'Phone', ...createAuthenticator().create(ceremonyOf(place, challenge)) },
    }
  },
  'passkeys/confirm': async (call, place) => {
    const { use } = await addPasskey(place, (await sessionOf(call, place)).user_id)
    return { ...call, input: await use() }
  },
  'passkeys/remove': async (call, place) => {
    const { user_id: userId } = await sessionOf(call, place)
    await confirmNow(call, place)
    return { ...call, input: { id: (await addPasskey(place, userId)).id } }
  },
  'passkeys/rename': async (call, place) => {
    const { id } = await addPasskey(place, (await sessionOf(call, place)).user_id)
    return { ...call, input: { id, name: 'Laptop' } }
  },
  'passkeys/sign-in': async (call, place) => {
    const [user] = await place.sql<{ id: number }[]>`select id from users where email = 'member@acme.test'`
    const { use } = await addPasskey(place, user?.id as number)
    return { ...call, input: await use() }
  },
  'single-sign-on/unlink': async (call, place) => {
    const { user_id: userId } = await sessionOf(call, place)
    await confirmNow(call, place)
    const { issuer } = call.input as { issuer: string }
    await place.sql`
      insert into sign_on_identities (issuer, subject, user_id) values (${issuer}, 'subject', ${userId}) on conflict do nothing`
    return call
  },
  'single-sign-on/begin': async (call, place) => ({ ...call, service: await place.withProvider() }),
  'single-sign-on/complete': async (call, place) => ({ ...call, ...(await signedOn(place)) }),
  'single-sign-on/link': async (call, place) => {
    const { user_id: userId } = await sessionOf(call, place)
    await confirmNow(call, place)
    const token = newToken()
    await place.sql`
      insert into sign_on_links (token_hash, issuer, subject, email, expires_at)
      select ${sha256(token)}, ${provider.issuer}, 'somebody', email, now() + interval '1 day' from users where id = ${userId}`
    return { ...call, input: { token } }
  },
  'campaigns/end': async (call, { sql }) => {
    const [running] = await sql<{ version_id: number }[]>`
      select version_id from theme_campaigns where ended_at is null order by version_id limit 1`
    return { ...call, input: { version_id: running?.version_id as number } }
  },
  'presence/end': async (call, place) => {
    const { user_id: userId } = await sessionOf(call, place)
    const shown = place.sql`
      insert into presences (project_id, user_id, stream_id, board_id, expires_at)
      select b.project_id, ${userId}, 'window-1', b.id, now() + interval '1 day'
      from boards b join projects p on p.id = b.project_id
      where p.name = 'Acme' and b.title = 'Daily operations'
      on conflict (project_id, user_id, stream_id) do nothing`
    return after(call, shown)
  },
  'users/confirm-email': async (call, { sql }) => {
    const token = newToken()
    await sql`
      insert into email_changes (user_id, token_hash, email, expires_at)
      select id, ${sha256(token)}, 'mina@example.com', now() + interval '1 day' from users where email = 'member@acme.test'`
    return { ...call, input: { token } }
  },
  'users/demote': async (call, { sql }) => {
    const [user] = await sql`update users set superadmin = true where email = 'member@acme.test' returning id`
    return { ...call, input: { id: user?.['id'] } }
  },
  'rollouts/apply': (call, { sql }) => after(call, asPlanned(sql)),
  'rollouts/pause': (call, { sql }) => after(call, asPlanned(sql, 'waiting')),
  'rollouts/resume': (call, { sql }) => after(call, asPlanned(sql, 'paused')),
  'rollouts/start-next-stage': (call, { sql }) => after(call, asPlanned(sql, 'waiting')),
  'rollouts/discard': (call, { sql }) => after(call, asPlanned(sql)),
  'rollouts/cancel': async (call, { sql }) => {
    const { id } = call.input as { id: number }
    await sql`update rollout_batches set done_at = null where rollout_id = ${id}`
    // As if another instance worked on it just now; after some seconds without news it would be continued here.
    const running = sql`
      update rollouts set status = 'running', finished_at = null, worked_at = now() + interval '2 seconds' where id = ${id}`
    return after(call, running)
  },
  'rollouts/retry': async (call, { sql }) => {
    await sql`update rollout_batches set done_at = null`
    return after(call, sql`update rollouts set status = 'canceled'`)
  },
  'orders/book-payment': async (call, { sql }) => {
    const [order] = await sql`
      insert into checkouts (project_id, subscription_id, gateway, plan, period, amount, currency, status, expires_at, created_by)
      select s.project_id, s.id, 'invoice', 'pro', 'year', 29000, 'EUR', 'open', now() + interval '1 day', m.user_id
      from subscriptions s join memberships m on m.project_id = s.project_id and m.role = 'owner'
      where s.status = 'trialing' order by s.id limit 1 returning id, amount`
    return { ...call, input: { reference: referenceOf(order?.['id']), amount: order?.['amount'] } }
  },
}

async function after(call: Call, prepared: PromiseLike<unknown>): Promise<Call> {
  await prepared
  return call
}

/** The rollouts of the demo, as if they were still plans, or had stopped in between. */
async function asPlanned(sql: Database['sql'], status = 'planned'): Promise<void> {
  await sql`update rollout_batches set done_at = null`
  await sql`update rollouts set status = ${status}, planned_at = now(), planned_newest = revision, finished_at = null`
}

async function blueId(sql: Database['sql']): Promise<number> {
  const [blue] = await sql<{ id: number }[]>`select id from projects where name = 'Blue'`
  return blue?.id as number
}

/** An invitation to another project than that of the demo's accounts. */
async function addInvitation(sql: Database['sql'], email: string): Promise<string> {
  const projectId = await blueId(sql)
  const { secret, hash } = newInvitationSecret(projectId)
  await sql`
    insert into invitations (project_id, email, role, token_hash, invited_by, expires_at)
    select ${projectId}, ${email}, 'member', ${hash}, id, now() + interval '1 day'
    from users where email = 'owner@blue.test'`
  return secret
}

async function addReset(sql: Database['sql']): Promise<string> {
  const token = newToken()
  await sql`
    insert into password_resets (token_hash, user_id, expires_at)
    select ${sha256(token)}, id, now() + interval '1 hour' from users where email = 'member@acme.test'`
  return token
}

async function addSignUp(sql: Database['sql']): Promise<string> {
  const token = newToken()
  await sql`
    insert into sign_ups (token_hash, email, expires_at)
    values (${sha256(token)}, 'ada@example.com', now() + interval '1 day')`
  return token
}

/** The session of the caller. */
async function sessionOf({ token = '' }: Call, { sql }: Place): Promise<{ id: number; user_id: number }> {
  const [session] = await sql<{ id: number; user_id: number }[]>`
    select id, user_id from sessions where token_hash = ${sha256(token)}`
  return session as NonNullable<typeof session>
}

/** As if the caller had entered the password just now. */
async function confirmNow({ token = '' }: Call, { sql }: Place): Promise<void> {
  await sql`update sessions set password_at = now() where token_hash = ${sha256(token)}`
}

const siteOf = ({ service }: Place) =>
  relyingPartyOf(service.url) as NonNullable<ReturnType<typeof relyingPartyOf>>

function ceremonyOf(place: Place, challenge: string) {
  const { origin, id: relyingParty } = siteOf(place)
  return { origin, relyingParty, challenge }
}

/** `use` signs a new challenge with it. */
async function addPasskey(place: Place, userId: number): Promise<{ id: number; use(): Promise<object> }> {
  const authenticator = createAuthenticator()
  const {
    credential,
    client_data: clientData,
    attestation,
  } = authenticator.create(ceremonyOf(place, newToken()))
  const expected = { site: siteOf(place), isChallenge: () => true }
  const made = await verifyNew({ credential, clientData, attestation }, expected)
  assert.ok(made)
  const [passkey] = await place.sql<{ id: number }[]>`
    insert into passkeys (user_id, credential, public_key, counter, name, is_synced)
    values (${userId}, ${Buffer.from(credential, 'base64url')}, ${Buffer.from(made.publicKey)}, ${made.counter}, 'Phone', false)
    returning id`
  return {
    id: passkey?.id as number,
    use: async () => authenticator.use(ceremonyOf(place, await challengesOf(place.db).issue('sign in'))),
  }
}

/** What somebody without an account comes back with from the identity provider, in the browser that began it. */
async function signedOn(place: Place): Promise<Pick<Call, 'service' | 'cookie' | 'input'>> {
  const service = await place.withProvider()
  const begun = await service.fetch('/services/identity/v1/single-sign-on/begin', { method: 'POST' })
  const { data } = (await begun.json()) as { data: { url: string } }
  const [cookie = ''] = begun.headers.getSetCookie().map((one) => one.split(';')[0] as string)
  const email = 'noor@example.test'
  provider.state.person = { sub: 'noor', email, email_verified: true, name: 'Noor Haddad', groups: ['staff'] }
  const { searchParams } = await followToReturn(data.url, returnTo)
  return { service, cookie, input: Object.fromEntries(searchParams) }
}

async function withoutUsers(db: Database): Promise<string> {
  await db.transaction(async ({ sql }) => {
    await sql`set local session_replication_role = replica`
    await sql`delete from users`
  })
  return addSetupLink(db)
}

/** Scenes that end by themselves after some time, or with the first answer, so that they are made anew before each fault. */
const shortScenes = new Set([
  'rollouts/cancel',
  'passkeys/add',
  'passkeys/confirm',
  'passkeys/sign-in',
  'single-sign-on/complete',
])

/** With these callers give up the right to call them, so the kept answer is not for them any more. */
const givesUpRight = new Set(['members/leave', 'members/transfer-ownership'])

/** Tried again if a rollout changes something at the same moment. */
const restore = ({ db }: Place, before: Contents) =>
  eventually(async () => bringBack(db, before, await readContents(db, before)))

/** Every kind at every statement. */
const everyFault = (statements: number): Fault[] =>
  faultKinds.flatMap((kind) =>
    // A few more, because background work may come in between.
    Array.from({ length: statements + 4 }, (_, index) => ({ kind, statement: index + 1 })),
  )

/** One of them; every second time with a key the lost answer to the last statement, which is the commit. */
const oneFault = (statements: number, isKeyed: boolean): Fault[] =>
  isKeyed && below(2) === 0
    ? [{ kind: 'connection lost after it', statement: statements }]
    : [{ kind: faultKinds[below(faultKinds.length)] as Fault['kind'], statement: 1 + below(statements) }]

/** Without an Idempotency-Key and with one. */
function chosenWays(canBeKeyed: boolean): boolean[] {
  if (!canBeKeyed) return [false]
  return effort > 1 ? [false, true] : [below(2) === 0]
}

/** The operations to try, where not all of them: a pattern of the last two parts of their paths. */
const { CARDINAL_TEST_OPERATIONS: wanted } = process.env
const isWanted = (path: string) => wanted === undefined || new RegExp(wanted).test(nameOf(path))

/** In `npm test` another tenth of the operations with each seed, and those that nothing else calls at v1 with a secret that works. */
const isDrawn = (path: string) =>
  effort > 1 || below(10) === 0 || /^(invitations|password|setup|sign-up)\/|confirm-email$/.test(nameOf(path))

const newKey = (isKeyed: boolean) => (isKeyed ? randomUUID() : undefined)

/** Of the sign-ins and of the refusals of an account ten a minute are written to the audit log, and the others counted. */
const isSometimesCounted = (path: string) =>
  effort > 1 &&
  (path === '/v1/authenticate' || nameOf(path) === 'passkeys/sign-in' || givesUpRight.has(nameOf(path)))

/** The audit log notes that somebody was refused. */
function withoutEntries({ audit_entries: _entries, ...change }: Difference): Difference {
  return change
}

/** After a refusal: it is written to the audit log when the caller has the answer already. */
async function readStill(db: Database, known: Contents): Promise<Contents> {
  let contents = await readContents(db, known)
  for (;;) {
    await delay(100)
    const now = await readContents(db, contents)
    if (isDeepStrictEqual(differenceOf(contents, now), {})) return now
    contents = now
  }
}

/** Calls an operation with faults, without or with an Idempotency-Key, and leaves everything as it was. */
async function failIn(
  t: TestContext,
  place: Place,
  example: Call,
  { prepared, isKeyed }: { prepared: Contents; isKeyed: boolean },
): Promise<void> {
  const { db, proxy } = place
  const { path } = example
  const name = nameOf(path)
  const scene = shortScenes.has(name) ? scenes[name] : undefined
  let call = example
  let before = prepared
  const prepare = async () => {
    if (!scene) return
    call = await scene(example, place)
    before = await readContents(db, before)
  }
  await prepare()
  const operation = operationAt(path)
  const { success } = operation
  const changeOf = (earlier: Contents, now: Contents) => {
    const change = changeIn(earlier, now)
    return isSometimesCounted(path) ? withoutEntries(change) : change
  }
  proxy.arm()
  const usual = await post(place, call, newKey(isKeyed))
  const statements = proxy.disarm()
  await restAfter(path, place)
  assert.equal(usual.status, success, `${usual.text}: say in tests/faults.test.ts how it succeeds`)
  const done = await readContents(db, before)
  await bringBack(db, before, done)
  const whole = changeOf(before, done)
  const changesNothing = isDeepStrictEqual(whole, {})
  assert.ok(!(operation.writes && changesNothing), 'its example changes nothing')
  if (changesNothing) return
  const accepted = operation.accept({ ...call.input })
  const hasTwoSteps = 'begin' in accepted && accepted.begin !== undefined
  const faults = effort > 1 ? everyFault(statements) : oneFault(statements, isKeyed)
  for (const fault of faults) {
    await prepare()
    const name = `${fault.kind} at statement ${fault.statement} of ${statements}`
    const key = newKey(isKeyed)
    proxy.arm(fault)
    const answer = await post(place, call, key)
    proxy.disarm()
    await restAfter(path, place)
    const left = await readContents(db, before)
    const change = changeOf(before, left)
    const isOld = isDeepStrictEqual(change, {})
    // A rollout is complete if it reports a project that took too long.
    const expected = 'rollout_refusals' in change ? change : whole
    assert.ok(answer.status === success || answer.status === 500, `${name}: ${answer.text}`)
    const mayBeInPart = answer.status === 500 && (isOld || hasTwoSteps)
    assert.deepEqual(change, mayBeInPart ? change : expected, name)
    const assertDone = key ? assertRepeated : assertCompleted
    await assertDone(place, call, { before, left, key, answer, isOld, hasTwoSteps, expected, changeOf, name })
    await restore(place, before)
  }
  t.diagnostic(`${statements} statements, ${faults.length} faults`)
}

/** What a fault left of a call that changes the contents from `before` as `expected`. */
interface Failed {
  before: Contents
  left: Contents
  key: string | undefined
  answer: Awaited<ReturnType<typeof post>>
  isOld: boolean
  hasTwoSteps: boolean
  expected: Difference
  changeOf: (earlier: Contents, now: Contents) => Difference
  name: string
}

/** With the same `Idempotency-Key` the call is done once as a whole. */
async function assertRepeated(place: Place, call: Call, failed: Failed): Promise<void> {
  const { before, left, key, answer, isOld, hasTwoSteps, expected, changeOf, name } = failed
  const { success } = operationAt(call.path)
  const again = await post(place, call, key)
  await restAfter(call.path, place)
  const isRefused = !isOld && givesUpRight.has(nameOf(call.path))
  const wasAnswered = answer.status === success && !isRefused
  assert.equal(again.status, isRefused ? 403 : success, `${name}, then again: ${again.text}`)
  assert.equal(again.isReplay, !isOld && !isRefused, `${name}, then again`)
  assert.equal(again.text, wasAnswered ? answer.text : again.text, name)
  const then = isRefused ? await readStill(place.db, left) : await readContents(place.db, left)
  const seen = (difference: Difference) => (isRefused ? withoutEntries(difference) : difference)
  assert.deepEqual(seen(changeOf(before, then)), seen(expected), `${name}, then again`)
  const more = seen(changeOf(left, then))
  assert.deepEqual(more, isOld || hasTwoSteps ? more : {}, `${name}: not done twice`)
}

/** What rollouts do after these calls would be part of the next change that is looked at. */
const beginsRollout = new Set(
  ['apply', 'plan', 'resume', 'revert', 'start-next-stage'].map((verb) => `rollouts/${verb}`),
)

async function restAfter(path: string, place: Place): Promise<void> {
  if (beginsRollout.has(nameOf(path))) await rest(place, path)
}

/** Waits until no rollout is at work, as if some seconds had passed without news of those that were cut off. */
async function rest({ sql }: Place, name: string): Promise<void> {
  await sql`
    update rollouts set worked_at = now() - interval '1 minute'
    where finished_at is null and status in ('planning', 'running', 'canceling')`
  await eventually(async () => {
    const working =
      await sql`select from rollouts where finished_at is null and status in ('planning', 'running', 'canceling')`
    assert.equal(working.length, 0, `${name}: the rollout does not end`)
  })
}

/** What has begun is completed: a rollout by itself, anything else by the same call. */
async function assertCompleted(place: Place, call: Call, failed: Failed): Promise<void> {
  const { before, left, isOld, hasTwoSteps, expected, changeOf, name } = failed
  let now = left
  if (!isOld && hasTwoSteps) {
    await rest(place, name)
    now = await readContents(place.db, before)
    const isWhole = isDeepStrictEqual(changeOf(before, now), expected)
    if (!isWhole) await post(place, call)
    if (!isWhole) now = await readContents(place.db, before)
  }
  assert.deepEqual(changeOf(before, now), isOld ? {} : expected, name)
}

async function failInPart(t: TestContext, place: Place, part: number): Promise<void> {
  const { db, sql, proxy, service } = place
  await seedDemo(db, { isSmall: true })
  await eventually(async () => {
    const due = await sql`select from jobs where run_at <= now()`
    assert.equal(due.length, 0)
  })
  // Housekeeping would change the database in the middle of a comparison.
  await sql`update jobs set run_at = 'infinity', taken_until = null, holder = null`
  let known = await readContents(db)
  let count = 0
  await runExamples(service.fetch, async (path, token, input, renew) => {
    const call = { path, token, input, renew }
    const isOfPart = count++ % places.length === part
    if (!isOfPart || !isWanted(path) || !isDrawn(path)) {
      const { response } = await post(place, call)
      await restAfter(path, place)
      return response
    }
    const scene = scenes[nameOf(path)]
    // A session whose last use is some minutes ago notes the next one, in the middle of a comparison.
    await sql`update sessions set last_used_at = now() + interval '1 hour'`
    known = await readContents(db, known)
    const before = known
    const example: Call = scene ? await scene({ path, token, input }, place) : call
    const prepared = await readContents(db, before)
    for (const isKeyed of chosenWays(operationAt(path).writes === true))
      await t.test(`${path}${isKeyed ? ' with an Idempotency-Key' : ''}`, async (inner) => {
        try {
          await failIn(inner, place, example, { prepared, isKeyed })
        } finally {
          proxy.disarm()
          await restore(place, prepared)
        }
      })
    // Its counts are written at the end of the minute, in the middle of what comes next.
    if (isSometimesCounted(path)) await delay(61_000)
    await restore(place, before)
    const { response, status } = await post(place, call)
    await restAfter(path, place)
    if (status !== operationAt(path).success) known = await readStill(db, known)
    return response
  })
}

test('a fault at any statement leaves the old state or the new one, and a repeated call completes it once', {
  concurrency: true,
}, async (t) => {
  const parts = await Promise.allSettled(places.map((place, part) => failInPart(t, place, part)))
  for (const part of parts) if (part.status === 'rejected') throw part.reason
})
