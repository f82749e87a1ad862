// While the statements of one tenant do not end, everyone else is served.
import assert from 'node:assert/strict'
import test, { after, type TestContext } from 'node:test'
import { connect, type Queries } from '#database/connect.ts'
import { newInvitationSecret } from '#projects/invitation/invitation.ts'
import { createBoard } from './board.ts'
import { openStream, until } from './event-stream.ts'
import { waitingCount } from './lock-waits.ts'
import { createMaster } from './master.ts'
import { within } from './process.ts'
import { password, startTestService, type TestUser } from './service.ts'

const operations = '/services/operations/v1/operations'
const service = await startTestService()
const noisy = await createBoard(service, { cards: 1 })
const quiet = await createBoard(service, { cards: 1 })
const observer = connect(service.address, { connections: 1 })
after(() => observer.end())

const keys = {
  cards: 'id',
  projects: 'id',
  project_versions: 'project_id',
  users: 'id',
  sessions: 'user_id',
} as const

/** Keeps what a statement locks until the returned function is called. */
async function holdLocked(lock: (queries: Queries) => PromiseLike<unknown>): Promise<() => Promise<void>> {
  const holder = connect(service.address, { connections: 1 })
  const released = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  const holding = holder.transaction(async (queries) => {
    await lock(queries)
    held.resolve()
    await released.promise
  })
  await held.promise
  return async () => {
    released.resolve()
    await holding
    await holder.end()
  }
}

const hold = (table: keyof typeof keys, id: number) =>
  holdLocked(({ sql }) => sql`select from ${sql(table)} where ${sql(keys[table])} = ${id} for update`)

/** Of the queue and of a statement that waits for a lock (api/turns.ts, database/connect.ts). */
const longestWaitMilliseconds = 10_000

/**
 * Sends calls of each user that wait for a locked card of the noisy project until the test releases it. No test sends the title of
 * an earlier one: a call that changes nothing does not wait.
 */
async function block(t: TestContext, users: TestUser[], count: number, headers = {}) {
  const id = noisy.cardIds[0] as number
  const release = await hold('cards', id)
  /** Without refusals of calls that have waited for longer than anybody has to. */
  const statuses: number[] = []
  const abort = new AbortController()
  const send = async ({ token }: TestUser, number: number) => {
    const sentAt = performance.now()
    const response = await service.fetch(`${operations}/cards/update`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, ...headers },
      body: JSON.stringify({ id, title: `Title ${number} of ${t.name}` }),
      signal: abort.signal,
    })
    // On a busy machine that is the time in which the others were served.
    const isLate = response.status === 429 && performance.now() - sentAt > longestWaitMilliseconds
    if (!isLate) statuses.push(response.status)
    return response
  }
  const answers = users.flatMap((user) => Array.from({ length: count }, (_, number) => send(user, number)))
  const settled = Promise.allSettled(answers)
  const letGo = async () => {
    await release()
    await settled
  }
  t.after(letGo)
  return { statuses, answers, letGo, hangUp: () => abort.abort() }
}

async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${service.url}/metrics`)).text()
  return Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${name} `))
      ?.split(' ')[1],
  )
}

const waiting = () => metric('cardinal_database_waiting')

/** What people of other projects do. */
const ordinary: Record<string, () => Promise<unknown>> = {
  'a list': () => quiet.member.call(`${operations}/tags/list`),
  'a board that is not kept': () => {
    service.keptBoards.forget()
    return quiet.member.call(`${operations}/boards/get`, { id: quiet.boardId })
  },
  'a write': () =>
    quiet.member.call(`${operations}/cards/update`, { id: quiet.cardIds[0] as number, title: 'Quiet' }),
  'who is calling': () => noisy.member.call('/services/identity/v1/users/me'),
  'a sign-in': () =>
    service.client().call('/v1/authenticate', { email: noisy.members.viewer.email, password }),
  'another user of the noisy project': () =>
    service.client(noisy.members.owner.token).call(`${operations}/tags/list`),
  'an event stream': async () => {
    const stream = await openStream(service, quiet.members.viewer.token)
    await until(() => stream.messages.length === 1, 'the first message')
    await stream.close()
  },
  'the question whether it is ready': async () =>
    assert.equal((await fetch(`${service.url}/api/health/ready`)).status, 200),
}

async function assertOthersAreServed(names = Object.keys(ordinary)) {
  const acts = names.map((name) =>
    within(5_000, (ordinary[name] as () => Promise<unknown>)()).catch((error) =>
      assert.fail(`${name}: ${error}`),
    ),
  )
  await Promise.all(acts)
}

