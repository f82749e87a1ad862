import assert from 'node:assert/strict'
import test from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { TOTP } from 'otpauth'
import { startBoundedAudit } from '#audit/bounded.ts'
import { forgetAudit, keepAudit } from '#audit/forgetting.ts'
import { addMember } from '#projects/members.ts'
import { addPlatform } from '#projects/platform.ts'
import { createBoard } from '#tests/board.ts'
import { createMaster } from '#tests/master.ts'
import { password, startTestService } from '#tests/service.ts'
import { createTheme } from '#tests/themes.ts'
import { quietLog } from '../../../../../log.ts'

const service = await startTestService()
const { sql } = service.db
const identity = '/services/identity/v1'
const list = `${identity}/audit/list`
const superadmin = await service.addUser({ superadmin: true })
const all = service.client(superadmin.token)

/** The entries of a person that nobody else caused, oldest first, without what differs each time. */
async function entriesOf({ email }: { email: string }) {
  const { entries } = await all.call(list, { person: email })
  return entries
    .filter(({ actor_email }) => actor_email === null || actor_email === email)
    .map(({ kind, source, account_email, address, details }) => ({
      kind,
      source,
      account_email,
      address,
      details,
    }))
    .reverse()
}

/** What is recorded after the answer is waited for. */
async function eventually<Value>(read: () => Promise<Value[]>, count: number): Promise<Value[]> {
  for (let attempt = 0; ; attempt++) {
    const values = await read()
    if (values.length >= count || attempt > 100) return values
    await sleep(20)
  }
}

const signIn = (email: string, more: { code?: string; is_recovery?: boolean; password?: string } = {}) =>
  service.client().attempt('/v1/authenticate', { email, password, ...more })

const common = { source: 'api', address: '127.0.0.1' } as const

test('sign-ins are recorded with account, address and factor; failed ones with their reason', async () => {
  const user = await service.addUser()
  const of = { ...common, account_email: user.email }
  await signIn(user.email, { password: 'wrong' })
  await signIn(user.email)
  const client = service.client(user.token)
  const { secret } = await client.call(`${identity}/second-factor/begin`, { password })
  const code = (period: number) => new TOTP({ secret }).generate({ timestamp: Date.now() + period * 30_000 })
  const { recovery_codes } = await client.call(`${identity}/second-factor/confirm`, { code: code(-1) })
  await signIn(user.email)
  await signIn(user.email, { code: '000000' })
  const { data } = (await signIn(user.email, { code: code(0) })) as { data: { token: string } }
  await signIn(user.email, { code: recovery_codes[0] as string, is_recovery: true })
  await service.client().call('/v1/authenticate', { email: user.email, password, token: data.token })
  await sql`update users set disabled_at = now() where id = ${user.id}`
  await signIn(user.email)
  assert.deepEqual(await entriesOf(user), [
    { ...of, kind: 'sign_in.failed', details: { reason: 'wrong_credentials' } },
    { ...of, kind: 'sign_in.succeeded', details: { factor: 'password' } },
    { ...of, kind: 'second_factor.enabled', details: {} },
    { ...of, kind: 'sign_in.code_requested', details: { reason: 'second_factor_required' } },
    { ...of, kind: 'sign_in.failed', details: { reason: 'wrong_code' } },
    { ...of, kind: 'sign_in.succeeded', details: { factor: 'code' } },
    { ...of, kind: 'sign_in.succeeded', details: { factor: 'recovery code' } },
    { ...of, kind: 'sign_in.succeeded', details: { factor: 'token' } },
    { ...of, kind: 'sign_in.failed', details: { reason: 'account_disabled' } },
  ])
  const { entries } = await all.call(list, { person: user.email })
  assert.deepEqual(
    entries.map(({ kind, actor_id }) => [kind, actor_id]).filter(([, actor]) => actor === null),
    ['sign_in.failed', 'sign_in.failed', 'sign_in.code_requested', 'sign_in.failed'].map((kind) => [
      kind,
      null,
    ]),
    'nobody knows who tried to sign in',
  )
})

