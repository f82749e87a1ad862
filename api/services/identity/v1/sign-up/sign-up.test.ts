import assert from 'node:assert/strict'
import test from 'node:test'
import { linkIn, startMailServer } from '#tests/mail-server.ts'
import { createMaster } from '#tests/master.ts'
import { post } from '#tests/post.ts'
import { eventually } from '#tests/process.ts'
import { startTestService } from '#tests/service.ts'

const base = '/services/identity/v1/sign-up'
const server = await startMailServer()
const service = await startTestService({ mail: server.mail, signUp: { way: 'open', domains: [] } })
const { sql } = service.db
const anonymous = service.client()
const person = { name: 'Ada', password: 'tall oaks hum at noon', project_name: 'Engine' }

const ask = (email: string, at = service) => post(at, `${base}/request`, '', { email })

/** The first requests of an address are free. */
const forgetAttempts = () => sql`delete from sign_in_attempts`

async function linkFor(email: string): Promise<string> {
  await forgetAttempts()
  assert.equal((await ask(email)).status, 200)
  return linkIn(await server.newest(email, /Confirm your email/), '/sign-up').split('#')[1] as string
}

const codeOf = async (path: string, input: object, at = service) => {
  const { status, headers } = await post(at, `${base}/${path}`, '', input)
  return [status, headers.get('x-error-code')]
}

test('200 and 201 the link of the mail confirms the address and creates an account that owns a project with templates and a trial', async () => {
  const { boardId, publish } = await createMaster(service, { projects: 0, cards: 1 })
  await publish()
  await sql`update master_boards set tool_key = 'shop' where id = ${boardId}`
  const token = await linkFor('Ada@engine.test')
  const shown = await anonymous.call(`${base}/check`, { token })
  assert.deepEqual(
    [shown.email, shown.products[0]?.key, shown.trial_days],
    ['Ada@engine.test', 'website', 14],
  )
  const made = await anonymous.call(`${base}/complete`, {
    ...{ token, ...person, product: 'shop', language: 'de', time_zone: 'Europe/Berlin' },
  })
  const client = service.client(made.token)
  const { user, current_project: project } = await client.call('/services/identity/v1/users/me')
  assert.deepEqual(
    [user.id, user.name, user.email, user.language, user.time_zone, user.superadmin],
    [made.user_id, 'Ada', 'Ada@engine.test', 'de', 'Europe/Berlin', false],
  )
  assert.deepEqual(
    [project?.id, project?.name, project?.role, project?.tool_keys],
    [made.project_id, 'Engine', 'owner', ['shop']],
  )
  const { subscriptions } = await client.call('/services/platforms/v1/subscriptions/list', {})
  assert.deepEqual(
    subscriptions.map(({ product, status }) => [product, status]),
    [['shop', 'trialing']],
  )
  const { boards } = await client.call('/services/operations/v1/operations/boards/list', {})
  assert.deepEqual(
    boards.map((board) => board['master_board_id']),
    [boardId],
  )
  const entries = await sql<{ kind: string; details: object }[]>`
    select kind, details from audit_entries where actor_id = ${made.user_id} order by id`
  assert.deepEqual(
    entries.map(({ kind }) => kind),
    ['user.added', 'project.created', 'member.added', 'sign_in.succeeded'],
  )
  assert.deepEqual(await codeOf('complete', { token, ...person }), [404, 'sign_up_link_not_found'])
  assert.deepEqual(await codeOf('check', { token }), [404, 'sign_up_link_not_found'])
})

test('200 the same answer with and without an account; who has one is told so by mail and gets no link', async () => {
  const user = await service.addUser()
  await forgetAttempts()
  const known = await ask(user.email.toUpperCase())
  const unknown = await ask('nobody@engine.test')
  await anonymous.call(`${base}/request`, { email: 'typed@engine.test' })
  assert.deepEqual([known.status, known.text], [unknown.status, unknown.text])
  const mail = await server.newest(user.email, /already have an account/)
  assert.ok(mail.text.includes('/sign-in') && !mail.text.includes('#'), mail.text)
  assert.match((await server.newest('nobody@engine.test')).subject, /Confirm/)
})