test('other projects are answered while one project uses its whole share', async (t) => {
  const { statuses, letGo } = await block(t, [noisy.members.member], 100)
  await until(async () => (await waitingCount(observer)) >= 5, 'the statements that wait')
  await assertOthersAreServed()
  assert.deepEqual(statuses, [])
  await letGo()
  assert.deepEqual(new Set(statuses), new Set([200]))
})

test('other projects are answered while one person reads as many photos as they can', async (t) => {
  const release = await holdLocked(({ sql }) => sql`lock table user_photos in access exclusive mode`)
  t.after(release)
  const read = () =>
    fetch(`${service.url}/photos/${'0'.repeat(32)}`, {
      headers: { authorization: `Bearer ${noisy.members.member.token}` },
    })
  const answers = Array.from({ length: 40 }, read)
  await until(async () => (await waitingCount(observer)) >= 5, 'the statements that wait')
  // The others also show photos, and so wait for the same lock.
  await assertOthersAreServed(['a list', 'a board that is not kept'])
  await release()
  const statuses = (await Promise.all(answers)).map(({ status }) => status)
  assert.deepEqual(new Set(statuses), new Set([404]))
})

test('429 with Retry-After for a user with too many waiting requests, while others are answered', async (t) => {
  const { statuses, answers, letGo } = await block(t, [noisy.members.member], 300)
  await until(() => statuses.length > 0, 'a refusal')
  const refused = await Promise.race(answers)
  assert.equal(refused.status, 429)
  assert.match(refused.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
  assert.match(refused.headers.get('x-ratelimit-remaining') ?? '', /^\d+$/)
  assert.deepEqual(await refused.json(), { error: true, message: 'Too Many Attempts.' })
  // Not all that others do, as above: after ten seconds the statements that wait for the lock would be refused too.
  for (const name of ['a list', 'a write']) await within(5_000, ordinary[name]?.() as Promise<unknown>)
  assert.deepEqual(new Set(statuses), new Set([429]))
  await until(
    async () => (await metric('cardinal_database_refused_total{reason="full"}')) === statuses.length,
    'the metric of the refusals',
  )
  // None is still on its way, which could find the queue full later.
  const running = () => metric('cardinal_database_running')
  await until(
    async () => statuses.length + (await waiting()) + (await running()) >= 300,
    'that all have come',
  )
  const count = statuses.length
  await letGo()
  assert.deepEqual(new Set(statuses.slice(count)), new Set([200]))
})

test('a caller who disconnects while waiting frees the slot and changes nothing', async (t) => {
  const updates = () => observer.sql`
    select from events where project_id = ${noisy.projectId} and kind = 'card.updated'`
  const before = (await updates()).length
  const { hangUp, letGo } = await block(t, [noisy.members.member], 100)
  await until(async () => (await waiting()) > 80, 'the queue')
  hangUp()
  await until(async () => (await waiting()) === 0, 'an empty queue')
  await letGo()
  await until(async () => (await metric('cardinal_database_running')) === 0, 'the end of what ran')
  const carriedOut = (await updates()).length - before
  assert.ok(carriedOut <= 8, `${carriedOut} of 100 were carried out`)
})

test('reads do not wait for writes to projects that a rollout has locked', async () => {
  const scenes = await Promise.all(Array.from({ length: 12 }, () => createBoard(service, { cards: 1 })))
  const releases = await Promise.all(scenes.map(({ cardIds }) => hold('cards', cardIds[0] as number)))
  const changes = scenes.map(({ member, cardIds }) =>
    member.call(`${operations}/cards/update`, { id: cardIds[0] as number, title: 'Changed' }),
  )
  await until(async () => (await waitingCount(observer)) >= 8, 'changes that wait')
  await within(5_000, quiet.member.call(`${operations}/tags/list`))
  await within(5_000, quiet.member.call(`${operations}/boards/get`, { id: quiet.boardId }))
  for (const release of releases) await release()
  await Promise.all(changes)
})

test('calls that wait for a rollout hold no database connection', async () => {
  const master = await createMaster(service)
  const release = await hold('projects', master.projects[0]?.id as number)
  const syncs = Array.from({ length: 20 }, master.sync)
  await until(async () => {
    const rollouts = await observer.sql`select from rollouts where status = 'running'`
    return rollouts.length === 20 && (await metric('cardinal_database_running')) === 0
  }, 'twenty rollouts that wait')
  await within(5_000, master.whole())
  await release()
  assert.deepEqual(new Set((await Promise.all(syncs)).map(({ synced_count }) => synced_count)), new Set([1]))
})

test('a project of which the caller is not a member is not charged for the work', async (t) => {
  const { member, admin } = noisy.members
  await block(t, [member, admin], 50, { 'x-project-id': String(quiet.projectId) })
  await until(async () => (await waiting()) > 80, 'the queue')
  await assertOthersAreServed()
})

test('callers are found and sign in while strangers and people wait to join or leave a project', async () => {
  const busy = await createBoard(service)
  const { sql } = service.db
  const superadmin = await service.addUser()
  await sql`update users set superadmin = true where id = ${superadmin.id}`
  const invite = async (email: string) => {
    const { secret, hash } = newInvitationSecret(busy.projectId)
    await sql`
      insert into invitations (project_id, email, role, token_hash, invited_by, expires_at)
      values (${busy.projectId}, ${email}, 'member', ${hash}, ${busy.members.owner.id}, now() + interval '1 day')`
    return secret
  }
  const joining = await service.addUser()
  const back = await service.addUser({ roles: { [busy.projectId]: 'member' } })
  await busy.admin.call('/services/identity/v1/members/remove', { user_id: back.id })
  // Of a project that is locked before the busy one.
  const leaving = await service.addUser({
    roles: { [quiet.projectId]: 'viewer', [busy.projectId]: 'member' },
  })
  const secrets = await Promise.all([1, 2, 3, 4].map((number) => invite(`new${number}@example.test`)))
  const own = await invite(joining.email)
  const identity = '/services/identity/v1'
  const release = await hold('project_versions', busy.projectId)
  const waits = [
    ...secrets.map((token) =>
      service.client().attempt(`${identity}/invitations/sign-up`, {
        token,
        name: 'Ada',
        password: 'tall oaks hum at noon',
      }),
    ),
    service.client(joining.token).attempt(`${identity}/invitations/accept`, { token: own }),
    busy.admin.attempt(`${identity}/members/restore`, { user_id: back.id }),
  ]
  await until(async () => (await waitingCount(observer)) >= 4, 'the statements that wait')
  const signIn = ({ email }: TestUser) => service.client().call('/v1/authenticate', { email, password })
  for (const user of [joining, back]) await within(5_000, signIn(user))
  let hasEnded = false
  const closing = service
    .client(leaving.token)
    .attempt(`${identity}/users/close`)
    .finally(() => {
      hasEnded = true
    })
  await until(async () => hasEnded || (await waitingCount(observer)) >= 7, 'the account that is to be closed')
  await within(5_000, Promise.all([leaving, superadmin].map(signIn)))
  await assertOthersAreServed()
  assert.equal((await closing).status, 429)
  await release()
  const statuses = (await Promise.all(waits)).map(({ status }) => status)
  // On a busy machine they may have waited for longer than anybody has to.
  assert.ok(
    statuses.every((status) => [200, 201, 429].includes(status)),
    String(statuses),
  )
})

test('callers are found while the accounts of others are being changed, and their sessions go on with a later use', async () => {
  const { id, token } = noisy.members.member
  const { sql } = service.db
  await sql`update sessions set last_used_at = now() - interval '1 hour' where user_id = ${id}`
  const isExtended = async () => {
    const [session] = await sql<{ is_extended: boolean }[]>`
      select last_used_at > now() - interval '1 minute' as is_extended from sessions where user_id = ${id}`
    return session?.is_extended
  }
  const release = await hold('users', id)
  const calls = Array.from({ length: 8 }, () => service.client(token).call('/services/identity/v1/users/me'))
  await within(5_000, Promise.all(calls))
  await release()
  await sql`update sessions set last_used_at = now() - interval '1 hour' where user_id = ${id}`
  const releaseSession = await hold('sessions', id)
  await within(5_000, noisy.member.call('/services/identity/v1/users/me'))
  assert.equal(await isExtended(), false)
  await releaseSession()
  await noisy.member.call('/services/identity/v1/users/me')
  assert.equal(await isExtended(), true)
})

// Last, because the driver also rejects the first statement of the next connection.
test('500 for requests whose connections are lost, and the connections are usable again', async (t) => {
  const { statuses, letGo } = await block(t, [noisy.members.member, noisy.members.admin], 4)
  await until(async () => (await waitingCount(observer)) === 8, 'the statements that wait')
  await observer.sql`
    select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await until(() => statuses.length === 8, 'the answers')
  assert.deepEqual(new Set(statuses), new Set([500]))
  await letGo()
  assert.deepEqual([await metric('cardinal_database_running'), await waiting()], [0, 0])
  const again = await block(t, [noisy.members.member], 20)
  await until(async () => (await waitingCount(observer)) === 7, 'as many statements as before')
  await again.letGo()
})
