import assert from 'node:assert/strict'
import test from 'node:test'
import {
  assertAccessible,
  createScene,
  hasStored,
  moveTo,
  openAs,
  openWindow,
  service,
  shows,
  signIn,
} from '#tests/browser.ts'
import { eventually, onNetwork, serve } from '#tests/process.ts'
import { startRelay } from '#tests/relay.ts'
import { startTestService } from '#tests/service.ts'

const base = '/services/operations/v1/operations'

test('a title stays while it is being typed, even if someone else changes it', async (t) => {
  const { admin, members, cardIds, path } = await createScene()
  const id = cardIds[0] as number
  const page = await openAs(t, members.member, `${path}/cards/${id}`)
  const title = page.getByRole('textbox', { name: 'Title' })
  await admin.call(`${base}/cards/update`, { id, title: 'Theirs' })
  await eventually(async () => assert.equal(await title.inputValue(), 'Theirs'))
  await title.fill('Mine')
  await admin.call(`${base}/cards/update`, { id, title: 'Theirs again' })
  await page.getByRole('link', { name: 'Theirs again' }).waitFor()
  assert.equal(await title.inputValue(), 'Mine')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Mine' }).waitFor()
})

test('a change after a read and before the stream is shown, even if the answer to the read arrives last', async (t) => {
  const { admin, members, cardIds, path } = await createScene()
  const { page, context } = await openWindow(t)
  await signIn(context, members.member)
  const browser = await context.newCDPSession(page)
  await browser.send('Network.enable')
  const hasBegun = new Promise((resolve) => browser.once('Network.eventSourceMessageReceived', resolve))
  const hasChanged = Promise.withResolvers<void>()
  await page.route(
    (url) => url.pathname.endsWith('/boards/get'),
    async (route) => {
      const response = await route.fetch()
      await admin.call(`${base}/cards/update`, { id: cardIds[0] as number, title: 'Theirs' })
      hasChanged.resolve()
      await hasBegun
      await route.fulfill({ response })
    },
    { times: 1 },
  )
  await page.route(
    (url) => url.pathname.endsWith('/events/stream'),
    async (route) => {
      await hasChanged.promise
      // The board waits for the answer.
      await page.getByRole('status', { name: 'Loading the board' }).waitFor({ state: 'attached' })
      await route.continue()
    },
  )
  await page.goto(path)
  await page.getByRole('link', { name: 'Theirs' }).waitFor()
})

test('a due date stays while it is being typed, even if someone else changes it', async (t) => {
  const { admin, member, members, cardIds, path } = await createScene()
  const id = cardIds[0] as number
  const dueOf = async () => (await member.call(`${base}/cards/get`, { id })).card.due_date?.slice(0, 16)
  await admin.call(`${base}/cards/update`, { id, due_date: '2020-05-01T10:00:00Z' })
  const page = await openAs(t, members.member, `${path}/cards/${id}`, {
    locale: 'en-GB',
    timezoneId: 'Asia/Kolkata',
  })
  await page.getByRole('button', { name: 'Due date: Fri, 1 May 2020, 15:30' }).click()
  const due = page.getByRole('combobox', { name: 'Due date' })
  // Nothing is typed yet, so what comes in is shown.
  await admin.call(`${base}/cards/update`, { id, due_date: '2020-05-02T10:00:00Z' })
  await eventually(async () => assert.equal(await due.inputValue(), 'Sat, 2 May 2020, 15:30'))
  await due.fill('2020-06-03 09:15')
  await admin.call(`${base}/cards/update`, { id, due_date: '2020-05-03T10:00:00Z', title: 'Told' })
  await page.getByRole('link', { name: 'Told' }).waitFor()
  assert.equal(await due.inputValue(), '2020-06-03 09:15')
  assert.ok(await due.evaluate((element) => element === document.activeElement))
  await due.press('Enter')
  await eventually(async () => assert.equal(await dueOf(), '2020-06-03T03:45'))
  await page.getByRole('button', { name: 'Due date: Wed, 3 Jun 2020, 09:15' }).click()
  await admin.call(`${base}/cards/update`, { id, due_date: '2020-05-04T10:00:00Z' })
  await eventually(async () => assert.equal(await due.inputValue(), 'Mon, 4 May 2020, 15:30'))
  // Leaving it saves nothing that was not typed.
  await page.getByRole('searchbox').click()
  await admin.call(`${base}/cards/update`, { id, title: 'Left' })
  await page.getByRole('link', { name: 'Left' }).waitFor()
  assert.equal(await dueOf(), '2020-05-04T10:00')
})

