// Two services on one database, one of which is killed: people are told once.
import assert from 'node:assert/strict'
import test from 'node:test'
import { addUser } from '#identity/accounts.ts'
import { addProject } from '#projects/creating.ts'
import { addMember } from '#projects/members.ts'
import { startMailServer } from '#tests/mail-server.ts'
import { eventually, networkDatabase, serve } from '#tests/process.ts'

const server = await startMailServer()
const { db, url } = await networkDatabase()
const { sql } = db
assert.ok(server.mail.way === 'smtp')
const environment = {
  DATABASE_URL: url,
  SMTP_URL: server.mail.url,
  CARDINAL_MAIL_FROM: 'Cardinal <cardinal@mail.example.test>',
}

/** A member with a card that is due in an hour. */
async function createScene() {
  const projectId = await addProject(db, 'Project', [])
  const email = `person${projectId}@example.test`
  const userId = await addUser(db, { email, name: 'Person', passwordHash: '' })
  assert.ok(userId !== 'email taken')
  await addMember(db, projectId, userId, 'member')
  await sql`insert into notification_settings values (${userId}, 'due_soon', 'mail')`
  const [board] = await sql<{ id: number }[]>`
    insert into boards (project_id, title) values (${projectId}, 'Board') returning id`
  const [group] = await sql<{ id: number }[]>`
    insert into groups (project_id, board_id, title) values (${projectId}, ${board?.id as number}, 'Group') returning id`
  const cards = await sql<{ id: number }[]>`
    insert into cards (project_id, board_id, group_id, title, owner_id, due_date, sort_order)
    select ${projectId}, ${board?.id as number}, ${group?.id as number}, title, ${userId}, now() + interval '1 hour', 1
    from string_to_table('Kept,Moved,Done,Deleted', ',') title returning id`
  return { projectId, userId, email, cardIds: cards.map(({ id }) => id) }
}

const dueNow = async (projectId: number) => {
  await sql`update inbox_items set occurred_at = now() - interval '5 minutes' where project_id = ${projectId}`
  await sql`update jobs set run_at = now() where kind in ('remind', 'mailInboxes', 'sendMails')`
  await sql`update inbox_mails set due_at = now()`
}

test('two services remind once; a date that was moved, done or deleted does not; a killed sender sends at most once more', async () => {
  const { projectId, userId, email, cardIds } = await createScene()
  const [, moved, done, deleted] = cardIds as [number, number, number, number]
  const first = await serve(environment)
  const second = await serve(environment)
  await eventually(async () => {
    await sql`update jobs set run_at = now() where kind = 'remind'`
    const items = await sql`select from inbox_items where project_id = ${projectId} and user_id = ${userId}`
    assert.equal(items.length, 4)
  }, 30_000)
  // Before the mail.
  await sql`
    update cards set due_date = now() + interval '9 days' where project_id = ${projectId} and id = ${moved}`
  await sql`update cards set status = 'closed' where project_id = ${projectId} and id = ${done}`
  await sql`update cards set deleted_at = now() where project_id = ${projectId} and id = ${deleted}`
  // The server takes the mail and never answers, so the sender is killed without knowing; it is one of the two.
  server.faults.push('held')
  await eventually(async () => {
    await dueNow(projectId)
    assert.equal(server.mails.length, 1)
  }, 60_000)
  const [mail] = server.mails
  assert.deepEqual(mail?.to, [email])
  assert.match(mail?.subject ?? '', /^“Kept” is due /)
  await Promise.all([first.stop('SIGKILL'), second.stop('SIGKILL')])
  const third = await serve(environment)
  await eventually(async () => {
    await sql`update mails set send_at = now() where send_at is not null`
    await dueNow(projectId)
    assert.equal(server.mails.length, 2)
  }, 60_000)
  const ids = server.mails.map(({ headers }) => headers.get('message-id'))
  assert.equal(ids[0], ids[1])
  // Everything that could send again has run.
  await eventually(async () => {
    const [waiting] = await sql<{ count: number }[]>`
      select count(*) as count from mails where send_at is not null`
    assert.equal(waiting?.count, 0)
  })
  const before = await lastRuns()
  await dueNow(projectId)
  await eventually(async () => {
    const now = await lastRuns()
    assert.ok(now.every((at, index) => at > (before[index] as string)))
  }, 30_000)
  assert.equal(server.mails.length, 2)
  assert.equal(await third.stop(), 0)
})

/** When the jobs run next, which moves with each run. */
const lastRuns = async () =>
  (
    await sql<{ run_at: string }[]>`
      select run_at from jobs where kind in ('remind', 'mailInboxes', 'sendMails') order by kind`
  ).map(({ run_at }) => run_at)