test('a failed sign-in to an account that does not exist has the address that was tried', async () => {
  await signIn('nobody.at.all@example.test')
  const { entries } = await all.call(list, { kind: 'sign_in.failed', limit: 1 })
  assert.deepEqual(
    entries.map(({ actor_id, account_id, details }) => ({ actor_id, account_id, details })),
    [
      {
        actor_id: null,
        account_id: null,
        details: { reason: 'wrong_credentials', email: 'nobody.at.all@example.test' },
      },
    ],
  )
})

test('changes of password, two-factor authentication, sessions and users are recorded with the request', async () => {
  const user = await service.addUser()
  const of = { ...common, account_email: user.email, details: {} }
  const client = service.client(user.token)
  const { secret } = await client.call(`${identity}/second-factor/begin`, { password })
  const first = await client.call(`${identity}/second-factor/confirm`, {
    code: new TOTP({ secret }).generate(),
  })
  const [old = ''] = first.recovery_codes
  const recovery = { password, code: old, is_recovery: true }
  const codes = await client.call(`${identity}/second-factor/regenerate-codes`, recovery)
  const [code = ''] = codes.recovery_codes
  await client.call(`${identity}/second-factor/disable`, { password, code, is_recovery: true })
  const changed = await client.call(`${identity}/password/change`, {
    current_password: password,
    new_password: 'a much better password',
  })
  const second = service.client(changed.token)
  await second.call(`${identity}/sessions/revoke-all`, { keep_current: true })
  await second.call(`${identity}/sessions/revoke`)
  await all.call(`${identity}/users/set-ai`, { id: user.id, enable_ai: true })
  assert.deepEqual(await entriesOf(user), [
    { ...of, kind: 'second_factor.enabled' },
    { ...of, kind: 'second_factor.codes_regenerated' },
    { ...of, kind: 'second_factor.disabled', details: { sessions_ended: 0 } },
    { ...of, kind: 'password.changed' },
    { ...of, kind: 'sessions.ended', details: { count: 0 } },
    { ...of, kind: 'session.ended' },
  ])
  const { entries } = await all.call(list, { kind: 'user.changed', limit: 1 })
  assert.deepEqual(
    entries.map(({ actor_id, account_id, details }) => [actor_id, account_id, details]),
    [[superadmin.id, user.id, { enable_ai: true }]],
  )
  assert.match(entries[0]?.request_id ?? '', /^[\w-]{36}$/)
})

test('a change that is refused leaves no entry', async () => {
  const user = await service.addUser()
  const client = service.client(user.token)
  await client.attempt(`${identity}/second-factor/disable`, { password, code: '000000' })
  await client.attempt(`${identity}/sessions/revoke`, { id: 0 })
  assert.deepEqual(await entriesOf(user), [])
})

test('refused access is recorded in a project of the person, never in one that is not theirs', async () => {
  const own = await service.addProject()
  const other = await service.addProject()
  const user = await service.addUser({ roles: { [own]: 'viewer' } })
  const tags = '/services/operations/v1/operations/tags/create'
  await service.client(user.token).attempt(tags, { name: 'x' })
  await service.client(user.token, { 'x-project-id': String(other) }).attempt(tags, { name: 'x' })
  const entries = await eventually(async () => (await all.call(list, { actor: user.email })).entries, 2)
  const refused = { operation: tags, code: 'forbidden', target: 'project' }
  assert.deepEqual(
    entries.map(({ kind, project_id, details }) => ({ kind, project_id, details })).reverse(),
    [
      { kind: 'access.refused', project_id: own, details: { ...refused, target_id: own } },
      { kind: 'access.refused', project_id: null, details: { ...refused, target_id: other } },
    ],
  )
})

