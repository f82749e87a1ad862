import assert from 'node:assert/strict'
import test from 'node:test'
import type { Locator, Page } from 'playwright-core'
import {
  announced,
  assertAccessible,
  createScene,
  movedIn,
  openAs,
  type Scene,
  service,
  shows,
  watchMoves,
} from '#tests/browser.ts'
import { eventually } from '#tests/process.ts'
import { steps } from './steps.ts'

const base = '/services/operations/v1/operations'

/** A project whose cards are steps with these keys. */
async function createTour(keys: string[]) {
  const scene = await createScene({ cards: keys.length })
  for (const [index, key] of keys.entries())
    await service.db.sql`
      update cards set tour_key = ${key}, short_description = ${`About ${key}`}
      where project_id = ${scene.projectId} and id = ${scene.cardIds[index] as number}`
  return scene
}

const checklist = (page: Page) => page.getByRole('complementary', { name: 'Getting started' })
const entry = (page: Page) => page.getByRole('button', { name: /^Getting started/ })
/** On the board; the checklist, which may be drawn first, has links with the same names. */
const cardOn = (page: Page, title: string) =>
  page.getByRole('list', { name: /^Cards in/ }).getByRole('link', { name: title })
const step = (page: Page, title: string) => checklist(page).getByRole('link', { name: title })
const box = (page: Page, title: string) =>
  checklist(page).getByRole('checkbox', { name: `“${title}” is done` })
const hint = (page: Page, words: string) => page.locator('.tour-hint').getByText(words)
const hasFocus = (locator: Locator) =>
  eventually(async () => assert.ok(await locator.evaluate((element) => element === document.activeElement)))

const statuses = async ({ member }: Scene) =>
  (await member.call(`${base}/tour/cards/list`)).cards.map(({ status }) => status)
const hasStatuses = (scene: Scene, expected: string[]) =>
  eventually(async () => assert.deepEqual(await statuses(scene), expected))

test('it opens by itself for a new member until they close it, and the sidebar opens it again', async (t) => {
  const { members, path, projectId } = await createTour(['card.create', 'own.key'])
  const page = await openAs(t, members.member, path)
  await checklist(page).getByText('0 of 2 done').waitFor()
  await announced(page).getByText('Getting started is open at the end of the page: 0 of 2 steps').waitFor()
  assert.equal(await page.evaluate(() => document.activeElement?.closest('#tour')), null)
  await assertAccessible(page, 'tour')
  await page.reload()
  await checklist(page).waitFor()
  await page.getByRole('button', { name: 'Close Getting started' }).click()
  await checklist(page).waitFor({ state: 'hidden' })
  await eventually(async () => {
    const [row] = await service.db.sql`
      select tour_seen_at from memberships where project_id = ${projectId} and user_id = ${members.member.id}`
    assert.ok(row?.['tour_seen_at'])
  })
  await page.reload()
  await entry(page).waitFor()
  await page.getByRole('link', { name: 'Card 1' }).waitFor()
  assert.equal(await checklist(page).count(), 0)
  await entry(page).focus()
  await page.keyboard.press('Enter')
  await hasFocus(checklist(page))
  await page.keyboard.press('Escape')
  await checklist(page).waitFor({ state: 'hidden' })
  await hasFocus(entry(page))
  const other = await openAs(t, members.admin, `/p/${projectId}/account`)
  await checklist(other).waitFor()
  await announced(other).getByText('Getting started is open').waitFor()
  // Who signs in next hears nothing of it.
  await other.getByRole('button', { name: 'Sign out' }).click()
  await other.getByRole('heading', { name: 'Sign in to Cardinal' }).waitFor()
  assert.equal(await announced(other).textContent(), '')
})

test('it opens by itself without moving the page, also if its steps arrive late', async (t) => {
  const { members, path, projectId } = await createTour(['card.create', 'own.key'])
  for (const width of [1280, 900])
    for (const address of [`/p/${projectId}/home`, path, `/p/${projectId}/account`]) {
      const page = await openAs(t, members.member, 'about:blank', { viewport: { width, height: 800 } })
      await watchMoves(page)
      const isShown = Promise.withResolvers<void>()
      await page.route(/tour\/cards\/list$/, async (route) => {
        await isShown.promise
        await route.continue()
      })
      await page.goto(address)
      await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()
      await page.getByRole('link', { name: 'My cards' }).waitFor()
      await movedIn(page)
      isShown.resolve()
      await step(page, 'Card 1').waitFor()
      await entry(page).waitFor()
      assert.deepEqual(await movedIn(page), [], `${address} ${width}`)
      await page.context().close()
    }
})

