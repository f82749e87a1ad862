import assert from 'node:assert/strict'
import test from 'node:test'
import type { Role } from '#identity/roles.ts'
import { usualQuotas } from '#quotas/quotas.ts'
import { waitingForLocks } from '#tests/lock-waits.ts'
import { linkIn, startMailServer } from '#tests/mail-server.ts'
import { eventually } from '#tests/process.ts'
import { password, recordedLog, startTestService, type TestService, type TestUser } from '#tests/service.ts'

const base = '/services/identity/v1/invitations'
const server = await startMailServer()
const { log, lines } = recordedLog()
const service = await startTestService({ mail: server.mail }, undefined, log)

let number = 0
const newAddress = () => `invited${++number}@example.test`

async function scene(role: Role = 'owner', at: TestService = service) {
  const projectId = await at.addProject('Garden')
  const user = await at.addUser({ roles: { [projectId]: role } })
  return { projectId, user, client: at.client(user.token) }
}

const secretOf = async (email: string) =>
  linkIn(await server.newest(email), '/invitation').split('#')[1] as string

async function invited(role: Role = 'member', email = newAddress()) {
  const { projectId, client, user } = await scene()
  const { invitations } = await client.call(`${base}/create`, { emails: [email], role })
  const [invitation] = invitations
  assert.ok(invitation)
  return { projectId, client, user, email, invitation, token: await secretOf(email) }
}

/** The status and the code of a refusal. */
const outcome = (answer: { ok: boolean; status: number; code?: string }) => [
  answer.status,
  answer.ok ? null : answer.code,
]

const lookUp = async (token: string) => outcome(await service.client().attempt(`${base}/look-up`, { token }))
const person = { name: 'Ada', password: 'tall oaks hum at noon' }
const signUp = async (token: string, given: Partial<typeof person> = {}) =>
  outcome(await service.client().attempt(`${base}/sign-up`, { token, ...person, ...given }))
const accept = async (user: TestUser, token: string) =>
  outcome(await service.client(user.token).attempt(`${base}/accept`, { token }))

/** An account with an address of its own. */
async function accountOf(email: string): Promise<TestUser> {
  const user = await service.addUser()
  await service.db.sql`update users set email = ${email} where id = ${user.id}`
  return { ...user, email }
}

test('403 a session of long ago invites members, but no owner until the password is entered again', async () => {
  const { client, user } = await scene()
  await service.db.sql`update sessions set password_at = now() - interval '1 hour' where user_id = ${user.id}`
  const inviteAs = async (role: Role) =>
    outcome(await client.attempt(`${base}/create`, { emails: [newAddress()], role }))
  assert.deepEqual(await inviteAs('admin'), [201, null])
  assert.deepEqual(await inviteAs('owner'), [403, 'password_confirmation_required'])
  await client.call('/services/identity/v1/password/confirm', { password })
  assert.deepEqual(await inviteAs('owner'), [201, null])
})

test('201 several people are invited at once; members and people with an open invitation are named', async () => {
  const { client, user, projectId } = await scene()
  const [first, second] = [newAddress(), newAddress()]
  const made = await client.call(`${base}/create`, {
    emails: [first, second, first.toUpperCase()],
    role: 'admin',
  })
  assert.deepEqual(
    made.invitations.map(({ email, role, inviter_name, is_expired }) => ({
      email,
      role,
      inviter_name,
      is_expired,
    })),
    [first.toUpperCase(), second].map((email) => ({
      email,
      role: 'admin',
      inviter_name: made.invitations[0]?.inviter_name,
      is_expired: false,
    })),
  )
  const again = await client.call(`${base}/create`, { emails: [first, user.email], role: 'viewer' })
  assert.deepEqual(again, {
    invitations: [],
    skipped: [
      { email: first, reason: 'invited' },
      { email: user.email, reason: 'member' },
    ],
  })
  const { invitations } = await client.call(`${base}/list`)
  assert.deepEqual(
    invitations.map(({ email }) => email),
    [second, first.toUpperCase()],
  )
  const mail = await server.newest(second)
  assert.match(mail.subject, /^User \d+ invited you to Garden$/)
  const entries = await service.db.sql`
    select details from audit_entries where in_project_id = ${projectId} and kind = 'invitation.sent' order by id`
  assert.deepEqual(
    entries.map(({ details }) => details),
    [first.toUpperCase(), second].map((email) => ({ email, role: 'admin' })),
  )
})