test('refused access names what was asked for, in its project if the person is a member there', async () => {
  const own = await service.addProject()
  const { projectId, groupIds, cardIds, members } = await createBoard(service, { cards: 2 })
  const elsewhere = await createBoard(service, { cards: 1 })
  const roles = { [own]: 'member', [projectId]: 'viewer' } as const
  const user = await service.addUser({ roles })
  const client = service.client(user.token)
  const operations = '/services/operations/v1/operations'
  const [first, second] = cardIds as [number, number]
  const [foreign] = elsewhere.cardIds as [number]
  await client.attempt(`${operations}/cards/delete`, { id: second })
  await client.attempt(`${operations}/cards/delete`, { id: foreign })
  await client.attempt(`${operations}/cards/delete-many`, { ids: [first, second] })
  await client.attempt(`${identity}/users/set-ai`, { id: user.id, enable_ai: true })
  await client.attempt('/services/operations/v1/admin/master-cards/push', { card_id: 7 })
  const mover = service.client(members.member.token)
  await mover.attempt(`${operations}/cards/move`, { id: first, group_id: elsewhere.groupIds[0] as number })
  const viewer = service.client(members.viewer.token)
  await viewer.attempt(`${operations}/groups/update`, { id: groupIds[0] as number })
  const recorded = async (actor: string, count: number) => {
    const entries = await eventually(async () => (await all.call(list, { actor })).entries, count)
    return entries.map(({ project_id, details }) => [project_id, details['target'], details['target_id']])
  }
  // In any order, since those of the same moment are written at once.
  assert.deepEqual(
    new Set(await recorded(user.email, 5)),
    new Set([
      [projectId, 'card', second],
      [own, 'card', foreign],
      [projectId, 'card', first],
      [own, 'user', user.id],
      [own, 'template card', 7],
    ]),
  )
  assert.deepEqual(await recorded(members.member.email, 1), [[projectId, 'group', elsewhere.groupIds[0]]])
  assert.deepEqual(await recorded(members.viewer.email, 1), [[projectId, 'group', groupIds[0]]])
})

test('refusals that ask for two-factor authentication or the password are recorded too', async () => {
  const user = await service.addUser({ superadmin: true, totpSecret: null })
  const client = service.client(user.token)
  await client.attempt(`${identity}/users/set-ai`, { id: user.id, enable_ai: true })
  await sql`update sessions set password_at = now() - interval '1 day' where user_id = ${user.id}`
  await client.attempt(`${identity}/sessions/revoke-all`)
  const entries = await eventually(() => entriesOf(user), 2)
  assert.deepEqual(
    entries.map(({ kind, details }) => [kind, details['code']]),
    [
      ['access.refused', 'second_factor_setup_required'],
      ['access.refused', 'password_confirmation_required'],
    ],
  )
})

test('a refused event stream is recorded like any other refusal', async () => {
  const other = await service.addProject()
  const user = await service.addUser()
  const stream = '/services/operations/v1/operations/events/stream'
  const refused = await service.fetch(`${stream}?project_id=${other}`, {
    headers: { authorization: `Bearer ${user.token}` },
  })
  assert.equal(refused.status, 403)
  const entries = await eventually(async () => (await all.call(list, { actor: user.email })).entries, 1)
  assert.deepEqual(
    entries.map(({ kind, request_id, details }) => ({ kind, request_id, details })),
    [
      {
        kind: 'access.refused',
        request_id: refused.headers.get('x-request-id'),
        details: { operation: stream, code: 'forbidden', target: 'project', target_id: other },
      },
    ],
  )
})

test('a wrong password of somebody who is signed in is recorded, wherever it is asked for', async () => {
  const user = await service.addUser()
  const client = service.client(user.token)
  await client.attempt(`${identity}/password/change`, {
    current_password: 'wrong',
    new_password: 'a much better password',
  })
  const password = 'wrong'
  await client.attempt(`${identity}/second-factor/begin`, { password })
  for (const operation of ['regenerate-codes', 'disable'] as const)
    await client.attempt(`${identity}/second-factor/${operation}`, { password, code: '000000' })
  await client.attempt(`${identity}/password/confirm`, { password })
  const entries = await eventually(() => entriesOf(user), 5)
  assert.deepEqual(
    entries.map(({ kind, account_email, details }) => [kind, account_email, details['code']]),
    [
      ['reauthentication.failed', user.email, 'current_password_incorrect'],
      ...Array(4).fill(['reauthentication.failed', user.email, 'password_incorrect']),
    ],
  )
})