test('a step leads to its place, points at it, and is done once the thing is done', async (t) => {
  const scene = await createTour(['card.create', 'comment.create', 'own.key'])
  const { members, projectId, path, cardIds } = scene
  const page = await openAs(t, members.member, `/p/${projectId}/trash`)
  await step(page, 'Card 1').click()
  await page.waitForURL(`**${path}`)
  const newCard = page.getByRole('button', { name: 'New card' })
  await hasFocus(newCard)
  await hint(page, 'Add a card for something').waitFor()
  await announced(page).getByText('Add a card for something').waitFor()
  await assertAccessible(page, 'tour, hint')
  await page.keyboard.press('Enter')
  await hint(page, 'Add a card for something').waitFor({ state: 'hidden' })
  await page.getByRole('textbox', { name: 'Title of the new card in To do' }).fill('Mine')
  await page.keyboard.press('Enter')
  await page.getByText('“Card 1” is done: 1 of 3').waitFor()
  await checklist(page).getByText('1 of 3 done').waitFor()
  assert.ok(await box(page, 'Card 1').isChecked())
  await hasStatuses(scene, ['closed', 'open', 'open'])

  await step(page, 'Card 2').click()
  await page.waitForURL(`**/cards/${cardIds[1]}`)
  const comment = page.getByRole('textbox', { name: 'Write a comment' })
  await hasFocus(comment)
  await page.keyboard.type('Hello')
  await page.keyboard.press('Control+Enter')
  await page.getByText('“Card 2” is done: 2 of 3').waitFor()

  await step(page, 'Card 3').click()
  await page.waitForURL(`**/cards/${cardIds[2]}`)
  await page.getByRole('complementary', { name: 'Card: Card 3' }).waitFor()
  assert.equal(await page.locator('.tour-hint').count(), 0)
  await box(page, 'Card 3').click()
  await hasStatuses(scene, ['closed', 'closed', 'closed'])
  await checklist(page).getByText("You're all set.").waitFor()
  await box(page, 'Card 3').click()
  await hasStatuses(scene, ['closed', 'closed', 'open'])
})

test('a step is marked while the checklist is closed, and none by a superadmin who helps out', async (t) => {
  const scene = await createTour(['card.move', 'own.key'])
  const { members, path } = scene
  const move = async (page: Page, title: string) => {
    await cardOn(page, title).focus()
    await page.keyboard.press('m')
    await page.getByRole('menuitem', { name: 'Done', exact: true }).click()
  }
  const superadmin = await openAs(t, await service.addUser({ superadmin: true }), path)
  await move(superadmin, 'Card 2')
  await shows(superadmin, 'Done', ['Card 2'])
  assert.equal(await checklist(superadmin).count(), 0)
  const page = await openAs(t, members.member, path)
  await page.getByRole('button', { name: 'Close Getting started' }).click()
  assert.deepEqual(await statuses(scene), ['open', 'open'])
  await move(page, 'Card 1')
  await page.getByText('“Card 1” is done: 1 of 2').waitFor()
  await hasStatuses(scene, ['open', 'closed'])
})

test('a card that stays in its group does not mark the step of moving one', async (t) => {
  const scene = await createTour(['card.move', 'own.key'])
  const page = await openAs(t, scene.members.member, scene.path)
  await cardOn(page, 'Card 1').press('m')
  await page.getByRole('menuitem', { name: 'Move down' }).click()
  await shows(page, 'To do', ['Card 2', 'Card 1'])
  await page.getByText('Moved within To do').waitFor()
  assert.equal(await page.getByText('is done').count(), 0)
  await cardOn(page, 'Card 1').press('m')
  await page.getByRole('menuitem', { name: 'Done', exact: true }).click()
  await page.getByText('“Card 1” is done: 1 of 2').waitFor()
})

test('a step that needs another role says so at its place', async (t) => {
  const { members, path } = await createTour(['board.create', 'own.key'])
  const page = await openAs(t, members.member, path)
  await step(page, 'Card 1').click()
  await hint(page, 'Only admins and owners').waitFor()
})

test('every registered step finds the element that it points at', async (t) => {
  const keys = Object.keys(steps)
  const { members, path } = await createTour(keys)
  const page = await openAs(t, members.admin, path)
  for (const [index, key] of keys.entries()) {
    await step(page, `Card ${index + 1}`).click()
    await hint(page, steps[key]?.hint as string).waitFor()
    const pointed = page.locator('[data-pointed]')
    await hasFocus(pointed)
    assert.equal(await pointed.count(), 1, key)
  }
  assert.ok(keys.length >= 5)
})

