import assert from 'node:assert/strict'
import test from 'node:test'
import { pino } from 'pino'
import { remind } from '#inbox/reminding.ts'
import { purgeProjects } from '#projects/deletion/purging.ts'
import { addPlatform } from '#projects/platform.ts'
import { createBoard } from '#tests/board.ts'
import { openStream, until } from '#tests/event-stream.ts'
import { untilFollowed } from '#tests/followed-events.ts'
import { linkIn, startMailServer } from '#tests/mail-server.ts'
import { createMaster } from '#tests/master.ts'
import { post } from '#tests/post.ts'
import { password, startTestService } from '#tests/service.ts'
import { addPaid, addTrial } from '#tests/subscription.ts'
import { createThings } from '#tests/things.ts'

const base = '/services/identity/v1/projects'
const area = '/services/operations/v1/operations'
const me = '/services/identity/v1/users/me' as const
const server = await startMailServer()
const service = await startTestService({ mail: server.mail })
const { sql } = service.db
const task = { log: pino({ level: 'silent' }), signal: new AbortController().signal }

async function scene() {
  const made = await createBoard(service, { cards: 2 })
  await sql`update projects set name = 'Garden' where id = ${made.projectId}`
  const { id } = { id: made.projectId }
  return { ...made, id, owner: service.client(made.members.owner.token) }
}

const ago = (id: number, days: number) =>
  sql`update projects set deleted_at = now() - make_interval(days => ${days}, mins => 1) where id = ${id}`

test('200 a deleted project is gone for everybody at once: calls, streams, lists, default projects; its owners are told', async () => {
  const { id, owner, members, member, boardId } = await scene()
  const otherId = await service.addProject('Other')
  await sql`insert into memberships (project_id, user_id, role) values (${otherId}, ${members.member.id}, 'viewer')`
  const stream = await openStream(service, members.viewer.token)
  await until(() => stream.messages.length === 1, 'the first message')
  const { restorable_until: end } = await owner.call(`${base}/delete`, { id, name: ' Garden ' })
  assert.ok(Math.abs(Date.parse(end) - Date.now() - 30 * 86_400_000) < 60_000)
  await until(() => stream.hasEnded(), 'the end of the stream')
  const here = { 'x-project-id': String(id) }
  for (const { token } of Object.values(members)) {
    assert.equal((await post(service, me, token, {}, here)).status, 403)
    // Somebody without any project is refused before anything is looked up.
    const status = token === members.member.token ? 404 : 403
    assert.equal((await post(service, `${area}/boards/get`, token, { id: boardId }, here)).status, status)
  }
  assert.equal((await member.call(me)).current_project?.id, otherId)
  assert.deepEqual((await owner.call(`${base}/list`, {})).projects, [])
  assert.equal((await owner.call(me)).current_project, null)
  const { projects } = await owner.call(`${base}/list-deleted`, {})
  const [actor] = await sql<{ name: string }[]>`select name from users where id = ${members.owner.id}`
  assert.deepEqual(
    projects.map(({ deleted_at: _at, ...project }) => project),
    [{ id, name: 'Garden', deleted_by_name: actor?.name, restorable_until: end, may_restore: true }],
  )
  const shown = (await service.client(members.viewer.token).call(`${base}/list-deleted`, {})).projects
  assert.deepEqual([shown[0]?.id, shown[0]?.may_restore], [id, false])
  const mail = await server.newest(members.owner.email, /^Garden was deleted$/)
  assert.ok(mail.text.includes(`/p/${id}/home`), mail.text)
  assert.equal(server.mails.filter(({ subject }) => subject === 'Garden was deleted').length, 1)
  const entries = await sql`
    select kind, actor_id from audit_entries where in_project_id = ${id} and kind like 'project.%'`
  assert.deepEqual([...entries], [{ kind: 'project.deleted', actor_id: members.owner.id }])
})

test('403 a session of long ago deletes nothing until the password is entered again', async () => {
  const { id, owner, members } = await scene()
  await sql`update sessions set password_at = now() - interval '1 hour' where user_id = ${members.owner.id}`
  const refused = await owner.attempt(`${base}/delete`, { id, name: 'Garden' })
  assert.deepEqual([refused.status, !refused.ok && refused.code], [403, 'password_confirmation_required'])
  assert.equal((await owner.call(me)).current_project?.id, id)
  await owner.call('/services/identity/v1/password/confirm', { password })
  await owner.call(`${base}/delete`, { id, name: 'Garden' })
})

test('404 a second time', async () => {
  const { id, members } = await scene()
  const otherId = await service.addProject('Other')
  await sql`insert into memberships (project_id, user_id, role) values (${otherId}, ${members.owner.id}, 'owner')`
  const { token } = members.owner
  assert.equal((await post(service, `${base}/delete`, token, { id, name: 'Garden' })).status, 200)
  assert.equal((await post(service, `${base}/delete`, token, { id, name: 'Garden' })).status, 404)
})

