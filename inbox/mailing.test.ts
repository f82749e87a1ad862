import assert from 'node:assert/strict'
import test from 'node:test'
import { connect } from '#database/connect.ts'
import { createBoard } from '#tests/board.ts'
import { untilFollowed } from '#tests/followed-events.ts'
import { startMailServer } from '#tests/mail-server.ts'
import { startTestService } from '#tests/service.ts'
import { mailInboxes } from './mailing.ts'

const server = await startMailServer()
const service = await startTestService({ mail: server.mail })
const base = '/services/operations/v1/operations'
const notifications = '/services/identity/v1/notifications'
const { sql } = service.db
const wanted = { canMail: true, includesDemo: false }

async function createScene({ cards = 1 } = {}) {
  const scene = await createBoard(service, { cards })
  const [cardId] = scene.cardIds as [number]
  return { ...scene, cardId, to: scene.members.member }
}

const settled = (projectId: number) => untilFollowed(service.db, projectId)

/** As if the five minutes were over. */
async function becomeDue(userId: number, { projectId }: { projectId: number }) {
  await sql`
    update inbox_items set occurred_at = occurred_at - interval '5 minutes'
    where project_id = ${projectId} and user_id = ${userId}`
  await sql`update inbox_mails set due_at = now() where user_id = ${userId}`
}

const mailsTo = async (email: string) =>
  (await sql<{ id: number }[]>`select id from mails where to_address = ${email} order by id`).length

test('what is unread for five minutes is sent in one mail, with links to the cards, and only once', async () => {
  const { admin, to, cardId, cardIds, projectId, boardId } = await createScene({ cards: 2 })
  await admin.call(`${base}/cards/update`, { id: cardId, owner_id: to.id })
  await admin.call(`${base}/comments/create`, {
    card_id: cardIds[1] as number,
    comment: 'Look <b>here</b>',
    mentions: [to.id],
  })
  await settled(projectId)
  await mailInboxes(service.db, wanted)
  assert.equal(await mailsTo(to.email), 0)
  const [waiting] = await sql<{ minutes: number }[]>`
    select round(extract(epoch from due_at - now()) / 60)::integer as minutes from inbox_mails where user_id = ${to.id}`
  assert.equal(waiting?.minutes, 5)
  await becomeDue(to.id, { projectId })
  await mailInboxes(service.db, wanted)
  const mail = await server.newest(to.email)
  assert.equal(mail.subject, '2 unread notifications')
  for (const part of [mail.text, mail.html]) {
    assert.ok(part.includes(`/p/${projectId}/boards/${boardId}/cards/${cardId}`), part)
    assert.ok(part.includes(`/p/${projectId}/inbox`), part)
  }
  assert.match(mail.text, /- User \d+ assigned “Card 1” to you\n {2}Board · Project/)
  assert.match(mail.text, /- User \d+ mentioned you in “Card 2”\n.*\n {2}“Look <b>here<\/b>”/)
  assert.ok(mail.html.includes('Look &lt;b&gt;here&lt;/b&gt;'))
  assert.equal(mail.headers.get('reply-to'), 'Cardinal support <support@example.test>')
  await mailInboxes(service.db, wanted)
  await sql`insert into inbox_mails values (${to.id}, now())`
  await mailInboxes(service.db, wanted)
  assert.equal(await mailsTo(to.email), 1)
})

test('a mail names somebody who has closed their account in its own language', async () => {
  const { admin, members, to, cardId, projectId } = await createScene()
  await sql`update users set language = 'de' where id = ${to.id}`
  await admin.call(`${base}/cards/update`, { id: cardId, owner_id: to.id })
  await settled(projectId)
  await sql`update users set name = 'Former member', closed_at = now() where id = ${members.admin.id}`
  await becomeDue(to.id, { projectId })
  await mailInboxes(service.db, wanted)
  const { subject, text } = await server.newest(to.email)
  assert.match(subject, /^Früheres Mitglied /)
  assert.ok(!text.includes('Former member'), text)
})