test('changes of one person show on the open board of another at once', async (t) => {
  const scene = await createScene()
  const mine = await openAs(t, scene.members.member, scene.path)
  const theirs = await openAs(t, scene.members.admin, scene.path)
  await theirs.getByRole('link', { name: 'Card 1' }).focus()
  await mine.getByRole('link', { name: 'Card 1' }).focus()
  await mine.keyboard.press('m')
  await mine.getByRole('menuitem', { name: 'Doing' }).click()
  await shows(theirs, 'Doing', ['Card 1'])
  await shows(theirs, 'To do', ['Card 2', 'Card 3'])
  // The card that was carried away under the focus keeps it.
  await eventually(async () =>
    assert.equal(await theirs.evaluate(() => document.activeElement?.textContent), 'Card 1'),
  )
  await theirs.getByRole('button', { name: 'Add card to Done' }).click()
  await theirs.getByRole('textbox', { name: 'Title of the new card in Done' }).fill('From afar')
  await theirs.keyboard.press('Enter')
  await shows(mine, 'Done', ['From afar'])
  await scene.admin.call(`${base}/comments/create`, { card_id: scene.cardIds[1] as number, comment: 'Hello' })
  await mine.getByText('1 unread comment', { exact: true }).waitFor({ state: 'attached' })
})

test('changes of others are applied to an open board, which is not read again', async (t) => {
  const { admin, members, path, groupIds, cardIds } = await createScene()
  const page = await openAs(t, members.viewer, path)
  await page.getByRole('link', { name: 'Card 3' }).waitFor()
  // The code that applies events is loaded with the first one.
  await admin.call(`${base}/cards/update`, { id: cardIds[2] as number, title: 'First' })
  await page.getByRole('link', { name: 'First' }).waitFor()
  let reads = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/boards/get')) reads++
  })
  const [toDo, doing] = groupIds as [number, number]
  const [first, second] = cardIds as [number, number]
  await admin.call(`${base}/cards/move`, { id: first, group_id: doing, position: 1 })
  const { card } = await admin.call(`${base}/cards/create`, {
    title: 'New',
    group_id: doing,
    description: 'Words',
  })
  await admin.call(`${base}/cards/move`, { id: card.id, group_id: toDo, position: 1 })
  await admin.call(`${base}/cards/delete`, { id: second })
  await admin.call(`${base}/groups/update`, { id: doing, title: 'Under way' })
  await shows(page, 'Under way', ['Card 1'])
  await shows(page, 'To do', ['New', 'First'])
  assert.equal(reads, 0)
  // This one does not say which cards come back.
  await admin.call(`${base}/groups/archive`, { id: doing })
  await admin.call(`${base}/groups/unarchive`, { id: doing })
  await eventually(async () => assert.ok(reads > 0))
  await shows(page, 'Under way', ['Card 1'])
})

test('after many concurrent moves every open board equals the stored one', async (t) => {
  const scene = await createScene({ cards: 12 })
  const page = await openAs(t, scene.members.viewer, scene.path)
  await page.getByRole('link', { name: 'Card 12' }).waitFor()
  await Promise.all(
    scene.cardIds.map((id, index) =>
      scene.member.call(`${base}/cards/move`, {
        id,
        group_id: scene.groupIds[index % 3] as number,
        position: 1,
      }),
    ),
  )
  const { board } = await scene.member.call(`${base}/boards/get`, { id: scene.boardId })
  for (const { title, cards } of board.groups)
    await shows(
      page,
      title,
      cards.map((card) => card.title),
    )
})

test('while the service is down a banner shows and editing is paused; afterwards nothing is missed', async (t) => {
  const scene = await createScene()
  const { url } = await onNetwork(service.address)
  const first = await serve({ DATABASE_URL: url })
  const expected = /ERR_|Failed to load|net::/
  const page = await openAs(t, scene.members.member, scene.path, { on: first, expected })
  await page.getByRole('link', { name: 'Card 1' }).waitFor()
  first.child.kill('SIGKILL')
  await page.getByText("You're offline").waitFor()
  const add = page.getByRole('button', { name: 'Add card to Doing' })
  assert.equal(await add.getAttribute('aria-disabled'), 'true')
  assert.match((await add.getAttribute('aria-description')) ?? '', /offline/)
  await scene.member.call(`${base}/cards/create`, {
    title: 'Meanwhile',
    group_id: scene.groupIds[1] as number,
  })
  await first.ended
  await serve({ DATABASE_URL: url, PORT: new URL(first.url).port })
  await page.getByText("You're offline").waitFor({ state: 'detached' })
  await shows(page, 'Doing', ['Meanwhile'])
  assert.equal(await add.getAttribute('aria-disabled'), null)
})

