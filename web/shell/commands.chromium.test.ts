// The command menu and the keys that work on every page.
import assert from 'node:assert/strict'
import test from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessible, createScene, hasStored, openAs, openWindow, signIn } from '#tests/browser.ts'
import { eventually } from '#tests/process.ts'

const pathOf = (page: Page) => new URL(page.url()).pathname
const isAt = (page: Page, path: string) => eventually(async () => assert.equal(pathOf(page), path))
const menu = (page: Page) => page.getByRole('dialog', { name: 'Commands' })
const open = async (page: Page) => {
  await eventually(async () => {
    await page.keyboard.press('ControlOrMeta+k')
    await menu(page).waitFor({ timeout: 1000 })
  })
}

test('the command menu finds boards, cards, people and pages, and what was chosen last comes first', async (t) => {
  const scene = await createScene()
  const project = `/p/${scene.projectId}`
  const page = await openAs(t, scene.members.member, 'about:blank')
  // What is typed while a dialog is loaded is for the dialog, and is no key of the page.
  const late = /\/(command-menu|new-card)[^/]*\.js/
  const held = new Map<string, () => void>()
  await page.route(late, async (route) => {
    const name = late.exec(route.request().url())?.[1] as string
    await new Promise<void>((resolve) => held.set(name, resolve))
    await route.continue()
  })
  await page.goto(`${project}/trash`)
  await page.getByRole('heading', { name: 'Trash' }).waitFor()
  await eventually(async () => {
    await page.keyboard.press('ControlOrMeta+k')
    assert.ok(held.has('command-menu'))
  })
  await page.keyboard.type('ca')
  held.get('command-menu')?.()
  await page.keyboard.type('rd 2')
  await menu(page).getByRole('option', { name: 'Card 2' }).waitFor()
  assert.equal(await menu(page).getByRole('combobox').inputValue(), 'card 2')
  await assertAccessible(page, 'command menu')
  await page.keyboard.press('Escape')
  await menu(page).waitFor({ state: 'detached' })
  await page.keyboard.press('c')
  await eventually(async () => assert.ok(held.has('new-card')))
  await page.keyboard.type('cut')
  held.get('new-card')?.()
  const newCard = page.getByRole('dialog', { name: 'New card' })
  await newCard.getByRole('textbox', { name: 'Title' }).and(page.locator(':focus')).waitFor()
  assert.equal(await newCard.getByRole('textbox', { name: 'Title' }).inputValue(), 'cut')
  await page.keyboard.press('Escape')
  await page.unroute(late)

  await open(page)
  await page.keyboard.type('card 2')
  await menu(page).getByRole('option', { name: 'Card 2' }).waitFor()
  await page.keyboard.press('Enter')
  await isAt(page, `${scene.path}/cards/${scene.cardIds[1]}`)

  await open(page)
  const first = menu(page).getByRole('option').first()
  await first.filter({ hasText: 'Card 2' }).waitFor()
  await menu(page).getByRole('group', { name: 'Recent' }).waitFor()
  await page.keyboard.type('my cards')
  await page.keyboard.press('Enter')
  await isAt(page, `${project}/my-cards`)

  await open(page)
  await page.keyboard.type(`people user ${/\d+/.exec(scene.members.viewer.email)}`)
  await menu(page).getByRole('option').first().click()
  await isAt(page, scene.path)
  assert.equal(new URL(page.url()).searchParams.get('owner'), String(scene.members.viewer.id))

  await open(page)
  await page.keyboard.type('no such thing')
  await menu(page).getByText('Nothing matches “no such thing”.').waitFor()
  await page.keyboard.press('Escape')
  await menu(page).waitFor({ state: 'detached' })
})

test('recent choices are kept until the person signs out, and a menu that was not loaded opens the next time', async (t) => {
  const scene = await createScene()
  const page = await openAs(t, scene.members.member, 'about:blank', {
    expected: /Failed to (load|fetch)|preload/i,
  })
  await page.route(/command-menu[^/]*\.js/, (route) => route.abort())
  await page.goto(scene.path)
  await page.getByRole('link', { name: 'Card 1' }).waitFor()
  const problem = page.getByText('This part could not be loaded')
  await eventually(async () => {
    await page.keyboard.press('ControlOrMeta+k')
    await problem.waitFor({ timeout: 1000 })
  })
  await page.unroute(/command-menu[^/]*\.js/)
  await open(page)
  await page.keyboard.type('card 2')
  await menu(page).getByRole('option', { name: 'Card 2' }).waitFor()
  await page.keyboard.press('Enter')
  await isAt(page, `${scene.path}/cards/${scene.cardIds[1]}`)
  await page.reload()
  await page.getByRole('complementary', { name: 'Card: Card 2' }).waitFor()
  await open(page)
  const recent = menu(page).getByRole('group', { name: 'Recent' })
  await recent.getByRole('option', { name: 'Card 2' }).waitFor()
  await page.keyboard.type('sign out')
  await page.keyboard.press('Enter')
  await isAt(page, '/sign-in')
  assert.deepEqual(
    await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('own:'))),
    [],
  )
})

