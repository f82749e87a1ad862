import assert from 'node:assert/strict'
import test from 'node:test'
import type { Locator } from 'playwright-core'
import { assertAccessible, createScene, openAs, type Scene, service } from '#tests/browser.ts'

const base = '/services/operations/v1/operations'
/** What the browser itself says about an answer of 404. */
const expected = /404/

const nameOf = async ({ admin }: Scene) => (await admin.call('/services/identity/v1/users/me')).user.name

test('a deleted board shows who deleted it and when, and reappears when restored', async (t) => {
  const scene = await createScene()
  const { admin, members, boardId, path } = scene
  const page = await openAs(t, members.owner, path, { expected })
  await page.getByRole('link', { name: 'Card 1' }).waitFor()
  await admin.call(`${base}/boards/delete`, { id: boardId })
  await page.getByRole('heading', { name: 'This board was deleted' }).waitFor()
  await page.getByText(`Deleted by ${await nameOf(scene)} · just now`).waitFor()
  assert.equal(await page.getByRole('link', { name: 'Card 1' }).count(), 0)
  for (const name of ['Add card', 'Add group', 'New card'])
    assert.equal(await page.getByRole('button', { name }).count(), 0)
  await assertAccessible(page, 'a deleted board')

  await admin.call(`${base}/boards/restore`, { id: boardId })
  await page.getByRole('link', { name: 'Card 1' }).waitFor()
  await admin.call(`${base}/boards/delete`, { id: boardId })
  await page.getByRole('button', { name: 'Restore' }).click()
  await page.getByRole('link', { name: 'Card 1' }).waitFor()
  await page.getByText('Restored “Board”').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('heading', { name: 'This board was deleted' }).waitFor()
  await page.getByRole('main').getByRole('link', { name: 'Back to boards' }).click()
  await page.getByRole('heading', { name: 'No boards yet' }).waitFor()
})

test('a deleted board shows who can restore it; after 30 days it is not found', async (t) => {
  const { admin, members, boardId, cardIds, path } = await createScene()
  await admin.call(`${base}/boards/delete`, { id: boardId })
  const page = await openAs(t, members.member, `${path}/cards/${cardIds[0]}`, { expected })
  await page.getByText('Only admins and owners can restore a board.').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Restore' }).getAttribute('aria-disabled'), 'true')
  await admin.call(`${base}/boards/restore`, { id: boardId })
  await page.getByRole('complementary', { name: 'Card: Card 1' }).waitFor()

  await admin.call(`${base}/boards/delete`, { id: boardId })
  await service.db.sql`update boards set deleted_at = now() - interval '31 days' where id = ${boardId}`
  await page.reload()
  await page.getByRole('heading', { name: 'The board could not be opened' }).waitFor()
  assert.equal(await page.getByText(/Deleted by/).count(), 0)
})

test('a deleted card says so in its panel and at its address, and is restored there', async (t) => {
  const scene = await createScene()
  const { admin, members, cardIds, path } = scene
  const [id] = cardIds as [number]
  const page = await openAs(t, members.member, `${path}/cards/${id}`, { expected })
  const panel = page.getByRole('complementary')
  await panel.getByRole('textbox', { name: 'Title' }).waitFor()
  await admin.call(`${base}/cards/delete`, { id })
  await panel.getByRole('heading', { name: 'This card was deleted' }).waitFor()
  await panel.getByText(`Deleted by ${await nameOf(scene)} · just now`).waitFor()
  assert.equal(await panel.getByRole('textbox').count(), 0)
  await assertAccessible(page, 'a deleted card')
  await page.reload()
  await panel.getByRole('button', { name: 'Restore' }).click()
  await panel.getByRole('textbox', { name: 'Title' }).waitFor()
  await page.goto(`${path}/cards/999999`)
  await panel.getByRole('heading', { name: "This card isn't on the board" }).waitFor()
})

