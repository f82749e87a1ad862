import assert from 'node:assert/strict'
import test from 'node:test'
import { announced, assertAccessible, createScene, hasStored, openAs, stored } from '#tests/browser.ts'

const base = '/services/operations/v1/operations'

test('while a dialog is open, its notifications can be used and are read out', async (t) => {
  const { member, members, path } = await createScene()
  await member.call(`${base}/tags/create`, { name: 'Legal' })
  const page = await openAs(t, members.admin, path, { expected: /Failed to load/ })
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('button', { name: 'Manage tags' }).click()
  const dialog = page.getByRole('dialog')
  await page.route(/tags\/update/, (route) => route.abort())
  await dialog.getByRole('button', { name: 'Legal', exact: true }).click()
  await dialog.getByRole('textbox', { name: 'Rename the tag Legal' }).fill('Law')
  await page.keyboard.press('Enter')
  await dialog
    .getByRole('status')
    .getByText(/The tag was not changed/)
    .waitFor()
  await assertAccessible(page, 'a notification in a dialog')
  await dialog.getByRole('button', { name: 'Dismiss' }).click()
  await page.getByText(/The tag was not changed/).waitFor({ state: 'detached' })
  const say = (text: string) =>
    page.evaluate((detail) => void document.dispatchEvent(new CustomEvent('announcement', { detail })), text)
  await say('Inside')
  assert.equal(await dialog.locator('[data-announcer]').textContent(), 'Inside')
  await dialog.getByRole('button', { name: 'Close' }).click()
  await say('Outside')
  assert.equal(await announced(page).textContent(), 'Outside')
})

test('failures stay until they are dismissed; successes disappear by themselves', async (t) => {
  const { members, path } = await createScene()
  const page = await openAs(t, members.member, path, { expected: /Failed to load/ })
  await page.clock.install()
  await page.goto(path)
  const move = async () => {
    await page.getByRole('link', { name: 'Card 1' }).focus()
    await page.keyboard.press('m')
    await page.getByRole('menuitem', { name: 'Move down' }).click()
  }
  await move()
  await page.getByText('Moved within To do').waitFor()
  await page.route(/cards\/move/, (route) => route.abort())
  await move()
  const failure = page.getByText(/The card was not moved/)
  await failure.waitFor()
  await page.clock.fastForward(20_000)
  await page.getByText('Moved within To do').waitFor({ state: 'detached' })
  await page.clock.fastForward(20_000)
  assert.equal(await failure.count(), 1)
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await failure.waitFor({ state: 'detached' })
})

test('Escape closes a menu that a button with a tooltip opened by key; the button has focus and its tooltip', async (t) => {
  const { members, path } = await createScene()
  const page = await openAs(t, members.admin, path)
  const button = page.getByRole('button', { name: 'Actions for the board Board' })
  for (let times = 0; times < 3; times++) {
    await button.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menu').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    assert.ok(await button.evaluate((element) => element === document.activeElement))
    await page.locator('.tooltip:popover-open').filter({ hasText: 'Actions for the board Board' }).waitFor()
  }
})

test('Ctrl and Z take back the last change after its notification is gone, but not once something else has changed', async (t) => {
  const scene = await createScene()
  const page = await openAs(t, scene.members.member, scene.path)
  await page.clock.install()
  await page.goto(scene.path)
  const moveDown = async () => {
    await page.getByRole('link', { name: 'Card 1' }).focus()
    await page.keyboard.press('m')
    await page.getByRole('menuitem', { name: 'Move down' }).click()
    await hasStored(scene, { 'To do': ['Card 2', 'Card 1', 'Card 3'], Doing: [], Done: [] })
    await page.clock.fastForward(10_000)
    await page.getByText('Moved within To do', { exact: true }).waitFor({ state: 'detached' })
  }
  await moveDown()
  await page.keyboard.press('ControlOrMeta+z')
  await page.getByText('Undone: Moved within To do').waitFor()
  await hasStored(scene, { 'To do': ['Card 1', 'Card 2', 'Card 3'], Doing: [], Done: [] })

  await moveDown()
  await page.getByRole('button', { name: 'Add card to Doing' }).click()
  await page.keyboard.type('New')
  await page.keyboard.press('Enter')
  await hasStored(scene, { 'To do': ['Card 2', 'Card 1', 'Card 3'], Doing: ['New'], Done: [] })
  await page.getByRole('link', { name: 'Card 1' }).focus()
  await page.keyboard.press('ControlOrMeta+z')
  await page.keyboard.press('x')
  await page.getByRole('region', { name: 'Selected cards' }).waitFor()
  assert.deepEqual(await stored(scene), { 'To do': ['Card 2', 'Card 1', 'Card 3'], Doing: ['New'], Done: [] })
})