test('what is new waits its own five minutes if what the mail began to wait for was read meanwhile', async () => {
  const { admin, member, to, cardIds, projectId } = await createScene({ cards: 2 })
  const [read, late] = cardIds as [number, number]
  await admin.call(`${base}/cards/update`, { id: read, owner_id: to.id })
  await settled(projectId)
  await becomeDue(to.id, { projectId })
  await member.call(`${base}/inbox/mark-card-read`, { card_id: read })
  await admin.call(`${base}/cards/update`, { id: late, owner_id: to.id })
  await settled(projectId)
  await mailInboxes(service.db, wanted)
  assert.equal(await mailsTo(to.email), 0)
  const [waiting] = await sql<{ minutes: number }[]>`
    select round(extract(epoch from due_at - now()) / 60)::integer as minutes from inbox_mails where user_id = ${to.id}`
  assert.equal(waiting?.minutes, 5)
  // A card on which it goes on and on does not put it off.
  await admin.call(`${base}/comments/create`, { card_id: late, comment: 'One', mentions: [to.id] })
  await admin.call(`${base}/comments/create`, { card_id: late, comment: 'Two', mentions: [to.id] })
  await settled(projectId)
  await sql`update inbox_mails set due_at = now() where user_id = ${to.id}`
  await mailInboxes(service.db, wanted)
  assert.equal((await server.newest(to.email)).subject, '2 unread notifications')
})

test('what was read, what is hidden, muted or gone, and former members get no mail', async () => {
  const { admin, member, members, to, cardIds, projectId } = await createScene({ cards: 4 })
  const [read, deleted, muted, kept] = cardIds as [number, number, number, number]
  for (const id of cardIds) await admin.call(`${base}/cards/update`, { id, owner_id: to.id })
  await admin.call(`${base}/comments/create`, {
    card_id: kept,
    comment: 'For you',
    mentions: [members.viewer.id],
  })
  await settled(projectId)
  await member.call(`${base}/inbox/mark-card-read`, { card_id: read })
  await admin.call(`${base}/cards/delete`, { id: deleted })
  await member.call(`${base}/cards/mute`, { id: muted })
  await admin.call('/services/identity/v1/members/remove', { user_id: members.viewer.id })
  await becomeDue(to.id, { projectId })
  await becomeDue(members.viewer.id, { projectId })
  await mailInboxes(service.db, wanted)
  const mail = await server.newest(to.email)
  assert.match(mail.subject, /assigned “Card 4” to you$/)
  assert.equal(await mailsTo(members.viewer.email), 0)
})

test('a person chooses by reason: off makes no item, app no mail, mail both', async () => {
  const { admin, member, to, cardId, cardIds, projectId } = await createScene({ cards: 2 })
  const before = (await member.call(`${notifications}/get`)).settings
  assert.deepEqual(
    [before.assigned, before.mentioned, before.commented, before.digest],
    ['mail', 'mail', 'app', 'mail'],
  )
  const { settings } = await member.call(`${notifications}/update`, {
    assigned: 'app',
    mentioned: 'off',
    commented: 'mail',
  })
  assert.deepEqual(settings, { ...before, assigned: 'app', mentioned: 'off', commented: 'mail' })
  assert.deepEqual((await member.call(`${notifications}/get`)).settings, settings)
  await admin.call(`${base}/cards/update`, { id: cardId, owner_id: to.id })
  await admin.call(`${base}/cards/update`, {
    id: cardIds[1] as number,
    description: 'You',
    mentions: [to.id],
  })
  await settled(projectId)
  const items = async () =>
    (await member.call(`${base}/inbox/list`, {})).items.map(({ reason, card_id }) => [reason, card_id])
  assert.deepEqual(await items(), [['assigned', cardId]])
  assert.equal((await sql`select from inbox_mails where user_id = ${to.id}`).length, 0)
  await admin.call(`${base}/comments/create`, { card_id: cardId, comment: 'One' })
  await settled(projectId)
  await becomeDue(to.id, { projectId })
  await mailInboxes(service.db, wanted)
  assert.match((await server.newest(to.email)).subject, /commented on “Card 1”$/)
})

test('422 for a way that a reason does not have', async () => {
  const { member } = await createScene()
  const { status } = await member.attempt(`${notifications}/update`, { digest: 'app' as 'mail' })
  assert.equal(status, 422)
})

