import assert from 'node:assert/strict'
import test from 'node:test'
import { connect } from '#database/connect.ts'
import { createBoard } from '#tests/board.ts'
import { startMailServer } from '#tests/mail-server.ts'
import { startTestService } from '#tests/service.ts'
import { sendDigests } from './digesting.ts'

const server = await startMailServer()
// Its own jobs must not take anybody before a test does.
const service = await startTestService({ mail: server.mail, inbox: false })
const base = '/services/operations/v1/operations'
const { sql } = service.db
const wanted = { canMail: true, includesDemo: false }
const run = (db = service.db) => sendDigests(db, wanted)

const mailsTo = async (email: string) =>
  (await sql<{ id: number }[]>`select id from mails where to_address = ${email}`).length

const hours = (count: number) => new Date(Date.now() + count * 3_600_000).toISOString()

/** As if it were 8:00 where the person is. */
async function becomeMorning(userId: number, hoursAgo = 0) {
  await run()
  await sql`
    update users set digest_at = now() - make_interval(secs => ${hoursAgo * 3600}) where id = ${userId}`
}

/** A time zone in which it is about noon, so that an hour ago and in an hour are today. */
function zoneAtNoon(): string {
  const offset = 12 - new Date().getUTCHours()
  return `Etc/GMT${offset > 0 ? '-' : '+'}${Math.abs(offset)}`
}

async function createScene() {
  const scene = await createBoard(service, { cards: 6 })
  const to = scene.members.member
  await sql`update users set time_zone = ${zoneAtNoon()}, digest_at = null where id = ${to.id}`
  const give = (index: number, changes: object) =>
    scene.admin.call(`${base}/cards/update`, {
      id: scene.cardIds[index] as number,
      owner_id: to.id,
      ...changes,
    })
  return { ...scene, to, give }
}

test('a person gets what is overdue, due today and unread, at their 8:00 and once a day', async () => {
  const { member, to, give, cardIds, projectId, boardId } = await createScene()
  await give(0, { due_date: hours(-1) })
  await give(1, { due_date: hours(1) })
  await give(2, { due_date: hours(30) })
  await give(3, { due_date: hours(-1), status: 'closed' })
  await give(4, { due_date: hours(-1), snoozed_until: hours(5) })
  await give(5, { due_date: hours(-1) })
  await member.call(`${base}/cards/mute`, { id: cardIds[5] as number })
  await sql`
    insert into inbox_items (project_id, user_id, reason, card_id, actor_id)
    select ${projectId}, ${to.id}, 'commented', ${cardIds[2] as number}, id from users where name = 'User 1'`
  await becomeMorning(to.id)
  await run()
  const mail = await server.newest(to.email)
  assert.equal(mail.subject, 'Your day: 1 overdue, 1 due today, 1 unread')
  assert.match(mail.text, /Overdue\n\n- Card 1\n {2}.+ · Board · Project\n/)
  assert.match(mail.text, /Due today\n\n- Card 2\n/)
  assert.match(mail.text, /Unread\n\n- User 1 commented on “Card 3”/)
  assert.doesNotMatch(mail.text, /Card [456]/)
  assert.ok(mail.html.includes(`/p/${projectId}/boards/${boardId}/cards/${cardIds[0]}`))
  assert.match(mail.headers.get('list-unsubscribe') ?? '', /\/unsubscribe\/[0-9a-f-]{36}\/digest>$/)
  await run()
  assert.equal(await mailsTo(to.email), 1)
  const [next] = await sql<{ hour: number; is_next: boolean }[]>`
    select extract(hour from digest_at at time zone time_zone)::integer as hour,
      digest_at between now() and now() + interval '1 day' as is_next from users where id = ${to.id}`
  assert.deepEqual({ ...next }, { hour: 8, is_next: true })
})

test('nobody gets a mail that says nothing, one they turned off, one that is hours late, or one of a former project', async () => {
  const nothing = await createScene()
  await becomeMorning(nothing.to.id)
  const off = await createScene()
  await off.give(0, { due_date: hours(-1) })
  await off.member.call('/services/identity/v1/notifications/update', { digest: 'off' })
  await becomeMorning(off.to.id)
  const late = await createScene()
  await late.give(0, { due_date: hours(-1) })
  await becomeMorning(late.to.id, 5)
  const former = await createScene()
  await former.give(0, { due_date: hours(-1) })
  await sql`delete from memberships where project_id = ${former.projectId} and user_id = ${former.to.id}`
  await becomeMorning(former.to.id)
  const disabled = await createScene()
  await disabled.give(0, { due_date: hours(-1) })
  await sql`update users set disabled_at = now() where id = ${disabled.to.id}`
  await becomeMorning(disabled.to.id)
  await run()
  for (const { to } of [nothing, off, late, former, disabled]) assert.equal(await mailsTo(to.email), 0)
})

test('a new time zone moves the next one, also across a change of the clocks', async () => {
  const { member, to } = await createScene()
  await run()
  const next = async () => {
    await run()
    const [row] = await sql<{ local: string }[]>`
      select to_char(digest_at at time zone time_zone, 'HH24:MI') as local from users where id = ${to.id}`
    return row?.local
  }
  for (const time_zone of ['Asia/Kathmandu', 'America/New_York', 'Europe/Berlin']) {
    await member.call('/services/identity/v1/users/update', { time_zone })
    assert.equal(await next(), '08:00')
  }
})

test('two instances that work at once send each person one mail', async () => {
  const scenes = [await createScene(), await createScene(), await createScene()]
  for (const { to, give } of scenes) {
    await give(0, { due_date: hours(-1) })
    await becomeMorning(to.id)
  }
  const others = Array.from({ length: 3 }, () => connect(service.address, { connections: 1 }))
  await Promise.all(others.map((db) => run(db)))
  for (const { to } of scenes) assert.equal(await mailsTo(to.email), 1)
  await Promise.all(others.map((db) => db.end()))
})
