import assert from 'node:assert/strict'
import test from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { createScene, openAs } from '#tests/browser.ts'
import { eventually } from '#tests/process.ts'

const base = '/services/operations/v1/operations'

/** What has focus, by its name. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement
    if (element === null || element === document.body) return 'nothing'
    return element.getAttribute('aria-label') ?? element.textContent
  })

const hasFocus = (page: Page, name: string) => eventually(async () => assert.equal(await focused(page), name))

const press = async (control: Locator, key = 'Enter') => {
  await control.focus()
  await control.press(key)
}

async function choose(page: Page, menu: string, entry: string | RegExp) {
  await press(page.getByRole('button', { name: menu, exact: true }))
  await press(page.getByRole('menuitem', { name: entry }))
}

test('when the focused element of a board disappears, the nearest one gets the focus', async (t) => {
  const scene = await createScene()
  const page = await openAs(t, scene.members.admin, scene.path)
  await choose(page, 'Actions for the group To do', 'Collapse')
  await hasFocus(page, 'Actions for the group To do')
  await press(page.getByRole('button', { name: '3 cards in To do' }))
  await hasFocus(page, 'Move the group To do')
  await choose(page, 'Actions for Card 1', 'Snooze for a day')
  await hasFocus(page, 'Actions for Card 2')
  await choose(page, 'Actions for Card 2', 'Delete')
  await hasFocus(page, 'Actions for Card 3')
  await press(page.getByRole('link', { name: 'Card 3' }), 'Delete')
  await hasFocus(page, '1 snoozed or hidden')
  await page.keyboard.press('Enter')
  await hasFocus(page, 'Actions for Card 1')
  await choose(page, 'Actions for the group Doing', /^Delete/)
  await hasFocus(page, 'Actions for the group Done')
  await press(page.getByRole('button', { name: 'Add group' }))
  await page.keyboard.press('Escape')
  await hasFocus(page, 'Add group')
})

test('a menu that a key opened on a card gives the focus back to the card, also after a dialog', async (t) => {
  const scene = await createScene()
  const page = await openAs(t, scene.members.member, scene.path)
  await press(page.getByRole('link', { name: 'Card 2' }), 'm')
  await press(page.getByRole('menuitem', { name: 'Move to another board…' }))
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await hasFocus(page, 'Card 2')
  await page.keyboard.press('m')
  await press(page.getByRole('menuitem', { name: 'Move to another board…' }), 'Tab')
  await hasFocus(page, 'Card 2')
})

test('closing a list or removing a filter keeps the focus at the filters', async (t) => {
  const scene = await createScene()
  const page = await openAs(t, scene.members.member, `${scene.path}?priority=low&owner=none&due=none`)
  await press(page.getByRole('button', { name: 'Remove the filter Assignee: Unassigned' }))
  await hasFocus(page, 'Remove the filter Due: No due date')
  await press(page.getByRole('button', { name: 'Clear' }))
  await hasFocus(page, 'Filter')
  await page.keyboard.press('Enter')
  await page.getByRole('combobox', { name: 'Filter by' }).waitFor()
  await page.keyboard.press('Escape')
  await hasFocus(page, 'Filter')
})

test('a notification returns the focus to where it was', async (t) => {
  const scene = await createScene()
  const page = await openAs(t, scene.members.member, scene.path)
  await press(page.getByRole('link', { name: 'Card 1' }), 'Delete')
  await hasFocus(page, 'Card 2')
  await press(page.getByRole('button', { name: 'Undo' }))
  await page.getByRole('link', { name: 'Card 1' }).waitFor()
  await hasFocus(page, 'Card 2')
})

test('undoing a discard gives focus to the field', async (t) => {
  const scene = await createScene()
  const page = await openAs(t, scene.members.admin, `${scene.path}/cards/${scene.cardIds[0]}`)
  await press(page.getByRole('button', { name: 'Add the description' }))
  await page.locator('[contenteditable=true]:focus').waitFor()
  await page.keyboard.type('Half a description')
  await page.keyboard.press('Escape')
  await hasFocus(page, 'Add the description')
  await press(page.getByRole('button', { name: 'Undo' }))
  await page.locator('[contenteditable=true]:focus').getByText('Half a description').waitFor()
  await page.getByRole('button', { name: 'Close' }).click()
  await press(page.getByRole('button', { name: 'Add card to Doing' }))
  await page.keyboard.type('Half a card')
  await page.keyboard.press('Escape')
  await press(page.getByRole('button', { name: 'Undo' }).last())
  await hasFocus(page, 'Title of the new card in Doing')
})

/** Types on until something is shown, and then some words more. */
async function typeOn(page: Page, shown: Locator) {
  while (!(await shown.isVisible())) await page.keyboard.type(' c')
  await page.keyboard.type(' check cod again')
  await page.keyboard.press('Enter')
}

/** No key was taken for a shortcut, or pressed a button. */
async function nothingHappened(page: Page) {
  assert.equal(await page.getByRole('textbox', { name: /new (card|group)/i }).count(), 0)
  assert.equal(await page.getByRole('dialog').count(), 0)
  const isControl = () =>
    document.activeElement?.matches('button, a, input, textarea, [contenteditable=true]')
  assert.equal(await page.evaluate(isControl), false)
}

