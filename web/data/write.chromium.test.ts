import assert from 'node:assert/strict'
import test from 'node:test'
import type { Page } from 'playwright-core'
import { createScene, openAs, service, shows, stored } from '#tests/browser.ts'
import { eventually } from '#tests/process.ts'

const base = '/services/operations/v1/operations'

/** Keeps the calls of an operation waiting until they are let go, or refused. */
async function hold(page: Page, operation: RegExp) {
  const { promise, resolve } = Promise.withResolvers<'continue' | 'abort'>()
  const asked = Promise.withResolvers<void>()
  await page.route(operation, async (route) => {
    asked.resolve()
    await ((await promise) === 'abort' ? route.abort() : route.continue())
  })
  return { end: resolve, asked: asked.promise }
}

const moveTo = async (page: Page, card: string, group: string) => {
  await page.getByRole('link', { name: card }).focus()
  await page.keyboard.press('m')
  await page.getByRole('menuitem', { name: group, exact: true }).click()
}

test('editing a comment does not interrupt reading the board', async (t) => {
  const { admin, member, members, cardIds, groupIds, path } = await createScene()
  await member.call(`${base}/comments/create`, { card_id: cardIds[0] as number, comment: 'Hello' })
  const page = await openAs(t, members.member, `${path}/cards/${cardIds[0]}`)
  await page.getByRole('article').getByText('Hello').waitFor()
  await page.waitForTimeout(600)
  const boards = await hold(page, /boards\/get/)
  // Its description is not in the event, so the board is read.
  await admin.call(`${base}/groups/update`, {
    id: groupIds[1] as number,
    title: 'From afar',
    description: 'Words',
  })
  await boards.asked
  await page.getByRole('button', { name: /^Actions for the comment/ }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await page.getByRole('textbox', { name: 'Edit comment' }).fill('Hello all')
  await page.keyboard.press('Control+Enter')
  await page.getByRole('article').getByText('Hello all').waitFor()
  boards.end('continue')
  await shows(page, 'From afar', [])
})

test('a refused change undoes only itself, not later changes', async (t) => {
  const { members, path } = await createScene()
  const page = await openAs(t, members.member, path, { expected: /Failed to load/ })
  const refused = await hold(page, /cards\/update/)
  await page.getByRole('link', { name: 'Card 1' }).focus()
  await page.keyboard.press('m')
  await page.getByRole('menuitem', { name: 'Hide card' }).click()
  await refused.asked
  await moveTo(page, 'Card 2', 'Done')
  await shows(page, 'Done', ['Card 2'])
  const boards = await hold(page, /boards\/get/)
  refused.end('abort')
  await page.getByText(/The card was not changed/).waitFor()
  await boards.asked
  await shows(page, 'Done', ['Card 2'])
  boards.end('continue')
  await shows(page, 'To do', ['Card 1', 'Card 3'])
  await shows(page, 'Done', ['Card 2'])
})

test('cards that are shown as added are stored even if the tab is closed before they are sent', async (t) => {
  const scene = await createScene({ cards: 0 })
  const page = await openAs(t, scene.members.member, scene.path)
  await page.getByRole('button', { name: 'Add card to Doing' }).click()
  // As on a slow network: browsers have six connections, one of which has the stream of events.
  await page.evaluate(async (projectId) => {
    const stream = '/api/services/operations/v2/operations/events/stream'
    const open = (id: number) => fetch(`${stream}?project_id=${projectId}&stream_id=other-${id}`)
    await Promise.all([1, 2, 3, 4, 5].map(open))
  }, scene.projectId)
  for (const title of ['First', 'Second']) {
    await page.keyboard.type(title)
    await page.keyboard.press('Enter')
  }
  const shown = page.getByRole('list', { name: 'Cards in Doing' }).locator('.card-title')
  await eventually(async () => assert.deepEqual(await shown.allTextContents(), ['First', 'Second']))
  assert.deepEqual((await stored(scene))['Doing'], [])
  await page.close()
  await eventually(async () =>
    assert.deepEqual((await stored(scene))['Doing']?.toSorted(), ['First', 'Second']),
  )
})

test('what a closing page has sent is not sent again when the write before it is answered', async (t) => {
  const scene = await createScene({ cards: 0 })
  const page = await openAs(t, scene.members.member, scene.path)
  await page.getByRole('button', { name: 'Add card to Doing' }).click()
  const creating = await hold(page, /cards\/create$/)
  for (const title of ['First', 'Second']) {
    await page.keyboard.type(title)
    await page.keyboard.press('Enter')
  }
  await creating.asked
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pagehide', { persisted: false })))
  creating.end('continue')
  const titles = async () => (await stored(scene))['Doing']?.toSorted()
  await eventually(async () => assert.deepEqual(await titles(), ['First', 'Second']))
  await page.waitForTimeout(500)
  assert.deepEqual(await titles(), ['First', 'Second'])
})

test('code for later is loaded after the keys that were pressed first, and after what they write', async (t) => {
  const { members, path } = await createScene()
  const page = await openAs(t, members.member, 'about:blank')
  const keys = await hold(page, /\/keys-[^/]*\.js/)
  const create = await hold(page, /cards\/create$/)
  const files: string[] = []
  page.on('request', (request) => files.push(request.url()))
  const isAsked = (name: string) => files.some((file) => file.includes(`/${name}-`))
  await page.goto(path)
  await page.getByRole('link', { name: 'Card 1' }).waitFor()
  for (const key of ['c', 'a', 'Enter']) await page.keyboard.press(key)
  await page.waitForTimeout(700)
  keys.end('continue')
  await create.asked
  await page.waitForTimeout(700)
  assert.deepEqual([isAsked('board-tools'), isAsked('card-panel')], [false, false])
  create.end('continue')
  await eventually(async () => assert.ok(isAsked('board-tools') && isAsked('card-panel')))
})

test('a limit is said once, at the field, and the message about an earlier failure goes', async (t) => {
  const { members, projectId } = await createScene()
  await service.db.sql`
    insert into boards (project_id, title) select ${projectId}, 'Board' from generate_series(2, 200)`
  const page = await openAs(t, members.admin, `/p/${projectId}/boards`, { expected: /Failed to load/ })
  await page.getByRole('button', { name: 'New board' }).click()
  const dialog = page.getByRole('dialog')
  const title = dialog.getByRole('textbox', { name: 'Title' })
  await title.fill('One too many')
  const lost = await hold(page, /boards\/create$/)
  await title.press('Enter')
  lost.end('abort')
  await page.getByText(/The board was not created/).waitFor()
  await page.unrouteAll()
  await title.press('Enter')
  const limit = 'A project can have at most 200 boards. Delete one first.'
  await page.getByText(limit).first().waitFor()
  assert.equal(await page.getByText(/The board was not created/).count(), 0)
  assert.equal(await page.getByText(limit).count(), 1)
})

test('a card whose answer was lost is added once, however often it is sent', async (t) => {
  const scene = await createScene({ cards: 0 })
  const page = await openAs(t, scene.members.member, scene.path, { expected: /Failed to load/ })
  await page.route(/cards\/create$/, async (route) => {
    await route.fetch()
    await route.abort()
  })
  await page.getByRole('button', { name: 'Add card to Doing' }).click()
  await page.keyboard.type('Once')
  await page.keyboard.press('Enter')
  await page.getByText(/The card was not created/).waitFor()
  await page.keyboard.press('Enter')
  const field = page.getByRole('textbox', { name: 'Title of the new card in Doing' })
  await eventually(async () => assert.match(await field.inputValue(), /Once/))
  await page.unrouteAll()
  await field.press('Enter')
  await page.getByText(/The card was not created/).waitFor({ state: 'detached' })
  await page.keyboard.type('Once')
  await page.keyboard.press('Enter')
  await eventually(async () => assert.deepEqual((await stored(scene))['Doing'], ['Once', 'Once']))
  await shows(page, 'Doing', ['Once', 'Once'])
})