test('201 the answer is the same for an address with an account and one without', async () => {
  const { client } = await scene()
  const known = await accountOf(newAddress())
  const [one, two] = await Promise.all(
    [known.email, newAddress()].map((email) =>
      client.call(`${base}/create`, { emails: [email], role: 'member' }),
    ),
  )
  const shape = ({ invitations, skipped }: NonNullable<typeof one>) => [
    invitations.map((invitation) => Object.keys(invitation)),
    skipped,
  ]
  assert.deepEqual(shape(one as NonNullable<typeof one>), shape(two as NonNullable<typeof two>))
})

test('201 a new person signs up with the link, is a member with the role and signed in; the link is used up', async () => {
  const { token, email, projectId, client } = await invited('admin')
  const { invitation } = await service.client().call(`${base}/look-up`, { token })
  assert.deepEqual(
    [invitation.project_name, invitation.email, invitation.role, invitation.has_account],
    ['Garden', email, 'admin', false],
  )
  const made = await service.client().call(`${base}/sign-up`, { token, ...person, language: 'de' })
  assert.equal(made.project_id, projectId)
  const me = await service.client(made.token).call('/services/identity/v1/users/me')
  assert.deepEqual([me.user.email, me.user.name, me.user.language], [email, 'Ada', 'de'])
  assert.deepEqual(me.memberships, [{ project_id: projectId, project_name: 'Garden', role: 'admin' }])
  assert.deepEqual((await client.call(`${base}/list`)).invitations, [])
  for (const way of [lookUp, signUp]) assert.deepEqual(await way(token), [400, 'invitation_used'])
  const kinds = await service.db.sql`
    select kind, details from audit_entries where account_id = ${made.user_id} order by id`
  assert.deepEqual(
    kinds.map(({ kind }) => kind),
    ['user.added', 'member.added', 'sign_in.succeeded'],
  )
  // The secret is neither in the database nor in the log.
  const [stored] = await service.db.sql<{ text: string }[]>`
    select json_build_object('invitations', (select json_agg(i) from invitations i where project_id = ${projectId}),
      'mails', (select json_agg(m) from mails m))::text as text`
  const secret = token.split('.')[1] as string
  assert.ok(!stored?.text.includes(secret) && !lines.join('').includes(secret))
  assert.ok(!lines.join('').includes(email))
})

test('200 somebody with an account accepts, and an event tells the project', async () => {
  const { token, email, projectId, user: inviter } = await invited('viewer')
  const user = await accountOf(email.toUpperCase())
  assert.deepEqual(await signUp(token), [400, 'account_exists'])
  assert.deepEqual(await accept(user, token), [200, null])
  assert.deepEqual(await accept(user, token), [400, 'invitation_used'])
  const [event] = await service.db.sql`
    select kind, data from events where project_id = ${projectId} order by id desc limit 1`
  assert.deepEqual(event, {
    kind: 'member.joined',
    data: { user_id: user.id, role: 'viewer', invited_by: inviter.id },
  })
  const me = await service.client(user.token).call('/services/identity/v1/users/me')
  assert.equal(me.current_project?.id, projectId)
})

test('200 a member keeps the role they have', async () => {
  const { token, email, projectId } = await invited('viewer')
  const user = await accountOf(email)
  await service.db
    .sql`insert into memberships (project_id, user_id, role) values (${projectId}, ${user.id}, 'admin')`
  assert.deepEqual(await accept(user, token), [200, null])
  const [member] = await service.db.sql`
    select role from memberships where project_id = ${projectId} and user_id = ${user.id}`
  assert.equal(member?.['role'], 'admin')
})

test('403 for an account with another address', async () => {
  const { token } = await invited()
  assert.deepEqual(await accept(await service.addUser(), token), [403, 'other_account'])
  assert.deepEqual(await lookUp(token), [200, null])
})