test('of many refusals of one person in a minute ten are written and the others counted, in order to bound the log', async () => {
  const stopped = await startTestService({}, service.address)
  const user = await service.addUser()
  const client = stopped.client(user.token)
  for (let i = 0; i < 25; i++) await client.attempt(list)
  await stopped.stop()
  const written = await entriesOf(user)
  assert.equal(written.length, 11)
  const refused = { operation: list, code: 'forbidden', target: 'project', target_id: null }
  assert.deepEqual(written.at(-1)?.details, { ...refused, count: 15 })
})

test('of the sign-ins of one account in a minute ten are written, and the others counted', async () => {
  const stopped = await startTestService({}, service.address)
  const user = await service.addUser()
  for (let i = 0; i < 13; i++)
    await stopped.client().call('/v1/authenticate', { email: user.email, password })
  await stopped.stop()
  const written = await entriesOf(user)
  assert.equal(written.length, 11)
  assert.deepEqual(written.at(-1)?.details, { factor: 'password', count: 3 })
})

test('a flood from many addresses leaves 120 entries, 60 counts of addresses, and one count of all others', async () => {
  const audit = startBoundedAudit(service.db, quietLog)
  const before = (await sql`select from audit_entries`).length
  const origin = { source: 'api', actorId: null, requestId: null, log() {} } as const
  const times = (index: number) => (index < 500 ? 2 : 1)
  for (let index = 0; index < 1000; index++)
    for (let time = 0; time < times(index); time++)
      void audit.record(
        { actor: `address ${index}`, tenant: 'nobody' },
        { ...origin, address: `10.0.0.${index}` },
        { kind: 'sign_in.failed', details: { reason: 'wrong_credentials' } },
      )
  await audit.stop()
  const added = await sql<{ address: string | null; details: { count?: number } }[]>`
    select address, details from audit_entries order by id offset ${before}`
  const counts = added.filter(({ details }) => details.count !== undefined)
  assert.deepEqual([added.length - counts.length, counts.length], [120, 61])
  const ofOthers = counts.filter(({ address }) => address === null)
  assert.deepEqual(
    ofOthers.map(({ details }) => details),
    [{ count: 1500 - 120 - 60 * 2 }],
  )
})

test('a flood from many addresses crowds out nothing about other accounts and projects', async () => {
  const audit = startBoundedAudit(service.db, quietLog)
  const [attacked, other, later] = [await service.addUser(), await service.addUser(), await service.addUser()]
  const before = (await sql`select from audit_entries`).length
  const origin = { source: 'api', actorId: null, requestId: null, log() {} } as const
  const fail = (address: string, tenant: string, accountId: number | null) =>
    void audit.record(
      { actor: address, tenant },
      { ...origin, address },
      { kind: 'sign_in.failed', accountId, details: {} },
    )
  for (let index = 0; index < 2000; index++) {
    fail(`10.1.0.${index}`, 'nobody', null)
    fail(`10.1.0.${index}`, 'project 1', attacked.id)
  }
  for (let time = 0; time < 5; time++) fail('10.2.0.1', 'project 1', other.id)
  for (let time = 0; time < 12; time++) fail('10.2.0.2', 'project 2', later.id)
  await audit.stop()
  const added = await sql<
    { account_id: number | null; address: string | null; details: { count?: number } }[]
  >`
    select account_id, address, details from audit_entries order by id offset ${before}`
  const about = ({ id }: { id: number }) => added.filter(({ account_id }) => account_id === id)
  assert.equal(about(other).length, 5)
  assert.ok(about(other).every(({ details }) => details.count === undefined))
  assert.deepEqual(
    about(later).map(({ details }) => details.count ?? 1),
    [...Array(10).fill(1), 2],
  )
  const counts = about(attacked).filter(({ details }) => details.count !== undefined)
  const single = about(attacked).length - counts.length
  assert.deepEqual(
    counts.map(({ address, details }) => [address, details.count]),
    [[null, 2000 - single]],
  )
  const counted = added.reduce((sum, { details }) => sum + (details.count ?? 1), 0)
  assert.equal(counted, 2 * 2000 + 5 + 12)
})

