import assert from 'node:assert/strict'
import test from 'node:test'
import { sendDigests } from '#inbox/digesting.ts'
import { createBoard } from '#tests/board.ts'
import { assertAccessible, openAs, openWindow } from '#tests/browser.ts'
import { linkIn, startMailServer } from '#tests/mail-server.ts'
import { eventually } from '#tests/process.ts'
import { password, startTestService } from '#tests/service.ts'

const server = await startMailServer()
const service = await startTestService({ mail: server.mail })
const { sql } = service.db
const base = '/services/operations/v1/operations'

/** As if the five minutes were over. */
const becomeDue = (userId: number, { projectId }: { projectId: number }) =>
  eventually(async () => {
    const due = await sql`update inbox_mails set due_at = now() where user_id = ${userId} returning user_id`
    assert.equal(due.length, 1)
    await sql`
      update inbox_items set occurred_at = occurred_at - interval '5 minutes'
      where project_id = ${projectId} and user_id = ${userId}`
    await sql`update jobs set run_at = now() where kind = 'mailInboxes'`
  })

async function mailed() {
  const scene = await createBoard(service, { cards: 2 })
  const { admin, members, cardIds } = scene
  const to = members.member
  await admin.call(`${base}/comments/create`, {
    card_id: cardIds[0] as number,
    comment: 'Can you look at this?',
    mentions: [to.id],
  })
  await becomeDue(to.id, scene)
  return { ...scene, to, mail: await server.newest(to.email) }
}

test('a mention: from the mail through its link to the card, which reads it', async (t) => {
  const { member, to, mail } = await mailed()
  const link = mail.text.split('\n').find((line) => /\/cards\/\d+$/.test(line))
  const page = await openAs(t, to, new URL(link?.trim() ?? '').pathname, { on: service })
  await page.getByRole('complementary', { name: 'Card: Card 1' }).waitFor()
  await page.getByText('Can you look at this?').waitFor()
  await eventually(async () =>
    assert.deepEqual(await member.call(`${base}/inbox/unread`), { unread_count: 0 }),
  )
})

test('the mail reads well on a narrow screen, in light and dark', async (t) => {
  const { mail } = await mailed()
  const { page } = await openWindow(t, { on: service })
  await page.setViewportSize({ width: 320, height: 740 })
  await page.setContent(mail.html)
  await page.getByRole('heading', { name: /mentioned you in “Card 1”$/ }).waitFor()
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= 320), true)
  await assertAccessible(page, 'mail about the inbox')
})

test('a person ends the mails on the page of the link, without signing in', async (t) => {
  const { member, mail } = await mailed()
  const address = /^<(.+)>$/.exec(mail.headers.get('list-unsubscribe') ?? '')?.[1] as string
  const { page } = await openWindow(t, { on: service })
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto(new URL(address).pathname)
  await page.getByRole('heading', { name: 'Unsubscribe' }).waitFor()
  await assertAccessible(page, 'unsubscribe')
  await page.getByRole('button', { name: 'Stop these emails' }).click()
  await page.getByRole('heading', { name: "You're unsubscribed" }).waitFor()
  await assertAccessible(page, 'unsubscribed')
  const { settings } = await member.call('/services/identity/v1/notifications/get')
  assert.deepEqual([settings.assigned, settings.mentioned], ['app', 'app'])
})

test('the account page chooses by reason', async (t) => {
  const { member, members, projectId } = await createBoard(service, { cards: 1 })
  const page = await openAs(t, members.member, `/p/${projectId}/account`, { on: service })
  const chosen = async () => (await member.call('/services/identity/v1/notifications/get')).settings
  const mentions = page.getByLabel('Mentions')
  assert.equal(await mentions.inputValue(), 'mail')
  await mentions.selectOption('Off')
  await page.getByLabel('Comments on cards you follow').selectOption('In the app and by email')
  await page.getByLabel('Daily summary').selectOption('Off')
  await eventually(async () => {
    const { mentioned, commented, digest } = await chosen()
    assert.deepEqual([mentioned, commented, digest], ['off', 'mail', 'off'])
  })
  await assertAccessible(page, 'notifications')
  await page.setViewportSize({ width: 360, height: 740 })
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= 360), true)
  await page.reload()
  assert.equal(await page.getByLabel('Mentions').inputValue(), 'off')
})

const addressesIn = ({ text }: { text: string }) =>
  text.split('\n').flatMap((line) => URL.parse(line.trim())?.pathname ?? [])

test('the daily summary: from the mail through its link to the overdue card', async (t) => {
  const { member, members, cardIds } = await createBoard(service, { cards: 1 })
  const to = members.member
  const due_date = new Date(Date.now() - 3_600_000).toISOString()
  await member.call(`${base}/cards/update`, { id: cardIds[0] as number, owner_id: to.id, due_date })
  await sql`update users set digest_at = now() where id = ${to.id}`
  await sendDigests(service.db, { canMail: true, includesDemo: false })
  const [address] = addressesIn(await server.newest(to.email, /^Your day/)).filter((path) =>
    /\/cards\/\d+$/.test(path),
  )
  const page = await openAs(t, to, address ?? '', { on: service })
  await page.getByRole('complementary', { name: 'Card: Card 1' }).waitFor()
})

test('a deleted project: from the mail through its link to the project, which the owner restores', async (t) => {
  const projectId = await service.addProject('Garden')
  const owner = await service.addUser({ roles: { [projectId]: 'owner' } })
  await service
    .client(owner.token)
    .call('/services/identity/v1/projects/delete', { id: projectId, name: 'Garden' })
  const [address] = addressesIn(await server.newest(owner.email, /^Garden was deleted$/)).filter((path) =>
    path.startsWith('/p/'),
  )
  const page = await openAs(t, owner, address ?? '', { on: service, expected: /403/ })
  await page.getByRole('button', { name: 'Restore project Garden' }).click()
  await page.getByRole('button', { name: 'Garden', exact: true }).waitFor()
})

test('a changed password: from the mail through its link to a new one, for somebody who is not signed in', async (t) => {
  const user = await service.addUser({})
  const changed = { current_password: password, new_password: 'correct horses like battery' }
  await service.client(user.token).call('/services/identity/v1/password/change', changed)
  const mail = await server.newest(user.email, /^Your password was changed$/)
  const address = addressesIn(mail).find((path) => path === '/forgot-password')
  const { page } = await openWindow(t, { on: service, expected: /401/ })
  await page.goto(address ?? '')
  await page.getByLabel('Email').fill(user.email)
  await page.getByRole('button', { name: 'Send link' }).click()
  const link = linkIn(await server.newest(user.email, /^Reset/), '/reset-password')
  await page.goto(link)
  await page.getByLabel('New password').fill('quiet rivers turn at dawn')
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByRole('heading', { name: 'Password changed' }).waitFor()
})
