import assert from 'node:assert/strict'
import test from 'node:test'
import type { Queries } from '#database/connect.ts'
import { cookieName } from '#identity/sessions.ts'
import { addSetupLink } from '#identity/setup.ts'
import { newToken, sha256 } from '#identity/tokens.ts'
import { forgetEverybody } from '#tests/installation.ts'
import { eventually } from '#tests/process.ts'
import { startTestService } from '#tests/service.ts'

const check = '/services/identity/v1/setup/check'
const complete = '/services/identity/v1/setup/complete'
const me = '/services/identity/v1/users/me'
const person = { name: 'Ada', email: 'ada@example.test', password: 'tall oaks hum at noon' }

const service = await startTestService()

test('201 makes the first superadmin, who is signed in and owns the first project', async () => {
  await forgetEverybody(service)
  const token = await addSetupLink(service.db)
  assert.equal((await service.client().attempt(check, { token })).status, 200)
  const made = await service.client().attempt(complete, { token, ...person, project_name: 'Acme' })
  assert.ok(made.ok)
  assert.equal(made.status, 201)
  const { user, memberships, current_project } = await service.client(made.data.token).call(me)
  assert.deepEqual(
    [user.id, user.name, user.email, user.superadmin, user.superadmin_billing],
    [made.data.user_id, 'Ada', 'ada@example.test', true, true],
  )
  const projectId = made.data.project_id as number
  assert.deepEqual(memberships, [{ project_id: projectId, project_name: 'Acme', role: 'owner' }])
  assert.equal(current_project?.id, projectId)
  const recorded = await service.db.sql`
    select kind, actor_id, in_project_id, details from audit_entries where actor_id = ${user.id} order by id`
  const by = { actor_id: user.id }
  assert.deepEqual(
    [...recorded],
    [
      { ...by, kind: 'user.added', in_project_id: null, details: { superadmin: true } },
      { ...by, kind: 'project.created', in_project_id: projectId, details: { name: 'Acme' } },
      { ...by, kind: 'member.added', in_project_id: projectId, details: { role: 'owner' } },
      { ...by, kind: 'sign_in.succeeded', in_project_id: null, details: { factor: 'setup link' } },
    ],
  )
  const { password, email } = person
  assert.equal((await service.client().attempt('/v1/authenticate', { email, password })).status, 200)
})

test('201 without a project, and a browser gets the session in its cookie alone', async () => {
  await forgetEverybody(service)
  const token = await addSetupLink(service.db)
  const response = await service.fetch(complete, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-session': 'cookie' },
    body: JSON.stringify({ token, ...person, project_name: '' }),
  })
  assert.equal(response.status, 201)
  const { data } = (await response.json()) as { data: { token: string; project_id: number | null } }
  assert.deepEqual([data.token, data.project_id], ['', null])
  assert.match(
    response.headers.get('set-cookie') ?? '',
    new RegExp(`^${cookieName}=cardinal_\\S+; .*HttpOnly`),
  )
  assert.equal((await service.db.sql`select from projects`).length, 0)
})

test('400 once somebody has an account, however it was made, and nothing changes', async () => {
  await forgetEverybody(service)
  const [used, other] = [await addSetupLink(service.db), await addSetupLink(service.db)]
  await service.client().call(complete, { token: used, ...person })
  for (const token of [used, other])
    for (const path of [check, complete] as const) {
      const answer = await service.client().attempt(path, { token, ...person, email: 'eve@example.test' })
      assert.deepEqual([answer.status, answer.message], [400, 'Cardinal is already set up.'])
    }
  assert.equal((await service.db.sql`select from users`).length, 1)

  await forgetEverybody(service)
  assert.equal((await service.client().attempt(check, { token: other })).status, 200)
  await service.addUser()
  assert.equal((await service.client().attempt(complete, { token: other, ...person })).status, 400)
  assert.equal((await service.db.sql`select from users`).length, 1)
})

test('404 for a link that was never given out, is none, or has expired, and nothing changes', async () => {
  await forgetEverybody(service)
  const expired = await addSetupLink(service.db)
  await service.db.sql`update setup_links set expires_at = now() where token_hash = ${sha256(expired)}`
  for (const token of [newToken(), 'x', `${expired}x`, expired, "' or 1=1 --"])
    for (const path of [check, complete] as const) {
      const answer = await service.client().attempt(path, { token, ...person })
      assert.deepEqual(
        [answer.status, answer.message],
        [404, 'This setup link is not valid or has expired. Restart Cardinal for a new one.'],
      )
    }
  assert.equal((await service.db.sql`select from users`).length, 0)
})