test('what could not be read while the service was down is read once it is back', async (t) => {
  const scene = await createScene()
  const first = await startTestService({}, service.address)
  const address = `${scene.path}/cards/${scene.cardIds[0]}`
  const expected = /ERR_|Failed to load|net::/
  const page = await openAs(t, scene.members.member, address, { on: { url: first.url }, expected })
  const comment = page.getByRole('textbox', { name: 'Write a comment' })
  await comment.fill('A thought')
  const title = page.getByRole('complementary').getByRole('textbox', { name: 'Title', exact: true })
  await title.fill('Changed')
  let failures = 0
  page.on('requestfailed', (request) => {
    if (request.url().endsWith('cards/get')) failures++
  })
  await first.stop()
  // A failed change is followed by reading the card again, three times.
  await title.press('Enter')
  await eventually(() => assert.equal(failures, 3))
  const read = page.waitForResponse((answer) => answer.url().endsWith('cards/get') && answer.ok())
  await startTestService({ port: Number(new URL(first.url).port) }, service.address)
  await read
  await page.getByText('The comments could not be loaded').waitFor({ state: 'detached' })
  assert.equal(await comment.inputValue(), 'A thought')
})

test('while the database does not answer a banner says so; afterwards it goes on by itself', async (t) => {
  const scene = await createScene()
  const relay = await startRelay(service.address)
  t.after(relay.stop)
  const { url } = await startTestService({}, relay.address)
  const expected = /Failed to load|ERR_|net::/
  const page = await openAs(t, scene.members.member, scene.path, { on: { url }, expected })
  await page.getByRole('link', { name: 'Card 1' }).waitFor()
  // Once its stream is connected; a window without one says that it is offline.
  await eventually(async () => {
    await moveTo(scene, 'Card 1', 'Done')
    await shows(page, 'Done', ['Card 1'])
  })
  const banner = page.getByText("Cardinal isn't answering")
  assert.equal(await banner.count(), 0)
  relay.pause()
  await page.getByRole('button', { name: 'Add card to Doing' }).click()
  await page.keyboard.type('Meanwhile')
  await page.keyboard.press('Enter')
  await banner.waitFor()
  relay.resume()
  await banner.waitFor({ state: 'detached' })
  await hasStored(scene, { 'To do': ['Card 2', 'Card 3'], Doing: ['Meanwhile'], Done: ['Card 1'] })
})

test('a page that is opened while the database does not answer says so, and opens once it does', async (t) => {
  const scene = await createScene()
  const relay = await startRelay(service.address)
  t.after(relay.stop)
  const { url } = await startTestService({}, relay.address)
  relay.pause()
  const expected = /Failed to load|ERR_|net::/
  const page = await openAs(t, scene.members.member, scene.path, { on: { url }, expected })
  await page.getByText("Cardinal isn't answering").waitFor()
  await assertAccessible(page, 'opened while the database does not answer')
  relay.resume()
  await page.getByRole('link', { name: 'Card 1' }).waitFor()
})

test('an ended session leads to sign-in', async (t) => {
  const scene = await createScene()
  const page = await openAs(t, scene.members.member, scene.path, { expected: /401/ })
  await page.getByRole('link', { name: 'Card 1' }).waitFor()
  await service.db.sql`delete from sessions where user_id = ${scene.members.member.id}`
  await page.waitForURL(/sign-in/)
})

test('the open window of somebody who was removed says so, and opens the board again when they are back', async (t) => {
  const { members, path } = await createScene()
  const page = await openAs(t, members.member, path, { expected: /403/ })
  await page.getByRole('link', { name: 'Card 1' }).waitFor()
  const owner = service.client(members.owner.token)
  const isRefused = (path: string) =>
    page.waitForResponse((answer) => answer.url().includes(path) && answer.status() === 403)
  const refused = isRefused('/events/stream').then(() => isRefused('/users/me'))
  await owner.call('/services/identity/v1/members/remove', { user_id: members.member.id })
  await page.getByRole('heading', { name: "This project can't be opened" }).waitFor()
  await refused
  await owner.call('/services/identity/v1/members/restore', { user_id: members.member.id })
  await page.getByRole('link', { name: 'Card 1' }).waitFor()
})