test('400 for an invitation that has expired or was revoked, 404 for what is none', async () => {
  const { token, client, invitation, projectId, email } = await invited()
  const user = await accountOf(email)
  const outcomes = async () => [await lookUp(token), await signUp(token), await accept(user, token)]
  await service.db.sql`update invitations set expires_at = now() where project_id = ${projectId}`
  for (const one of await outcomes()) assert.deepEqual(one, [400, 'invitation_expired'])
  assert.equal((await client.call(`${base}/list`)).invitations[0]?.is_expired, true)
  await client.call(`${base}/revoke`, { id: invitation.id })
  for (const one of await outcomes()) assert.deepEqual(one, [400, 'invitation_revoked'])
  assert.deepEqual(outcome(await client.attempt(`${base}/revoke`, { id: invitation.id })), [
    404,
    'invitation_not_found',
  ])
  const other = `${projectId + 1}.${token.split('.')[1]}`
  for (const useless of ['x', other, `${projectId}.x`, `999999999999999.${token.split('.')[1]}`]) {
    assert.deepEqual(await lookUp(useless), [404, 'invitation_not_found'])
    assert.deepEqual(await signUp(useless), [404, 'invitation_not_found'])
    assert.deepEqual(await accept(user, useless), [404, 'invitation_not_found'])
  }
})

test('422 for a name that is reserved for the support of Cardinal', async () => {
  const { token } = await invited()
  assert.deepEqual(await signUp(token, { name: 'Cardinal support' }), [422, 'name_reserved'])
  assert.deepEqual(await lookUp(token), [200, null])
})

test('400 while the project is archived, and the same link works when it is back', async () => {
  const { token, email, projectId } = await invited('admin')
  const setArchived = (isArchived: boolean) =>
    service.db
      .sql`update projects set archived_at = case when ${isArchived} then now() end where id = ${projectId}`
  const refused = [400, 'invitation_archived']
  await setArchived(true)
  for (const way of [lookUp, signUp]) assert.deepEqual(await way(token), refused)
  const user = await accountOf(email)
  assert.deepEqual(await accept(user, token), refused)
  await setArchived(false)
  assert.deepEqual(await accept(user, token), [200, null])
})

test('400 while the account of the inviter is disabled, as after somebody else has used it', async () => {
  const { token, user } = await invited('admin')
  await service.db.sql`update users set disabled_at = now() where id = ${user.id}`
  for (const way of [lookUp, signUp]) assert.deepEqual(await way(token), [400, 'invitation_revoked'])
  await service.db.sql`update users set disabled_at = null where id = ${user.id}`
  assert.deepEqual(await lookUp(token), [200, null])
})

test('200 once for two people who use one link at the same time', async () => {
  const { token } = await invited()
  const outcomes = await Promise.all([signUp(token), signUp(token, { name: 'Eve' })])
  assert.deepEqual(outcomes.map(([status]) => status).sort(), [201, 400])
})

test('404 if the project is deleted meanwhile: nobody joins it, and no account is created', async () => {
  const { token, projectId, email } = await invited()
  const { token: another, projectId: anotherId, email: known } = await invited()
  const user = await accountOf(known)
  const { answers } = await service.db.transaction(async ({ sql }) => {
    await sql`update projects set deleted_at = now() where id = any(${[projectId, anotherId]}::bigint[])`
    const answers = Promise.all([signUp(token), accept(user, another)])
    await waitingForLocks(service.db, 2)
    return { answers }
  })
  for (const answer of await answers) assert.deepEqual(answer, [404, 'invitation_not_found'])
  assert.equal((await service.db.sql`select from users where email = ${email}`).length, 0)
  assert.equal((await service.db.sql`select from events where project_id = ${anotherId}`).length, 0)
})

test('200 sending again replaces the link; 429 within a minute, 400 after five times', async () => {
  const { token, client, invitation, projectId, email } = await invited()
  const resend = async () => outcome(await client.attempt(`${base}/resend`, { id: invitation.id }))
  assert.deepEqual(await resend(), [429, 'sent_just_now'])
  const later = (count = 1) => service.db.sql`
    update invitations set sent_at = sent_at - interval '2 minutes', sent_count = ${count} where project_id = ${projectId}`
  await later()
  assert.deepEqual(await resend(), [200, null])
  await eventually(async () => assert.notEqual(await secretOf(email), token))
  assert.deepEqual(await lookUp(token), [404, 'invitation_not_found'])
  assert.deepEqual(await lookUp(await secretOf(email)), [200, null])
  await later(5)
  assert.deepEqual(await resend(), [400, 'sent_too_often'])
  assert.deepEqual(outcome(await client.attempt(`${base}/resend`, { id: 0 })), [404, 'invitation_not_found'])
})