test('an address gets three mails in an hour, and a network waits from its sixth request on', async () => {
  await forgetAttempts()
  const email = 'often@engine.test'
  const answers: number[] = []
  for (let count = 0; count < 4; count++) answers.push((await ask(email)).status)
  assert.deepEqual(answers, [200, 200, 200, 200])
  await eventually(async () => assert.equal((await sql`select from sign_up_requests`).length, 0))
  const mails = await sql`select from mails where to_address = ${email}`
  assert.equal(mails.length, 3)
  await ask('other1@engine.test')
  const slowed = await ask('other2@engine.test')
  assert.deepEqual([slowed.status, slowed.headers.get('x-error-code')], [429, 'too_many_attempts'])
  assert.ok(Number(slowed.headers.get('retry-after')) >= 1)
  await forgetAttempts()
})

test('one link creates one account, however many use it at once, and a newer account ends it', async () => {
  const token = await linkFor('race@engine.test')
  const answers = await Promise.all(
    [1, 2, 3].map(() => post(service, `${base}/complete`, '', { token, ...person })),
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 404, 404])
  const late = await linkFor('late@engine.test')
  await sql`update users set email = 'late@engine.test' where email = 'race@engine.test'`
  assert.deepEqual(await codeOf('complete', { token: late, ...person }), [400, 'account_exists'])
  const [count] = await sql<{ count: number }[]>`
    select count(*) from projects where name = 'Engine' and id in (
      select project_id from memberships m join users u on u.id = m.user_id where u.email = 'late@engine.test')`
  assert.equal(count?.count, 1)
})

test('404 for a link that has expired or is none; 422 for passwords, names and products that do not exist', async () => {
  const token = await linkFor('strict@engine.test')
  assert.deepEqual(await codeOf('complete', { token, ...person, password: 'password1234' }), [
    422,
    'password_too_easy',
  ])
  assert.deepEqual(await codeOf('complete', { token, ...person, password: 'ö'.repeat(600) }), [
    422,
    'password_too_long',
  ])
  assert.deepEqual(await codeOf('complete', { token, ...person, product: 'rockets' }), [
    422,
    'product_not_found',
  ])
  assert.deepEqual(await codeOf('complete', { token, ...person, project_name: ' ' }), [
    422,
    'project_name_required',
  ])
  assert.deepEqual(await codeOf('complete', { token, ...person, name: 'Cardinal support' }), [
    422,
    'name_reserved',
  ])
  for (const wrong of ['x', `cardinal_${'A'.repeat(43)}`])
    assert.deepEqual(await codeOf('check', { token: wrong }), [404, 'sign_up_link_not_found'])
  await sql`update sign_ups set expires_at = now() where email = 'strict@engine.test'`
  assert.deepEqual(await codeOf('complete', { token, ...person }), [404, 'sign_up_link_not_found'])
})

test('403 where it is off, for links that were sent before too; 422 for other domains; 400 without mail', async () => {
  const off = await startTestService({ mail: server.mail }, service.address)
  const token = await linkFor('early@engine.test')
  for (const [path, input] of [
    ['request', { email: 'ada@engine.test' }],
    ['check', { token }],
    ['complete', { token, ...person }],
  ] as const)
    assert.deepEqual(await codeOf(path, input, off), [403, 'sign_up_off'])
  const rule = { way: 'domains', domains: ['engine.test'] } as const
  const some = await startTestService(
    { mail: server.mail, signUp: { ...rule, domains: [...rule.domains] } },
    service.address,
  )
  await forgetAttempts()
  assert.equal((await ask('Someone@ENGINE.test', some)).status, 200)
  for (const path of ['check', 'complete'] as const) {
    const elsewhere = { token: await linkFor(`${path}@elsewhere.test`), ...person }
    assert.deepEqual(await codeOf(path, elsewhere, some), [403, 'sign_up_off'])
  }
  for (const email of ['a@sub.engine.test', 'a@engine.test.evil.test', 'a@notengine.test'])
    assert.deepEqual(await codeOf('request', { email }, some), [422, 'email_other_domain'])
  const silent = await startTestService({ mail: { way: 'none' }, signUp: { way: 'open', domains: [] } })
  assert.deepEqual(await codeOf('request', { email: 'ada@engine.test' }, silent), [400, 'mail_not_set_up'])
  const status = '/services/identity/v1/setup/status' as const
  assert.deepEqual(
    [(await some.client().call(status)).sign_up, (await off.client().call(status)).sign_up],
    ['domains', 'off'],
  )
})

test('the secret of a link is nowhere in the database', async () => {
  await linkFor('hidden@engine.test')
  const rows =
    await sql`select encode(token_hash, 'hex') as hash from sign_ups where email = 'hidden@engine.test'`
  assert.equal(rows.length, 1)
  const [mail] = await sql`select content, secret from mails where to_address = 'hidden@engine.test'`
  assert.deepEqual({ ...mail }, { content: {}, secret: null })
})