test('422 another name deletes nothing; 403 for admins', async () => {
  const { id, members } = await scene()
  for (const name of ['garden', 'Gardens', 'G'])
    assert.deepEqual(
      (await post(service, `${base}/delete`, members.owner.token, { id, name })).headers.get('x-error-code'),
      'name_not_its_name',
    )
  assert.equal(
    (await post(service, `${base}/delete`, members.admin.token, { id, name: 'Garden' })).status,
    403,
  )
  const [project] = await sql`select deleted_at from projects where id = ${id}`
  assert.equal(project?.['deleted_at'], null)
})

test('200 an owner restores it with everything in it; people have their default project again', async () => {
  const { id, owner, member, boardId, members } = await scene()
  const read = async () => {
    const { version, ...board } = (await member.call(`${area}/boards/get`, { id: boardId })).board
    return { version, board }
  }
  const before = await read()
  await owner.call(`${base}/delete`, { id, name: 'Garden' })
  assert.deepEqual(await owner.call(`${base}/restore`, { id }), { project: { id, name: 'Garden' } })
  const after = await read()
  assert.deepEqual(after.board, before.board)
  assert.ok(after.version > before.version, 'open boards would not be read again')
  assert.equal((await member.call(me)).current_project?.id, id)
  assert.deepEqual((await owner.call(`${base}/list-deleted`, {})).projects, [])
  const events = await sql`
    select kind from events where project_id = ${id} and kind like 'project.%' order by id`
  assert.deepEqual(
    events.map(({ kind }) => kind),
    ['project.deleted', 'project.restored'],
  )
  assert.equal((await post(service, `${base}/restore`, members.owner.token, { id })).status, 404)
})

test('403 and 404 nobody else restores it: members learn who may, strangers and superadmins of other platforms nothing', async () => {
  const { id, owner, members } = await scene()
  await owner.call(`${base}/delete`, { id, name: 'Garden' })
  const platformId = (await addPlatform(service.db, 'Elsewhere')) as number
  const stranger = await service.addUser({ superadmin: true, platformId })
  const answers = await Promise.all(
    [members.admin, members.viewer, await service.addUser(), stranger].map(async ({ token }) => {
      const { status, headers } = await post(service, `${base}/restore`, token, { id })
      return [status, headers.get('x-error-code')]
    }),
  )
  assert.deepEqual(answers, [
    [403, 'only_owners'],
    [403, 'only_owners'],
    [404, 'project_not_found'],
    [404, 'project_not_found'],
  ])
  assert.deepEqual((await service.client(stranger.token).call(`${base}/list-deleted`, {})).projects, [])
  const superadmin = service.client((await service.addUser({ superadmin: true })).token)
  const { projects } = await superadmin.call(`${base}/list-deleted`, { limit: 200 })
  assert.ok(projects.some((one) => one.id === id && one.may_restore))
  await superadmin.call(`${base}/restore`, { id })
})

test('422 for a cursor of no list', async () => {
  const { token } = await service.addUser()
  const refused = await post(service, `${base}/list-deleted`, token, { cursor: 'x' })
  assert.equal(refused.headers.get('x-error-code'), 'cursor_not_valid')
})

test('paid subscriptions end with their period, open checkouts can no longer be paid, and trials remind nobody', async () => {
  const { id, owner } = await scene()
  const paid = await addPaid(service, id, { product: 'shop' })
  await addTrial(service, id, { days: 2 })
  const input = { product: 'website', plan: 'pro', period: 'year' } as const
  await owner.call('/services/platforms/v1/subscriptions/upgrade-trial', input)
  await owner.call(`${base}/delete`, { id, name: 'Garden' })
  const [subscription] = await sql`
    select cancels_at_period_end, status from subscriptions where project_id = ${id} and id = ${paid}`
  assert.deepEqual({ ...subscription }, { cancels_at_period_end: true, status: 'active' })
  const open = await sql`select from checkouts where project_id = ${id} and status in ('open', 'opening')`
  assert.equal(open.length, 0)
  await remind(service.db, { tell: () => {} })
  assert.equal((await sql`select from inbox_items where project_id = ${id}`).length, 0)
  await owner.call(`${base}/restore`, { id })
  await remind(service.db, { tell: () => {} })
  assert.equal((await sql`select from inbox_items where project_id = ${id}`).length, 1)
})

test('400 a checkout that is being paid keeps the project', async () => {
  const { id, owner, members } = await scene()
  await addTrial(service, id)
  const input = { product: 'website', plan: 'pro', period: 'year' } as const
  const { session_id: session } = await owner.call(
    '/services/platforms/v1/subscriptions/upgrade-trial',
    input,
  )
  // The page of the sandbox marks it as paid before the subscription follows.
  await sql`update checkouts set status = 'opening' where project_id = ${id} and session_id = ${session}`
  await sql`
    create function pay() returns trigger language plpgsql as $$ begin new.status = 'paid'; return new; end $$`
  await sql`create trigger pay before update on checkouts for each row when (new.status = 'open') execute function pay()`
  try {
    const refused = await post(service, `${base}/delete`, members.owner.token, { id, name: 'Garden' })
    assert.deepEqual([refused.status, refused.headers.get('x-error-code')], [400, 'payment_under_way'])
  } finally {
    await sql`drop trigger pay on checkouts`
    await sql`drop function pay()`
  }
  assert.equal((await owner.call(me)).current_project?.id, id)
})