test('counts are of one kind and one account each, so that nobody is blamed for what others did', async () => {
  const audit = startBoundedAudit(service.db, quietLog)
  const user = await service.addUser()
  const before = (await sql`select from audit_entries`).length
  const origin = { source: 'api', actorId: null, address: '10.0.0.1', requestId: null, log() {} } as const
  const record = async (
    times: number,
    kind: 'sign_in.failed' | 'access.refused',
    accountId: number | null,
  ) => {
    for (let time = 0; time < times; time++)
      await audit.record({ actor: 'address 10.0.0.1', tenant: 'nobody' }, origin, {
        ...{ kind, accountId, details: {} },
      })
  }
  await record(14, 'sign_in.failed', null)
  await record(1, 'sign_in.failed', user.id)
  await record(2, 'access.refused', user.id)
  await audit.stop()
  const counts = await sql`
    select kind, account_id, details from audit_entries where details ? 'count' order by id offset (
      select count(*) from (select details from audit_entries order by id limit ${before}) earlier where details ? 'count')`
  assert.deepEqual(
    counts
      .map(({ kind, account_id, details }) => [kind, account_id, details.count])
      .sort(([, , a], [, , b]) => b - a),
    [
      ['sign_in.failed', null, 4],
      ['access.refused', user.id, 2],
      ['sign_in.failed', user.id, 1],
    ],
  )
})

test('an owner sees the entries of their project and of its people, but no other and not where superadmins work', async () => {
  const projectId = await service.addProject()
  const otherId = await service.addProject()
  const owner = await service.addUser({ roles: { [projectId]: 'owner' } })
  const member = await service.addUser({ roles: { [projectId]: 'member' } })
  const stranger = await service.addUser({ roles: { [otherId]: 'member' } })
  await addMember(service.db, projectId, superadmin.id, 'member')
  for (const { email } of [member, stranger, superadmin]) await signIn(email)
  await all.call(`${identity}/users/set-ai`, { id: member.id, enable_ai: true })
  const { entries } = await service.client(owner.token).call(list)
  assert.deepEqual(
    entries.map(({ kind, actor_email, address }) => [kind, actor_email, address]),
    [
      ['user.changed', superadmin.email, null],
      ['sign_in.succeeded', member.email, '127.0.0.1'],
    ],
  )
  const inProject = service.client(superadmin.token, { 'x-project-id': String(projectId) })
  assert.equal((await inProject.call(list, { is_of_project: true })).entries.length, 2)
})

test('pages and filters by kind, person and time', async () => {
  const user = await service.addUser()
  for (let i = 0; i < 3; i++) await signIn(user.email, { password: 'wrong' })
  await signIn(user.email)
  assert.equal((await all.call(list, { actor: user.email.toUpperCase() })).entries.length, 1)
  const everything = (await all.call(list, { person: user.email.toUpperCase() })).entries
  assert.equal(everything.length, 4)
  const first = await all.call(list, { person: user.email, limit: 3 })
  const second = await all.call(list, { person: user.email, limit: 3, cursor: first.next_cursor })
  assert.deepEqual([...first.entries, ...second.entries], everything)
  assert.equal(second.next_cursor, null)
  const failed = await all.call(list, { person: user.email, kind: 'sign_in.failed' })
  assert.equal(failed.entries.length, 3)
  const [oldest, later] = everything.toReversed() as unknown as [{ at: string }, { at: string }]
  await sql`update audit_entries set at = at - interval '2 days' where account_id = ${user.id} and at <= ${oldest.at}::timestamptz + interval '1 ms'`
  const before = new Date(Date.now() - 86_400_000).toISOString()
  assert.equal((await all.call(list, { person: user.email, until: before })).entries.length, 1)
  assert.equal((await all.call(list, { person: user.email, from: later.at })).entries.length, 3)
  assert.deepEqual((await all.call(list, { actor: 'nobody@example.test' })).entries, [])
  assert.equal((await all.attempt(list, { cursor: 'x' })).status, 422)
  for (const day of ['2026-02-31', '2026-13-01']) {
    const refused = await all.attempt(list, { from: day })
    assert.deepEqual([refused.status, refused.ok || Object.keys(refused.errors)], [422, ['from']])
  }
})