test('Escape closes the hint and returns to the checklist; so do leaving the page and a press on the place', async (t) => {
  const { members, path, cardIds } = await createTour(['card.create', 'comment.create', 'card.move'])
  const page = await openAs(t, members.member, path)
  await checklist(page).waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await hasFocus(page.getByRole('link', { name: 'Skip to Getting started' }))
  await page.keyboard.press('Enter')
  await hasFocus(checklist(page))
  await step(page, 'Card 2').focus()
  await page.keyboard.press('Enter')
  await hint(page, 'Write a comment.').waitFor()
  await page.keyboard.press('Escape')
  await page.locator('.tour-hint').waitFor({ state: 'hidden' })
  await hasFocus(step(page, 'Card 2'))
  assert.match(page.url(), new RegExp(`/cards/${cardIds[1]}$`))

  await step(page, 'Card 1').click()
  await hint(page, 'Add a card').waitFor()
  await page.getByRole('link', { name: 'Trash' }).click()
  await page.locator('.tour-hint').waitFor({ state: 'hidden' })

  await step(page, 'Card 3').click()
  await hint(page, 'Drag this card').waitFor()
  await page.locator('[data-pointed]').hover()
  await page.mouse.down()
  await page.locator('.tour-hint').waitFor({ state: 'hidden' })
  await page.mouse.up()
})

test('dismissing asks first and can be undone; the account page brings it back', async (t) => {
  const scene = await createTour(['card.create', 'own.key'])
  const { members, path, projectId } = scene
  const page = await openAs(t, members.member, path)
  const dismiss = checklist(page).getByRole('button', { name: 'Dismiss the tour…' })
  await dismiss.click()
  await page.getByText('Its 2 cards are hidden from the boards').waitFor()
  await page.keyboard.press('Escape')
  await hasFocus(dismiss)
  assert.deepEqual(await statuses(scene), ['open', 'open'])
  await dismiss.click()
  await page.getByRole('button', { name: 'Dismiss the tour', exact: true }).click()
  await page.getByText('Tour dismissed').waitFor()
  await checklist(page).waitFor({ state: 'hidden' })
  await shows(page, 'To do', [])
  await hasStatuses(scene, [])
  await page.getByRole('button', { name: 'Undo' }).click()
  await checklist(page).getByText('0 of 2 done').waitFor()
  await shows(page, 'To do', ['Card 1', 'Card 2'])

  await dismiss.click()
  await page.getByRole('button', { name: 'Dismiss the tour', exact: true }).click()
  await entry(page).waitFor({ state: 'hidden' })
  await page.goto(`/p/${projectId}/account`)
  await page.getByText('The tour of Project was dismissed.').waitFor()
  await assertAccessible(page, 'account, dismissed tour')
  await page.getByRole('button', { name: 'Bring the tour back' }).click()
  await checklist(page).getByText('0 of 2 done').waitFor()
  await hasFocus(checklist(page))
  await page.getByText('0 of 2 steps in Project are done.').waitFor()
  await hasStatuses(scene, ['open', 'open'])
})

test('viewers, who cannot do the steps, have no tour', async (t) => {
  const scene = await createTour(['card.create', 'own.key'])
  const page = await openAs(t, scene.members.viewer, scene.path)
  await page.getByRole('link', { name: 'Card 1' }).waitFor()
  await page.getByRole('link', { name: 'My cards' }).waitFor()
  assert.deepEqual([await checklist(page).count(), await entry(page).count()], [0, 0])
})

test('without a tour there is neither checklist nor entry, and the account page says so', async (t) => {
  const { members, projectId } = await createScene()
  const page = await openAs(t, members.member, `/p/${projectId}/account`)
  await page.getByText('Project has no tour.').waitFor()
  await page.getByText('Off for your account. A superadmin can turn them on.').waitFor()
  assert.deepEqual([await checklist(page).count(), await entry(page).count()], [0, 0])
  await service.db.sql`update users set enable_ai = true where id = ${members.member.id}`
  await page.reload()
  await page.getByText('On for your account. A superadmin can turn them off.').waitFor()
})

test('on a phone the checklist is below the page and hides its steps while it points', async (t) => {
  const { members, path } = await createTour(['card.create', 'own.key'])
  const page = await openAs(t, members.member, path, { viewport: { width: 360, height: 740 } })
  await page.getByRole('link', { name: 'Card 1' }).waitFor()
  await page.getByRole('button', { name: 'Open sidebar' }).click()
  assert.equal(await checklist(page).count(), 0)
  await entry(page).click()
  await checklist(page).waitFor()
  await assertAccessible(page, 'tour on a phone')
  await step(page, 'Card 1').click()
  await hint(page, 'Add a card').waitFor()
  await step(page, 'Card 1').waitFor({ state: 'hidden' })
  await page.keyboard.press('Escape')
  await hasFocus(step(page, 'Card 1'))

  // A laptop at 200 % has too little height for one below the other.
  await page.setViewportSize({ width: 720, height: 450 })
  const [beside, main] = [await checklist(page).boundingBox(), await page.getByRole('main').boundingBox()]
  assert.ok(beside && main)
  assert.ok(main.height > 400 && main.width > 400, `the page has ${main.width} by ${main.height}`)
  assert.ok(beside.x >= main.x + main.width)
  await page.getByRole('link', { name: 'Card 1', exact: true }).click()
  await page.getByRole('complementary', { name: 'Card: Card 1' }).waitFor()
  await checklist(page).waitFor({ state: 'hidden' })
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 720)
})