test('403 for a role above one’s own, to send and to send again', async () => {
  const { client, projectId } = await scene('admin')
  const email = newAddress()
  const create = async (role: Role) =>
    outcome(await client.attempt(`${base}/create`, { emails: [email], role }))
  assert.deepEqual(await create('owner'), [403, 'role_too_high'])
  assert.deepEqual(await create('admin'), [201, null])
  await service.db.sql`
    update invitations set role = 'owner', sent_at = now() - interval '1 hour' where project_id = ${projectId}`
  const [invitation] = (await client.call(`${base}/list`)).invitations
  assert.deepEqual(outcome(await client.attempt(`${base}/resend`, { id: invitation?.id as number })), [
    403,
    'role_too_high',
  ])
})

test('400 with too many open invitations, 429 with too many in a day', async () => {
  const { client, projectId, user } = await scene()
  const add = (count: number, sent: string) => service.db.sql`
    insert into invitations (project_id, email, role, token_hash, invited_by, sent_at, expires_at, revoked_at)
    select ${projectId}, 'many' || n || '@example.test', 'viewer', sha256(n::text::bytea), ${user.id}, now() - ${sent}::interval,
      now() + interval '1 day', case when ${sent} = '1 hour' then now() end
    from generate_series(1, ${count}) n`
  const create = async (client_ = client) =>
    outcome(await client_.attempt(`${base}/create`, { emails: [newAddress()], role: 'viewer' }))
  await add(200, '2 days')
  assert.deepEqual(await create(), [400, 'too_many_open_invitations'])
  // More than that are open only if the limit was higher before.
  const { invitations } = await client.call(`${base}/list`)
  await service.db.sql`
    insert into invitations (project_id, email, role, token_hash, invited_by, expires_at)
    values (${projectId}, ${newAddress()}, 'viewer', sha256('more'), ${user.id}, now() + interval '1 day')`
  const sentAgain = await client.attempt(`${base}/resend`, { id: invitations[0]?.id as number })
  assert.deepEqual(outcome(sentAgain), [400, 'too_many_open_invitations'])
  await service.db.sql`delete from invitations where project_id = ${projectId}`
  await add(50, '1 hour')
  const refused = await client.attempt(`${base}/create`, { emails: [newAddress()], role: 'viewer' })
  assert.deepEqual(outcome(refused), [429, 'too_many_invitations'])
  assert.ok(!refused.ok && (refused.retryAfterSeconds as number) > 80_000)
  // Somebody else may still invite, until the project has sent too many.
  const other = await service.addUser({ roles: { [projectId]: 'admin' } })
  assert.deepEqual(await create(service.client(other.token)), [201, null])
  await service.db.sql`update invitations set sent_count = 4 where project_id = ${projectId}`
  assert.deepEqual(await create(service.client(other.token)), [429, 'too_many_invitations'])
  const [resent] = await service.db.sql<{ id: number }[]>`
    update invitations set sent_at = now() - interval '2 minutes' where project_id = ${projectId} and revoked_at is null returning id`
  const again = await service.client(other.token).attempt(`${base}/resend`, { id: resent?.id as number })
  assert.deepEqual(outcome(again), [429, 'too_many_invitations'])
})

test('429 for a sixth mail to one address in a day, also if it is revoked and invited anew', async () => {
  const { client, projectId } = await scene()
  const email = newAddress()
  const create = (given = email) => client.attempt(`${base}/create`, { emails: [given], role: 'viewer' })
  for (let mails = 0; mails < 5; mails++) {
    const made = await create(mails % 2 === 0 ? email : email.toUpperCase())
    assert.ok(made.ok)
    await client.call(`${base}/revoke`, { id: made.data.invitations[0]?.id as number })
  }
  assert.deepEqual(outcome(await create()), [429, 'too_many_invitations'])
  assert.deepEqual(outcome(await create(newAddress())), [201, null])
  await service.db
    .sql`update invitations set sent_at = now() - interval '1 day' where project_id = ${projectId}`
  assert.deepEqual(outcome(await create()), [201, null])
})