test('words typed after someone else deletes the card or the group press nothing and open nothing', async (t) => {
  const scene = await createScene()
  const { admin, members, path, cardIds, groupIds } = scene
  const [id] = cardIds as [number]
  const page = await openAs(t, members.admin, `${path}/cards/${id}`, { expected: /404/ })
  const panel = page.getByRole('complementary')
  const fields = ['Title', 'Write a comment'] as const
  for (const name of fields) {
    await panel.getByRole('textbox', { name, exact: true }).click()
    await page.keyboard.type('Half')
    await admin.call(`${base}/cards/delete`, { id })
    await typeOn(page, panel.getByRole('heading', { name: 'This card was deleted' }))
    await nothingHappened(page)
    // After Tab they are pressed again, at once.
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await panel.waitFor({ state: 'detached' })
    await admin.call(`${base}/cards/restore`, { id })
    await page.getByRole('link', { name: 'Card 1' }).click()
    await panel.getByRole('textbox', { name: 'Title' }).waitFor()
  }
  await page.goto(path)
  await page.getByRole('button', { name: 'Add card to Doing' }).click()
  await page.keyboard.type('Half')
  await admin.call(`${base}/groups/delete`, { id: groupIds[1] as number })
  const notice = page.getByRole('region', { name: 'Doing' }).getByRole('heading', { name: /deleted/ })
  await typeOn(page, notice)
  await nothingHappened(page)
  await hasFocus(page, 'Doing')
  await admin.call(`${base}/groups/restore`, { id: groupIds[1] as number })
  await notice.waitFor({ state: 'detached' })
  await eventually(async () => assert.notEqual(await focused(page), 'nothing'))
  assert.notEqual(await focused(page), 'Add group')
})

test('changes in the panel keep the focus, and Escape in a field closes only the field', async (t) => {
  const scene = await createScene()
  const { member, members, admin, path, cardIds } = scene
  const hello = { card_id: cardIds[0] as number, comment: 'Hello' }
  const { comment } = await member.call(`${base}/comments/create`, hello)
  const page = await openAs(t, members.member, path)
  await press(page.getByRole('link', { name: 'Card 1' }))
  const panel = page.getByRole('complementary')
  await panel.getByRole('textbox', { name: 'Title' }).fill('Renamed')
  await page.keyboard.press('Enter')
  await page.getByRole('complementary', { name: 'Card: Renamed' }).waitFor()
  await hasFocus(page, 'Title')
  await press(panel.getByRole('button', { name: 'Due date: Add date' }))
  await page.keyboard.press('Escape')
  await hasFocus(page, 'Due date:  Add date')
  await page.keyboard.press('Enter')
  await page.getByRole('combobox', { name: 'Due date' }).fill('2031-05-04')
  await page.keyboard.press('Enter')
  const clear = panel.getByRole('button', { name: 'Remove due date' })
  await clear.waitFor()
  await hasFocus(page, 'Due date:  Sun, May 4, 2031')
  await press(clear)
  await hasFocus(page, 'Due date:  Add date')
  await press(page.getByRole('button', { name: 'Undo' }))
  await hasFocus(page, 'Due date:  Sun, May 4, 2031')
  await press(panel.getByRole('button', { name: 'Reply' }))
  await page.keyboard.type('Yes')
  await page.keyboard.press('Control+Enter')
  await panel.getByText('Yes', { exact: true }).waitFor()
  await hasFocus(page, 'Reply')
  // Also if somebody else's reply comes before the field while it has the focus.
  await page.keyboard.press('Enter')
  const reply = { card_id: cardIds[0] as number, parent_comment_id: comment.id, comment: 'Me too' }
  await admin.call(`${base}/comments/create`, reply)
  await panel.getByText('Me too').waitFor()
  await page.keyboard.press('Escape')
  await hasFocus(page, 'Reply')
})

test('after a dialog or panel the focus returns; on a new page it is on the heading', async (t) => {
  const scene = await createScene()
  const page = await openAs(t, scene.members.admin, `/p/${scene.projectId}/boards`)
  await press(page.getByRole('button', { name: 'New board' }))
  await press(page.getByRole('button', { name: 'Cancel' }))
  await hasFocus(page, 'New board')
  await press(page.getByRole('table').getByRole('link', { name: 'Board' }))
  await page.getByRole('link', { name: 'Card 1' }).waitFor()
  await hasFocus(page, 'Board')
  assert.equal(await page.evaluate(() => document.activeElement?.tagName), 'H1')
  await press(page.getByRole('button', { name: 'Activity' }))
  // The panel, not the button of the same name.
  await page.locator('aside:focus').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('complementary').waitFor({ state: 'detached' })
  await hasFocus(page, 'Activity')
  // A press on nothing is a wish: what goes away afterwards brings no focus back.
  await page.getByRole('link', { name: 'Card 2' }).focus()
  await page.mouse.click(100, 600)
  await scene.admin.call(`${base}/cards/delete`, { id: scene.cardIds[1] as number })
  await page.getByRole('link', { name: 'Card 2' }).waitFor({ state: 'detached' })
  assert.equal(await focused(page), 'nothing')
})