test('500 a payment provider that is not set up keeps the project', async () => {
  const { id, members } = await scene()
  const paid = await addPaid(service, id)
  await sql`update subscriptions set gateway = 'stripe' where project_id = ${id} and id = ${paid}`
  const refused = await post(service, `${base}/delete`, members.owner.token, { id, name: 'Garden' })
  assert.deepEqual([refused.status, refused.headers.get('x-error-code')], [500, 'payment_provider_missing'])
  const [project] = await sql`select deleted_at from projects where id = ${id}`
  assert.equal(project?.['deleted_at'], null)
})

test('invitations to a deleted project do not work until it is restored', async () => {
  const { id, owner } = await scene()
  const email = 'ada@garden.test'
  await owner.call('/services/identity/v1/invitations/create', { emails: [email], role: 'viewer' })
  const token = linkIn(await server.newest(email), '/invitation').split('#')[1] as string
  await owner.call(`${base}/delete`, { id, name: 'Garden' })
  const lookUp = '/services/identity/v1/invitations/look-up' as const
  assert.equal((await post(service, lookUp, '', { token })).status, 404)
  await owner.call(`${base}/restore`, { id })
  assert.equal((await service.client().call(lookUp, { token })).invitation.email, email)
})

test('a rollout leaves a deleted project out, and reaches it again once it is restored', async () => {
  const master = await createMaster(service, { projects: 1, cards: 1 })
  const projectId = master.projects[0]?.id as number
  const { sql: run } = service.db
  await run`update projects set deleted_at = now() where id = ${projectId}`
  await master.addCard({ title: 'Late' })
  await master.sync()
  const late = () => run`select from cards where project_id = ${projectId} and title = 'Late'`
  assert.equal((await late()).length, 0)
  await run`update projects set deleted_at = null where id = ${projectId}`
  await master.sync()
  assert.equal((await late()).length, 1)
})

test('404 after 30 days; then everything in it is deleted in steps, and nothing of any other project', async () => {
  const master = await createMaster(service, { projects: 0, cards: 2 })
  const { projectId, user } = await createThings(service, master)
  const other = await createThings(service, master)
  const client = service.client(user.token)
  const { board } = await client.call(`${area}/boards/create`, { title: 'Long' })
  const { group } = await client.call(`${area}/groups/create`, { board_id: board.id, title: 'Long' })
  await sql`
    insert into cards (project_id, board_id, group_id, title, sort_order)
    select ${projectId}, ${board.id}, ${group.id}, 'Many', number from generate_series(1, 2500) number`
  const { comment } = await client.call(`${area}/comments/create`, {
    card_id: await firstCard(projectId),
    comment: 'A',
  })
  await client.call(`${area}/comments/create`, {
    card_id: comment.card_id,
    comment: 'B',
    parent_comment_id: comment.id,
  })
  const counts = async (id: number) => {
    const tables = await sql<{ name: string }[]>`
      select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'project_id'
      where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace order by 1`
    const left: Record<string, number> = {}
    for (const { name } of tables) {
      const [row] = await sql<{ count: number }[]>`select count(*) from ${sql(name)} where project_id = ${id}`
      if (row?.count) left[name] = row.count
    }
    return left
  }
  await untilFollowed(service.db, other.projectId)
  const before = await counts(other.projectId)
  await ago(projectId, 29)
  await purgeProjects(service.db, task)
  assert.equal(((await counts(projectId))['cards'] as number) > 2500, true)
  await ago(projectId, 30)
  assert.equal((await post(service, `${base}/restore`, user.token, { id: projectId })).status, 404)
  assert.ok(!(await client.call(`${base}/list-deleted`, {})).projects.some(({ id }) => id === projectId))
  await purgeProjects(service.db, task)
  assert.deepEqual(Object.keys(await counts(projectId)), [
    'checkouts',
    'inbox_positions',
    'project_versions',
    'subscription_figures',
    'subscriptions',
    'theme_versions',
    'themes',
  ])
  const [row] =
    await sql`select name, purged_at is not null as is_purged from projects where id = ${projectId}`
  assert.deepEqual({ ...row }, { name: '', is_purged: true })
  assert.deepEqual(await counts(other.projectId), before)
})

async function firstCard(projectId: number): Promise<number> {
  const [card] = await sql<{ id: number }[]>`
    select id from cards where project_id = ${projectId} and deleted_at is null order by id limit 1`
  return card?.id as number
}