test('422 for a cursor of another list: other filters, another project, or no entry', async () => {
  const projectId = await service.addProject()
  const otherId = await service.addProject()
  const owner = await service.addUser({ roles: { [projectId]: 'owner' } })
  const stranger = await service.addUser({ roles: { [otherId]: 'owner' } })
  for (const { email } of [owner, owner, stranger, stranger]) await signIn(email)
  const { next_cursor: cursor } = await service.client(stranger.token).call(list, { limit: 1 })
  assert.equal((await service.client(stranger.token).call(list, { cursor })).entries.length, 1)
  for (const [token, input] of [
    [owner.token, { cursor }],
    [owner.token, { cursor: '999999999' }],
    [stranger.token, { cursor, kind: 'sign_in.failed' }],
    [stranger.token, { cursor, actor: owner.email }],
    [stranger.token, { cursor, until: '2020-01-01' }],
  ] as const) {
    const refused = await service.client(token).attempt(list, input)
    assert.equal(refused.status, 422, JSON.stringify(input))
  }
})

test('a person is found as actor, as account and by the address that was tried; an IP address too', async () => {
  const projectId = await service.addProject()
  const owner = await service.addUser({ roles: { [projectId]: 'owner' } })
  const user = await service.addUser({ roles: { [projectId]: 'member' } })
  await signIn(user.email)
  await all.call(`${identity}/users/set-ai`, { id: user.id, enable_ai: true })
  await service.addUser().then(({ email }) => signIn(email))
  interface Filters {
    person?: string
    address?: string
    kind?: 'user.changed'
    limit?: number
    cursor?: string | null
  }
  const kindsOf = async (input: Filters, client = all) =>
    (await client.call(list, input)).entries.map(({ kind }) => kind)
  const both = ['user.changed', 'sign_in.succeeded']
  assert.deepEqual(await kindsOf({ person: user.email.toUpperCase() }), both)
  assert.deepEqual(await kindsOf({ person: user.email, kind: 'user.changed' }), ['user.changed'])
  assert.deepEqual(await kindsOf({ person: user.email, limit: 1 }), ['user.changed'])
  const { next_cursor: cursor } = await all.call(list, { person: user.email, limit: 1 })
  assert.deepEqual(await kindsOf({ person: user.email, limit: 1, cursor }), ['sign_in.succeeded'])
  await signIn('Somebody.Else@example.test')
  assert.deepEqual(await kindsOf({ person: 'somebody.else@example.test' }), ['sign_in.failed'])
  await sql`update audit_entries set address = '192.0.2.77' where account_id = ${user.id}`
  assert.deepEqual(await kindsOf({ address: '192.0.2.77' }), both)
  // An owner cannot try out where a superadmin works.
  const ofOwner = service.client(owner.token)
  assert.deepEqual(await kindsOf({ person: user.email }, ofOwner), both)
  assert.deepEqual(await kindsOf({ address: '192.0.2.77' }, ofOwner), ['sign_in.succeeded'])
})