test('the command menu has every action of the card in focus, and of the open card', async (t) => {
  const scene = await createScene()
  const page = await openAs(t, scene.members.member, 'about:blank')
  // Opened before the code of these actions is loaded, it takes them up.
  const isOpened = Promise.withResolvers<void>()
  await page.route(/\/board-tools-[^/]*\.js/, async (route) => {
    await isOpened.promise
    await route.continue()
  })
  await page.goto(scene.path)
  await page.getByRole('link', { name: 'Card 2' }).focus()
  await page.keyboard.press('ControlOrMeta+k')
  await menu(page).waitFor()
  isOpened.resolve()
  await menu(page).getByRole('group', { name: 'Card 2' }).waitFor()
  await page.keyboard.type('to top')
  await page.keyboard.press('Enter')
  await hasStored(scene, { 'To do': ['Card 2', 'Card 1', 'Card 3'], Doing: [], Done: [] })
  await page.goto(`${scene.path}/cards/${scene.cardIds[2]}`)
  await page.getByRole('complementary', { name: 'Card: Card 3' }).waitFor()
  await eventually(async () => {
    await page.keyboard.press('ControlOrMeta+k')
    await menu(page)
      .getByRole('group', { name: 'Card 3' })
      .waitFor({ timeout: 1000 })
      .catch(async (error) => {
        await page.keyboard.press('Escape')
        throw error
      })
  })
  await page.keyboard.type('duplicate')
  await page.keyboard.press('Enter')
  await hasStored(scene, { 'To do': ['Card 2', 'Card 1', 'Card 3', 'Card 3'], Doing: [], Done: [] })
})

test('the command menu sets every field of the card in focus, by choice or by typed date', async (t) => {
  const scene = await createScene()
  await scene.member.call('/services/operations/v1/operations/tags/create', { name: 'bug' })
  const page = await openAs(t, scene.members.member, scene.path)
  const run = async (...typed: string[]) => {
    const card = page.getByRole('link', { name: 'Card 2' })
    await card.focus()
    await eventually(async () => {
      await page.keyboard.press('ControlOrMeta+k')
      await menu(page)
        .getByRole('group', { name: 'Card 2' })
        .waitFor({ timeout: 1000 })
        .catch(async (error) => {
          await page.keyboard.press('Escape')
          throw error
        })
    })
    for (const text of typed) {
      await page.keyboard.type(text)
      await page.keyboard.press('Enter')
    }
    await menu(page).waitFor({ state: 'detached' })
  }
  await run('priority', 'urgent')
  await run('status', 'in progress')
  await run('assignee', `user ${/\d+/.exec(scene.members.viewer.email)}`)
  await run('due', '18 Nov 2031')
  const face = page.locator('.card', { hasText: 'Card 2' })
  await face.getByRole('img', { name: 'Urgent priority' }).waitFor()
  await face.getByRole('img', { name: 'In progress' }).waitFor()
  await face.getByText('Nov 18, 2031').waitFor()
  await run('low')
  await face.getByRole('img', { name: 'Low priority' }).waitFor()
  await run('due 19 Nov 2032')
  await face.getByText('Nov 19, 2032').waitFor()
  await run('bug')
  await face.getByText('bug').waitFor()
  await run(`assign to user ${/\d+/.exec(scene.members.member.email)}`)
  await eventually(async () => {
    const id = scene.cardIds[1] as number
    const { card } = await scene.member.call('/services/operations/v1/operations/cards/get', { id })
    assert.equal(card.owner_id, scene.members.member.id)
  })
  await run('move to doing')
  await hasStored(scene, { 'To do': ['Card 1', 'Card 3'], Doing: ['Card 2'], Done: [] })

  await open(page)
  await page.keyboard.type('filter by')
  await page.keyboard.press('Enter')
  await page.keyboard.type('no due date')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Card 2' }).waitFor({ state: 'detached' })
  await open(page)
  await page.keyboard.type('dark')
  await page.keyboard.press('Enter')
  await page.locator('html[data-theme="dark"]').waitFor()
  await open(page)
  await page.keyboard.type('activity')
  await page.keyboard.press('Enter')
  await isAt(page, `${scene.path}/activity`)
  await open(page)
  await page.keyboard.type('sign out')
  await page.keyboard.press('Enter')
  await isAt(page, '/sign-in')
})