test('a card deleted with its group is restored with it, or alone in the first group; by members only alone', async (t) => {
  const { admin, members, groupIds, cardIds, path } = await createScene()
  const [first, second] = cardIds as [number, number]
  const page = await openAs(t, members.admin, `${path}/cards/${first}`, { expected })
  await page.getByRole('complementary').getByRole('textbox', { name: 'Title' }).waitFor()
  await admin.call(`${base}/groups/delete`, { id: groupIds[0] as number })
  const panel = page.getByRole('complementary')
  await panel.getByText('It was deleted with its group.').waitFor()
  await panel.getByRole('button', { name: 'Restore with its group' }).click()
  await page.getByRole('link', { name: 'Card 3' }).waitFor()
  await panel.getByRole('textbox', { name: 'Title' }).waitFor()

  await admin.call(`${base}/groups/delete`, { id: groupIds[0] as number })
  const other = await openAs(t, members.member, `${path}/cards/${second}`, { expected })
  const both = other.getByRole('button', { name: 'Restore with its group' })
  await both.waitFor()
  assert.equal(
    await both.getAttribute('aria-description'),
    'Only admins and owners can restore a group or board.',
  )
  await other.getByText('Restored alone, it returns to Doing.').waitFor()
  await other.getByRole('button', { name: 'Restore alone' }).click()
  await other.getByRole('region', { name: 'Doing' }).getByRole('link', { name: 'Card 2' }).waitFor()
})

test('other users learn nothing about a deleted board', async (t) => {
  const { admin, boardId } = await createScene()
  await admin.call(`${base}/boards/delete`, { id: boardId })
  const other = await createScene()
  const page = await openAs(t, other.members.owner, `/p/${other.projectId}/boards/${boardId}`, {
    expected: /403|404/,
  })
  await page.getByRole('heading', { name: 'The board could not be opened' }).waitFor()
  assert.equal(await page.getByText(/Deleted by|This board was deleted/).count(), 0)
})

test('a missing card, group or board whose deletion cannot be read says so, and is read again', async (t) => {
  const { admin, members, boardId, groupIds, cardIds, path } = await createScene()
  const page = await openAs(t, members.admin, `${path}/cards/${cardIds[0]}`, { expected: /404|503/ })
  let isRefused = true
  const json = { error: true, message: 'The service is busy.', data: [] }
  await page.route(/trash\/get$/, (route) =>
    isRefused ? route.fulfill({ status: 503, json }) : route.continue(),
  )
  const askAgain = async (within: Locator) => {
    isRefused = false
    await within.getByRole('button', { name: 'Try again' }).click()
  }
  const panel = page.getByRole('complementary')
  await panel.getByRole('textbox', { name: 'Title' }).waitFor()
  await page.getByRole('button', { name: 'Add card to Doing' }).click()
  await page.getByRole('textbox', { name: 'Title of the new card in Doing' }).fill('Half a card')

  await admin.call(`${base}/cards/delete`, { id: cardIds[0] as number })
  await panel.getByRole('heading', { name: 'The card could not be opened' }).waitFor()
  await assertAccessible(page, 'a card whose deletion could not be read')
  await askAgain(panel)
  await panel.getByRole('heading', { name: 'This card was deleted' }).waitFor()

  isRefused = true
  await admin.call(`${base}/groups/delete`, { id: groupIds[1] as number })
  const group = page.getByRole('region', { name: 'Deleted group' })
  await group.getByRole('heading', { name: 'The group could not be opened' }).waitFor()
  await group.getByRole('article', { name: 'Draft: New card' }).waitFor()
  await askAgain(group)
  await page.getByRole('heading', { name: 'This group was deleted' }).waitFor()

  isRefused = true
  await admin.call(`${base}/boards/delete`, { id: boardId })
  const main = page.getByRole('main')
  await main.getByRole('heading', { name: 'The board could not be opened' }).waitFor()
  await askAgain(main)
  await main.getByRole('heading', { name: 'This board was deleted' }).waitFor()
})