test('a lost network shows at once; afterwards nothing is missed', async (t) => {
  const scene = await createScene()
  const page = await openAs(t, scene.members.member, scene.path, { expected: /ERR_INTERNET_DISCONNECTED/ })
  await page.getByRole('link', { name: 'Card 1' }).waitFor()
  await page.context().setOffline(true)
  await page.getByText("You're offline").waitFor()
  await scene.member.call(`${base}/cards/create`, {
    title: 'Meanwhile',
    group_id: scene.groupIds[1] as number,
  })
  await page.context().setOffline(false)
  await page.getByText("You're offline").waitFor({ state: 'detached' })
  await shows(page, 'Doing', ['Meanwhile'])
})

test('a silent connection is closed and opened again', async (t) => {
  const scene = await createScene()
  const page = await openAs(t, scene.members.member, scene.path)
  await page.clock.install()
  const silent = (url: URL) => url.pathname.endsWith('/events/stream')
  await page.route(silent, () => {})
  await page.goto(scene.path)
  await page.getByRole('link', { name: 'Card 1' }).waitFor()
  assert.equal(await page.getByText("You're offline").count(), 0)
  await page.clock.fastForward(60_000)
  await page.getByText("You're offline").waitFor()
  await page.unroute(silent)
  await page.clock.fastForward(60_000)
  await page.getByText("You're offline").waitFor({ state: 'detached' })
  await scene.member.call(`${base}/cards/create`, { title: 'Heard', group_id: scene.groupIds[1] as number })
  await shows(page, 'Doing', ['Heard'])
})

test('people on a board see who else is there and who edits a description, until they leave', async (t) => {
  const { members, cardIds, path, member } = await createScene()
  const { members: listed } = await member.call('/services/identity/v1/members/list')
  const nameOf = ({ id }: { id: number }) => listed.find(({ user_id }) => user_id === id)?.name as string
  const mine = await openAs(t, members.member, `${path}/cards/${cardIds[0]}`)
  const theirs = await openAs(t, members.admin, `${path}/cards/${cardIds[0]}`)
  const here = mine.getByRole('list', { name: 'Here now' })
  await here.getByRole('img', { name: nameOf(members.admin) }).waitFor()
  await theirs
    .getByRole('list', { name: 'Here now' })
    .getByRole('img', { name: nameOf(members.member) })
    .waitFor()
  await theirs.getByRole('button', { name: 'Add the description' }).click()
  await mine.getByText(`${nameOf(members.admin)} is editing`).waitFor()
  await assertAccessible(mine, 'a board with others')
  await theirs.getByRole('textbox', { name: 'Description', exact: true }).press('Escape')
  await mine.getByText(`${nameOf(members.admin)} is editing`).waitFor({ state: 'detached' })
  await theirs.close()
  await here.waitFor({ state: 'detached' })
})

test('a window says with every beat of its stream that it is still there', async (t) => {
  const { members, path, member, projectId } = await createScene()
  const { members: listed } = await member.call('/services/identity/v1/members/list')
  const name = listed.find(({ user_id }) => user_id === members.admin.id)?.name as string
  const mine = await openAs(t, members.member, path)
  const theirs = await openAs(t, members.admin, path)
  // A beat comes every 15 seconds; here it comes when the test wants it.
  await theirs.addInitScript(() => {
    const listen = EventTarget.prototype.addEventListener
    Object.assign(EventSource.prototype, {
      addEventListener(this: EventSource, type: string, listener: EventListener) {
        if (type === 'beat') window.addEventListener('a beat', listener)
        else listen.call(this, type, listener)
      },
    })
  })
  const shown = theirs.waitForResponse(/presence\/show$/)
  await theirs.reload()
  await shown
  const here = mine.getByRole('list', { name: 'Here now' }).getByRole('img', { name })
  await here.waitFor()
  await service.db.sql`
    update presences set shown_at = now() - interval '46 seconds' where project_id = ${projectId} and user_id = ${members.admin.id}`
  await here.waitFor({ state: 'detached' })
  await theirs.evaluate(() => dispatchEvent(new Event('a beat')))
  await here.waitFor()
})