test('lists read one page from an index, whatever is asked for', async () => {
  await sql`
    insert into audit_entries (kind, source, actor_id, account_id, in_project_id, address, details, at)
    select (array['sign_in.succeeded', 'access.refused'])[1 + n % 2], 'api', n % 50, n % 60, n % 70, '192.0.2.' || n % 80,
      jsonb_build_object('email', n % 90 || '@example.test'), now() - n * interval '1 second'
    from generate_series(1, 20000) n`
  await sql`analyze audit_entries`
  const ids = (await sql<{ id: number }[]>`select id from audit_entries order by at desc limit 1`)[0]
  const wheres = [
    '',
    `where (at, id) < (select at, id from audit_entries where id = ${ids?.id})`,
    `where at < now() - interval '1 hour'`,
    `where kind = 'user.added'`,
    `where actor_id = 7 and (at, id) < (select at, id from audit_entries where id = ${ids?.id})`,
    `where in_project_id = 7 and at < now() - interval '1 hour'`,
    `where in_project_id = 7 and kind = 'access.refused'`,
    `where account_id = 7`,
    `where address = '192.0.2.7'`,
    `where lower(details ->> 'email') = '7@example.test'`,
  ]
  for (const where of wheres) {
    const plan = await service.db.run<Record<string, string>>(
      `explain select * from audit_entries ${where} order by at desc, id desc limit 51`,
      [],
    )
    const text = plan.map((row) => row['QUERY PLAN']).join('\n')
    assert.match(text, /Index Scan Backward/, where)
    assert.doesNotMatch(text, /Sort|Seq Scan|Filter/, where)
  }
})

test('entries are deleted when they are older than the log is kept, and only then', async () => {
  await sql`insert into audit_entries (kind, source, at) values
    ('user.added', 'api', now() - interval '91 days'), ('user.disabled', 'api', now() - interval '89 days')`
  await keepAudit(service.db, 90)
  await forgetAudit(service.db)
  assert.equal((await all.call(list, { kind: 'user.added' })).entries.length, 0)
  assert.equal((await all.call(list, { kind: 'user.disabled' })).entries.length, 1)
})