test('one key sets a field of the card in focus, of selected cards and of the open card', async (t) => {
  const scene = await createScene()
  const page = await openAs(t, scene.members.member, scene.path)
  const field = (name: string) => menu(page).getByRole('combobox', { name })
  const face = (title: string) => page.locator('.card', { hasText: title })
  const isMine = (number: number) =>
    eventually(async () => {
      const id = scene.cardIds[number - 1] as number
      const { card } = await scene.member.call('/services/operations/v1/operations/cards/get', { id })
      assert.equal(card.owner_id, scene.members.member.id)
    })
  await page.getByRole('link', { name: 'Card 2' }).focus()
  await eventually(async () => {
    await page.keyboard.press('p')
    await field('Priority…').waitFor({ timeout: 1000 })
  })
  await assertAccessible(page, 'asking for a field')
  await page.keyboard.type('urg')
  await page.keyboard.press('Enter')
  await face('Card 2').getByRole('img', { name: 'Urgent priority' }).waitFor()
  await page.keyboard.press('d')
  await field('Due date…').waitFor()
  await page.keyboard.type('18 Nov 2031')
  await page.keyboard.press('Enter')
  await face('Card 2').getByText('Nov 18, 2031').waitFor()
  await page.keyboard.press('i')
  await isMine(2)

  await page.keyboard.press('x')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('x')
  await page.keyboard.press('s')
  await field('Status…').waitFor()
  await page.keyboard.type('in progress')
  await page.keyboard.press('Enter')
  for (const title of ['Card 2', 'Card 3'])
    await face(title).getByRole('img', { name: 'In progress' }).waitFor()
  await page.keyboard.press('Escape')

  await page.getByRole('link', { name: 'Card 1' }).click()
  const panel = page.getByRole('complementary', { name: 'Card: Card 1' })
  await panel.getByRole('button', { name: 'Close' }).first().focus()
  await page.keyboard.press('i')
  await isMine(1)
})