test('422 for fields that cannot be taken, and the link can still be used', async () => {
  await forgetEverybody(service)
  const token = await addSetupLink(service.db)
  const wrong = {
    name: [' ', 'The name field is required.'],
    email: ['ada', 'The email field must be a valid email address.'],
    password: ['short', 'The password field must be at least 12 characters.'],
    project_name: ['x'.repeat(256), 'The project name field must not be greater than 255 characters.'],
  } as const
  for (const [field, [value, sentence]] of Object.entries(wrong)) {
    const answer = await service.client().attempt(complete, { token, ...person, [field]: value })
    assert.ok(!answer.ok)
    assert.deepEqual([answer.status, answer.errors], [422, { [field]: [sentence] }])
  }
  const long = await service.client().attempt(complete, { token, ...person, password: 'ü'.repeat(600) })
  assert.equal(long.status, 422)
  for (const [password, reason] of [
    ['passwordpassword', 'it repeats the same characters'],
    ['ada@example.test', 'it has your name, email address or project in it'],
    ['Cardinal2026', 'most of it is a common password'],
    ['princess12345', 'most of it is a common password'],
  ] as const) {
    const weak = await service.client().attempt(complete, { token, ...person, password })
    assert.ok(!weak.ok)
    const sentence = `This password is too easy to guess, because ${reason}. Use a longer phrase of words that do not belong together.`
    assert.deepEqual([weak.status, weak.errors], [422, { password: [sentence] }])
  }
  assert.equal((await service.db.sql`select from users`).length, 0)
  assert.equal((await service.client().attempt(complete, { token, ...person })).status, 201)
})

test('200 the status says whether Cardinal is set up, and whether a link can be used', async () => {
  await forgetEverybody(service)
  await service.db.sql`delete from setup_links`
  const status = () => service.client().call('/services/identity/v1/setup/status')
  const ways = {
    mail: 'none',
    sign_up: 'off',
    single_sign_on: null,
    passkey_origin: service.url.replace('127.0.0.1', 'localhost'),
  }
  assert.deepEqual(await status(), { ...ways, is_set_up: false, has_link: false })
  const token = await addSetupLink(service.db)
  assert.deepEqual(await status(), { ...ways, is_set_up: false, has_link: true })
  await service.db.sql`update setup_links set expires_at = now()`
  assert.deepEqual(await status(), { ...ways, is_set_up: false, has_link: false })
  await service.db.sql`update setup_links set expires_at = now() + interval '1 hour'`
  await service.client().call(complete, { token, ...person })
  assert.deepEqual(await status(), { ...ways, is_set_up: true, has_link: false })
})

/** Until so many transactions wait for a lock. */
const untilWaiting = ({ sql }: Queries, count: number) =>
  eventually(async () =>
    assert.equal(
      (
        await sql`
        select distinct pid from pg_locks
        where not granted and database = (select oid from pg_database where datname = current_database())`
      ).length,
      count,
    ),
  )

test('of browsers that complete at the same moment, by one link and by several, one makes the superadmin', async () => {
  await forgetEverybody(service)
  // A service makes one such call at a time.
  const others = await Promise.all([1, 2, 3].map(() => startTestService({}, service.address)))
  const services = [service, ...others]
  const tokens = [await addSetupLink(service.db), await addSetupLink(service.db)]
  // The threads that judge passwords take their time to start, and a lock is waited for at most 4 s.
  for (const one of services) {
    const judged = {
      token: tokens[0] as string,
      ...person,
      password: 'password password',
      project_name: 'Acme',
    }
    assert.equal((await one.client().attempt(complete, judged)).status, 422)
  }
  const { answers } = await service.db.transaction(async (queries) => {
    // Where the project is added, so that all of them come that far unless something else stops them; jobs may go on reading.
    await queries.sql`lock table projects in share mode`
    const answers = services.map((one, index) =>
      one.client().attempt(complete, {
        token: tokens[index % 2] as string,
        ...person,
        email: `user${index}@example.test`,
        project_name: 'Acme',
      }),
    )
    await untilWaiting(queries, 4)
    return { answers: Promise.all(answers) }
  })
  const statuses = (await answers).map(({ status }) => status)
  assert.deepEqual(statuses.sort(), [201, 400, 400, 400])
  assert.equal((await service.db.sql`select from users`).length, 1)
  assert.equal((await service.db.sql`select from memberships`).length, 1)
})

test('400 where an account is added at the same moment by another way', async () => {
  await forgetEverybody(service)
  const token = await addSetupLink(service.db)
  const { answer } = await service.db.transaction(async (queries) => {
    await queries.sql`insert into users (email, name, password_hash) values ('bob@example.test', 'Bob', '')`
    const answer = service.client().attempt(complete, { token, ...person })
    await untilWaiting(queries, 1)
    return { answer }
  })
  assert.equal((await answer).status, 400)
  assert.equal((await service.db.sql`select from users`).length, 1)
})