test('what the operator does to templates, rollouts, themes, labels and trials is one entry each, for superadmins of the platform', async () => {
  const admin = '/services/operations/v1/admin'
  const websites = '/services/websites/v1/themes'
  const master = await createMaster(service, { projects: 3 })
  const { admin: operator, boardId, platformId, superadmin: actor } = master
  const ids = master.projects.map(({ id }) => id)
  const rollouts = `${admin}/rollouts` as const
  const reaches = (id: number, status: string) =>
    eventually(
      async () => ((await operator.call(`${rollouts}/get`, { id })).rollout.status === status ? [id] : []),
      1,
    )
  await master.publish()
  const plan = async (input: { stages?: { percent?: number }[] } = {}) => {
    const { rollout } = await operator.call(`${rollouts}/plan`, { board_id: boardId, ...input })
    await reaches(rollout.id, 'planned')
    return rollout.id
  }
  await operator.call(`${rollouts}/discard`, { id: await plan() })
  const staged = await plan({ stages: [{ percent: 40 }, {}] })
  await operator.call(`${rollouts}/apply`, { id: staged })
  await reaches(staged, 'waiting')
  await operator.call(`${rollouts}/pause`, { id: staged })
  await operator.call(`${rollouts}/resume`, { id: staged })
  await reaches(staged, 'waiting')
  await operator.call(`${rollouts}/cancel`, { id: staged })
  const { rollout: revert } = await operator.call(`${rollouts}/revert`, { id: staged })
  await reaches(revert.id, 'planned')
  await operator.call(`${rollouts}/apply`, { id: revert.id })
  await reaches(revert.id, 'done')
  await operator.call(`${admin}/master-cards/delete`, {
    id: master.cardIds[0] as number,
    delete_from_projects: true,
  })
  await operator.call(`${admin}/master-boards/delete`, { id: boardId })
  await operator.call(`${admin}/master-boards/restore`, { id: boardId })
  await operator.call(`${admin}/projects/label`, { ids: ids.slice(0, 2), add: ['Pilot'] })
  await operator.call(`${admin}/projects/label`, { ids: ids.slice(0, 1), remove: ['pilot'] })
  const { superadmin: publisher, addVersion, reviewer } = await createTheme(service)
  const [old, next] = [await addVersion('published'), await addVersion('published')]
  const version = { version_id: old }
  await publisher.call(`${websites}/campaigns/create`, {
    ...version,
    ...{ reason: 'Slow.', replacement_id: next, deadline: new Date(Date.now() + 9e8).toISOString() },
  })
  await publisher.call(`${websites}/campaigns/start-moving`, version)
  await publisher.call(`${websites}/campaigns/stop-moving`, version)
  await publisher.call(`${websites}/campaigns/end`, version)
  await publisher.call(`${websites}/versions/restore`, version)

  const of = async ({ email }: { email: string }) =>
    (await all.call(list, { actor: email, limit: 100 })).entries
      .filter(({ kind }) => !kind.startsWith('sign_in'))
      .reverse()
  const entries = await of(actor)
  assert.deepEqual(
    entries.map(({ kind, details }) => [
      kind,
      details['rollout_kind'] ?? details['template'] ?? details['projects'],
    ]),
    [
      ['template.published', 'Launch'],
      ['rollout.planned', 'board'],
      ['rollout.discarded', 'board'],
      ['rollout.planned', 'board'],
      ['rollout.started', 'board'],
      ['rollout.paused', 'board'],
      ['rollout.resumed', 'board'],
      ['rollout.canceled', 'board'],
      ['rollout.planned', 'revert'],
      ['rollout.reverted', 'revert'],
      ['rollout.started', 'removal'],
      ['template.deleted', 'Launch'],
      ['template.restored', 'Launch'],
      ['project.labeled', 2],
      ['project.labeled', 1],
    ],
  )
  const third = await service.addProject('Third', [], (await addPlatform(service.db, 'Third')) as number)
  const ofBoth = [ids[0] as number, third]
  await all.call(`${admin}/projects/label`, { ids: ofBoth, add: ['Both'] })
  const labeled = (await all.call(list, { kind: 'project.labeled', limit: 2 })).entries
  assert.deepEqual(new Set(labeled.map(({ project_id }) => project_id)), new Set(ofBoth))
  const started = entries.find(({ kind }) => kind === 'rollout.started')
  assert.deepEqual(started?.details, {
    ...{
      rollout: staged,
      rollout_kind: 'board',
      title: 'Launch',
      template: 'Launch',
      version: 1,
      projects: 3,
    },
  })
  assert.ok(entries.every(({ address, request_id: id }) => address === '127.0.0.1' && id?.length === 36))
  assert.deepEqual(
    entries.slice(-2).map(({ project_id: id, details }) => [id, details['project_ids']]),
    [
      [null, ids.slice(0, 2)],
      [ids[0], undefined],
    ],
  )
  assert.deepEqual(
    (await of(reviewer))
      .slice(-5)
      .map(({ kind, details }) => [kind, details['theme'], details['replacement']]),
    [
      ['theme.deprecated', 'Aurora 1.0', undefined],
      ['theme.move_started', 'Aurora 1.0', 'Aurora 2.0'],
      ['theme.move_stopped', 'Aurora 1.0', undefined],
      ['theme.campaign_ended', 'Aurora 1.0', undefined],
      ['theme.restored', 'Aurora 1.0', undefined],
    ],
  )
  const own = await service.addUser({ superadmin: true, platformId })
  const elsewhere = await service.addUser({
    superadmin: true,
    platformId: (await addPlatform(service.db, 'Elsewhere')) as number,
  })
  const seen = async ({ token }: { token: string }) =>
    (await service.client(token).call(list, { kind: 'rollout.started', actor: actor.email })).entries.length
  assert.deepEqual([await seen(own), await seen(elsewhere)], [2, 0])
})