test('keys work on every page, and never in the way of typing', async (t) => {
  const scene = await createScene()
  const project = `/p/${scene.projectId}`
  const page = await openAs(t, scene.members.member, scene.path)
  await page.getByRole('link', { name: 'Card 1' }).focus()
  await page.keyboard.press('g')
  await page.keyboard.press('m')
  await isAt(page, `${project}/my-cards`)
  await page.getByRole('heading', { name: 'My cards' }).waitFor()
  await page.keyboard.press('?')
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  for (const text of [
    'First or last card of the group',
    'Extend the selection',
    'Ten rows up or down',
    'Lift, then choose a day with the arrow keys',
  ])
    await help.getByText(text).waitFor()
  await assertAccessible(page, 'keyboard shortcuts')
  await page.keyboard.press('Escape')
  await help.waitFor({ state: 'detached' })

  await page.keyboard.press('c')
  const dialog = page.getByRole('dialog', { name: 'New card' })
  await dialog.getByLabel('Title').pressSequentially('gb c?/ done')
  await dialog.getByLabel('Group').selectOption('Doing')
  await assertAccessible(page, 'new card from any page')
  await dialog.getByRole('button', { name: 'Add card' }).click()
  await hasStored(scene, { 'To do': ['Card 1', 'Card 2', 'Card 3'], Doing: ['gb c?/ done'], Done: [] })

  // My cards has a filter; a page without one leads to the search.
  await page.keyboard.press('/')
  const filter = page.getByRole('searchbox', { name: 'Filter by text' })
  await filter.and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('g')
  await page.keyboard.press('h')
  await isAt(page, `${project}/home`)
  await page.keyboard.press('g')
  await page.keyboard.press('t')
  await isAt(page, `${project}/trash`)
  await page.keyboard.press('/')
  await isAt(page, `${project}/search`)
  await page.getByRole('searchbox').fill('')
  await page.getByRole('heading', { name: 'Search' }).click()
  await page.keyboard.press('g')
  await page.keyboard.press('b')
  await isAt(page, `${project}/boards`)

  await page.goto(scene.path)
  await page.getByRole('link', { name: 'Card 1' }).focus()
  await page.keyboard.press('/')
  await page.keyboard.type('Card 3')
  await page.getByRole('link', { name: 'Card 1' }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Clear' }).click()
  await page.getByRole('link', { name: 'Card 1' }).focus()
  await page.keyboard.press('c')
  await page.keyboard.type('From the board')
  await page.keyboard.press('Enter')
  await hasStored(scene, {
    'To do': ['Card 1', 'Card 2', 'Card 3', 'From the board'],
    Doing: ['gb c?/ done'],
    Done: [],
  })
})

test('keys that are pressed before their code is loaded are not lost', async (t) => {
  const scene = await createScene()
  const page = await openAs(t, scene.members.member, 'about:blank')
  let pressed = Promise.withResolvers<void>()
  let late = /\/(keys|board-tools)-[^/]*\.js/
  await page.route(/\.js$/, async (route) => {
    if (late.test(route.request().url())) await pressed.promise
    await route.continue()
  })
  await page.goto(scene.path)
  await page.getByRole('link', { name: 'Card 2' }).focus()
  await page.keyboard.press('p')
  pressed.resolve()
  await menu(page).getByRole('option', { name: 'Urgent' }).waitFor()
  await page.keyboard.type('urgent')
  await page.keyboard.press('Enter')
  await page.locator('.card', { hasText: 'Card 2' }).getByRole('img', { name: 'Urgent priority' }).waitFor()

  pressed = Promise.withResolvers()
  await page.reload()
  await page.getByRole('link', { name: 'Card 2' }).waitFor()
  await page.keyboard.press('c')
  await page.keyboard.type('Buy milkk')
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Enter')
  await page.keyboard.type('And c')
  pressed.resolve()
  await hasStored(scene, { 'To do': ['Card 1', 'Card 2', 'Card 3', 'Buy milk'], Doing: [], Done: [] })
  const field = page.getByRole('textbox', { name: 'Title of the new card in To do' })
  assert.equal(await field.inputValue(), 'And c')

  // What follows a key that waits for its code is for what that opens, and does nothing on the page.
  pressed = Promise.withResolvers()
  late = /\/board-tools-[^/]*\.js/
  await page.reload()
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Card 3' }).focus()
  await page.keyboard.type('pHihg')
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Backspace')
  await page.keyboard.type('gh')
  await page.keyboard.press('Enter')
  pressed.resolve()
  await page.locator('.card', { hasText: 'Card 3' }).getByRole('img', { name: 'High priority' }).waitFor()
  await isAt(page, scene.path)
})

test('a slash on a board waits for its filters, and does not lead to the search', async (t) => {
  const { members, path } = await createScene()
  const { page, context } = await openWindow(t)
  await signIn(context, members.member)
  const isPressed = Promise.withResolvers<void>()
  await page.route(
    (url) => /filter-bar-[^/]*\.js$/.test(url.pathname),
    async (route) => {
      await isPressed.promise
      await route.continue()
    },
  )
  await page.goto(path)
  await page.getByRole('link', { name: 'Card 1' }).waitFor()
  await open(page)
  await page.keyboard.press('Escape')
  await menu(page).waitFor({ state: 'detached' })
  await page.keyboard.press('/')
  await page.keyboard.type('cad')
  await page.keyboard.press('Backspace')
  await page.keyboard.type('rd 2')
  isPressed.resolve()
  const filter = page.getByRole('searchbox', { name: 'Filter by text' })
  await filter.and(page.locator(':focus')).waitFor()
  await eventually(async () => assert.equal(await filter.inputValue(), 'card 2'))
  await isAt(page, path)
})

test('the sidebar opens the command menu, in German too, and viewers get no new card', async (t) => {
  const scene = await createScene()
  const page = await openAs(t, scene.members.viewer, scene.path, { locale: 'de-DE' })
  await page.getByRole('button', { name: 'Befehle' }).click()
  await page.getByRole('combobox', { name: 'Suchen oder Befehl ausführen' }).waitFor()
  await page.getByRole('option', { name: 'Abmelden' }).waitFor()
  await page.getByRole('option', { name: 'Tabelle' }).waitFor()
  for (const name of ['Neue Karte', 'Schlagwörter verwalten'])
    assert.equal(await page.getByRole('option', { name }).count(), 0)
  assert.equal(await page.getByRole('dialog').locator('[aria-disabled="true"]').count(), 0)
  await page.keyboard.press('Escape')
  await page.keyboard.press('c')
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Tastenkürzel' }).getByText('Auswahl erweitern').waitFor()
})