test('one click in a mail program ends the mails without a session; opening the page does not', async () => {
  const { admin, member, to, cardId, projectId } = await createScene()
  await admin.call(`${base}/cards/update`, { id: cardId, owner_id: to.id })
  await settled(projectId)
  await becomeDue(to.id, { projectId })
  await mailInboxes(service.db, wanted)
  const mail = await server.newest(to.email)
  assert.equal(mail.headers.get('list-unsubscribe-post'), 'List-Unsubscribe=One-Click')
  const address = /^<(.+)>$/.exec(mail.headers.get('list-unsubscribe') ?? '')?.[1] as string
  assert.ok(mail.text.includes(address) && mail.html.includes(address))
  const page = await fetch(address)
  assert.equal(page.status, 200)
  assert.match(await page.text(), /<form method="post"><button>Stop these emails<\/button><\/form>/)
  assert.equal((await member.call(`${notifications}/get`)).settings.assigned, 'mail')
  const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })
  const done = await fetch(address, { method: 'POST', body, redirect: 'error' })
  assert.equal(done.status, 200)
  assert.match(await done.text(), /You&#39;re unsubscribed/)
  const { settings } = await member.call(`${notifications}/get`)
  assert.deepEqual([settings.assigned, settings.mentioned, settings.digest], ['app', 'app', 'mail'])
  const form = new FormData()
  form.set('List-Unsubscribe', 'One-Click')
  const other = address.replace(/inbox$/, 'digest')
  assert.equal((await fetch(other, { method: 'POST', body: form })).status, 200)
  assert.equal((await member.call(`${notifications}/get`)).settings.digest, 'off')
  for (const wrong of [address.replace(/inbox$/, 'all'), address.replace(/[^/]+\/inbox$/, 'x/inbox')])
    assert.equal((await fetch(wrong, { method: 'POST', body })).status, 404)
})

test('mails are in the language of the person', async () => {
  const { admin, to, cardId, projectId } = await createScene()
  await sql`update users set language = 'de' where id = ${to.id}`
  await admin.call(`${base}/cards/update`, { id: cardId, owner_id: to.id })
  await settled(projectId)
  await becomeDue(to.id, { projectId })
  await mailInboxes(service.db, wanted)
  const mail = await server.newest(to.email)
  assert.match(mail.subject, /^User \d+ hat „Card 1“ zugewiesen$/)
  assert.match(mail.html, /<html lang="de">/)
  const address = /^<(.+)>$/.exec(mail.headers.get('list-unsubscribe') ?? '')?.[1] as string
  assert.match(await (await fetch(address)).text(), /Diese E-Mails beenden/)
})

test('two instances that work at once send each mail once', async () => {
  const { admin, members, cardIds, projectId } = await createScene({ cards: 4 })
  const people = Object.values(members)
  for (const [index, { id }] of people.entries())
    await admin.call(`${base}/comments/create`, {
      card_id: cardIds[index % cardIds.length] as number,
      comment: 'All',
      mentions: [id],
    })
  await settled(projectId)
  const others = Array.from({ length: 3 }, () => connect(service.address, { connections: 1 }))
  for (const { id } of people) await becomeDue(id, { projectId })
  await Promise.all(others.map((db) => mailInboxes(db, wanted)))
  const sent = await Promise.all(people.map(({ email }) => mailsTo(email)))
  // The admin wrote them all.
  assert.deepEqual(
    sent,
    people.map(({ id }) => (id === members.admin.id ? 0 : 1)),
  )
  await Promise.all(others.map((db) => db.end()))
})

test('without a way to send, nothing waits; accounts of the demo get mails only in the outbox', async () => {
  const { admin, to, cardId, projectId } = await createScene()
  await admin.call(`${base}/cards/update`, { id: cardId, owner_id: to.id })
  await settled(projectId)
  await becomeDue(to.id, { projectId })
  await mailInboxes(service.db, { canMail: false, includesDemo: false })
  assert.equal((await sql`select from inbox_mails where user_id = ${to.id}`).length, 0)
  await sql`update users set is_demo = true where id = ${to.id}`
  for (const includesDemo of [false, true]) {
    await sql`insert into inbox_mails values (${to.id}, now())`
    await mailInboxes(service.db, { canMail: true, includesDemo })
    assert.equal(await mailsTo(to.email), includesDemo ? 1 : 0)
  }
})