test('400 for a project that is full', async () => {
  const full = await startTestService({ mail: server.mail, quotas: { ...usualQuotas, membersPerProject: 1 } })
  const { client } = await scene('owner', full)
  const [first, second] = [newAddress(), newAddress()]
  await client.call(`${base}/create`, { emails: [first, second], role: 'member' })
  const user = await full.addUser()
  await full.db.sql`update users set email = ${second} where id = ${user.id}`
  const signedUp = await full.client().attempt(`${base}/sign-up`, { token: await secretOf(first), ...person })
  assert.deepEqual(outcome(signedUp), [400, 'limit_reached'])
  const accepted = await full.client(user.token).attempt(`${base}/accept`, { token: await secretOf(second) })
  assert.deepEqual(outcome(accepted), [400, 'limit_reached'])
})

test('422 for addresses that are none, too many of them, and a weak password', async () => {
  const { client, token } = await invited()
  const codes = async (emails: string[]) => {
    const answer = await client.attempt(`${base}/create`, { emails, role: 'member' })
    return answer.ok ? {} : answer.codes
  }
  assert.deepEqual(await codes(['a@example.test', 'nobody', 'a\r\nBcc: b@example.test']), {
    'emails.1': ['not_an_email'],
    'emails.2': ['not_an_email'],
  })
  assert.deepEqual(await codes(Array.from({ length: 21 }, newAddress)), { emails: ['too_many'] })
  assert.deepEqual(await signUp(token, { password: 'passwordpassword' }), [422, 'password_too_easy'])
  assert.deepEqual(await signUp(token, { password: 'ü'.repeat(600) }), [422, 'password_too_long'])
})

test('400 for a service that cannot send mails', async () => {
  const silent = await startTestService({ mail: { way: 'none' } })
  const { client } = await scene('owner', silent)
  assert.deepEqual(
    outcome(await client.attempt(`${base}/create`, { emails: ['a@b.test'], role: 'member' })),
    [400, 'mail_not_set_up'],
  )
  assert.deepEqual(outcome(await client.attempt(`${base}/resend`, { id: 1 })), [400, 'mail_not_set_up'])
})

test('a name with line breaks adds no header, and one with markup no element', async () => {
  const { client, projectId, user } = await scene()
  await service.db.sql`
    update projects set name = ${'A\r\nBcc: victim@example.test\r\n\r\n<img src=x>'} where id = ${projectId}`
  await service.db.sql`update users set name = ${'Eve\nX-Evil: 1 <b>'} where id = ${user.id}`
  const email = newAddress()
  await client.call(`${base}/create`, { emails: [email], role: 'member' })
  const mail = await server.newest(email)
  assert.deepEqual(mail.to, [email])
  assert.deepEqual([mail.headers.has('bcc'), mail.headers.has('x-evil')], [false, false])
  assert.equal(
    mail.subject,
    'Eve X-Evil: 1 <b> invited you to A Bcc: victim@\u2060example.\u2060test <img src=x>',
  )
  assert.ok(!mail.html.includes('<img') && !mail.html.includes('<b>'))
  assert.ok(mail.html.includes('&lt;img src=x&gt;'))
})

test('the mail is in the language of the account that it is for, else in that of the inviter', async () => {
  const { client, user } = await scene()
  await service.db.sql`update users set language = 'de' where id = ${user.id}`
  const known = await accountOf(newAddress())
  await service.db.sql`update users set language = 'en' where id = ${known.id}`
  const unknown = newAddress()
  await client.call(`${base}/create`, { emails: [known.email, unknown], role: 'member' })
  assert.match((await server.newest(known.email)).subject, /invited you to/)
  assert.match((await server.newest(unknown)).subject, /^Einladung von/)
})

test('the mail and a new account get the language and the time zone of the project, unless the person chooses', async () => {
  for (const chosen of [undefined, 'en'] as const) {
    const { projectId, client } = await scene()
    await service.db.sql`
      update projects set language = 'de', time_zone = 'Europe/Berlin' where id = ${projectId}`
    const email = newAddress()
    await client.call(`${base}/create`, { emails: [email], role: 'member' })
    assert.match((await server.newest(email)).subject, /^Einladung von/)
    const token = await secretOf(email)
    const { invitation } = await service.client().call(`${base}/look-up`, { token })
    assert.equal(invitation.project_language, 'de')
    const input = { token, ...person, ...(chosen && { language: chosen }) }
    const made = await service.client().call(`${base}/sign-up`, input)
    const { user } = await service.client(made.token).call('/services/identity/v1/users/me')
    assert.deepEqual([user.language, user.time_zone], [chosen ?? 'de', 'Europe/Berlin'])
  }
})
