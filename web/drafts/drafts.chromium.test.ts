import assert from 'node:assert/strict'
import test from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessible, cardsIn, createScene, hasStored, openAs, service, signIn } from '#tests/browser.ts'
import { eventually } from '#tests/process.ts'
import { createTemplateScene } from '#tests/template-scene.ts'

const base = '/services/operations/v1/operations'

const quickAdd = (page: Page, group: string) =>
  page.getByRole('textbox', { name: `Title of the new card in ${group}` })
const comment = (page: Page) => page.getByRole('textbox', { name: 'Write a comment' })
const hasText = (page: Page, text: string) =>
  eventually(async () => assert.equal(await comment(page).inputValue(), text))
const kept = (page: Page) =>
  page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('draft:')).length)

test('a half-written card is a draft after leaving the board and after a reload', async (t) => {
  const scene = await createScene()
  const page = await openAs(t, scene.members.member, scene.path)
  await page.getByRole('button', { name: 'Add card to Doing' }).click()
  const field = quickAdd(page, 'Doing')
  await field.fill('Half a tit')
  await page.getByRole('link', { name: 'My cards' }).click()
  await page.getByRole('heading', { name: 'My cards' }).waitFor()
  await page.goBack()
  await field.waitFor()
  assert.equal(await field.inputValue(), 'Half a tit')
  await page.reload()
  await field.waitFor()
  assert.equal(await field.inputValue(), 'Half a tit')
  const doing = page.getByRole('region', { name: 'Doing' })
  await doing.getByText('Draft', { exact: true }).waitFor()
  assert.equal(await field.evaluate((element) => element.matches(':focus')), false)
  await assertAccessible(page, 'a draft of a card')

  await page.getByRole('button', { name: 'New card' }).click()
  await quickAdd(page, 'To do').fill('Another')
  await quickAdd(page, 'To do').press('Enter')
  await doing.getByRole('button', { name: 'Cancel' }).click()
  await field.waitFor({ state: 'detached' })
  await page.getByText('Draft discarded').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  assert.equal(await field.inputValue(), 'Half a tit')
  await field.fill('Half a title')
  await doing.getByRole('button', { name: 'Add', exact: true }).click()
  await hasStored(scene, {
    'To do': ['Card 1', 'Card 2', 'Card 3', 'Another'],
    Doing: ['Half a title'],
    Done: [],
  })
  await page.reload()
  await cardsIn(page, 'Doing').first().waitFor()
  assert.deepEqual([await field.count(), await kept(page)], [0, 0])
})

test('a refused card does not remove the next one that is being written', async (t) => {
  const scene = await createScene()
  const page = await openAs(t, scene.members.member, scene.path, { expected: /Failed to load/ })
  await page.getByRole('button', { name: 'Add card to Doing' }).click()
  const field = quickAdd(page, 'Doing')
  const held = Promise.withResolvers<void>()
  await page.route(/cards\/create/, async (route) => {
    await held.promise
    await route.abort()
  })
  await field.fill('First')
  await field.press('Enter')
  await field.fill('Second')
  held.resolve()
  await page.getByText(/The card was not created/).waitFor()
  assert.equal(await field.inputValue(), 'First\nSecond')
  await page.reload()
  await field.waitFor()
  assert.equal(await field.inputValue(), 'First\nSecond')
  await field.fill('First')
  await field.press('Enter')
  await eventually(async () => assert.equal(await field.inputValue(), 'First\n'))
  await field.pressSequentially('Second')
  assert.equal(await field.inputValue(), 'First\nSecond')
})

test('a comment, a reply, a change of a comment, a description and a title survive a reload, each as a draft', async (t) => {
  const { member, members, path, cardIds } = await createScene()
  const id = cardIds[0] as number
  await member.call(`${base}/comments/create`, { card_id: id, comment: 'Hello' })
  const page = await openAs(t, members.member, `${path}/cards/${id}`)
  const reply = page.getByRole('textbox', { name: 'Write a reply' })
  const change = page.getByRole('textbox', { name: 'Edit comment' })
  const description = page.getByRole('textbox', { name: 'Description', exact: true })
  const title = page.getByRole('complementary').getByRole('textbox', { name: 'Title' })
  await comment(page).fill('A thought')
  await page.getByRole('button', { name: 'Reply' }).click()
  await reply.fill('An answer')
  await page.getByRole('button', { name: /^Actions for the comment/ }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await change.fill('Hello all')
  await page.getByRole('button', { name: 'Add the description' }).click()
  await description.waitFor()
  await page.keyboard.type('Ten minutes of work')
  await title.fill('Card o')
  await page.reload()
  await hasText(page, 'A thought')
  assert.deepEqual([await reply.inputValue(), await change.inputValue()], ['An answer', 'Hello all'])
  await eventually(async () => assert.equal(await description.textContent(), 'Ten minutes of work'))
  assert.equal(await title.inputValue(), 'Card o')
  assert.equal(await page.getByText('Unsaved draft', { exact: true }).count(), 3)
  const panel = page.getByRole('complementary', { name: 'Card: Card 1' })
  assert.ok(await panel.evaluate((element) => element.matches(':focus')))
  await assertAccessible(page, 'drafts in a card')

  await panel.getByRole('button', { name: 'Discard the title' }).click()
  assert.equal(await title.inputValue(), 'Card 1')
  await page
    .getByRole('region', { name: 'Description', exact: true })
    .getByRole('button', { name: 'Save' })
    .click()
  await description.waitFor({ state: 'detached' })
  await panel.getByRole('button', { name: 'Discard the comment' }).click()
  await hasText(page, '')
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await hasText(page, 'A thought')
  for (const field of [comment(page), reply, change]) await field.press('Control+Enter')
  await eventually(async () => {
    const { card, comments } = await member.call(`${base}/cards/get`, { id })
    assert.deepEqual(comments.map((one) => one.comment).sort(), ['A thought', 'An answer', 'Hello all'])
    assert.deepEqual([card.title, card.description], ['Card 1', '<p>Ten minutes of work</p>'])
  })
  await eventually(async () => assert.equal(await kept(page), 0))
})

test('a draft warns before it overwrites a description that someone else changed', async (t) => {
  const { admin, member, members, path, cardIds } = await createScene()
  const id = cardIds[0] as number
  const page = await openAs(t, members.member, `${path}/cards/${id}`)
  const field = page.getByRole('textbox', { name: 'Description', exact: true })
  await page.getByRole('button', { name: 'Add the description' }).click()
  await field.waitFor()
  await page.keyboard.type('Mine')
  await page.goto('about:blank')
  await admin.call(`${base}/cards/update`, { id, description: '<p>Theirs</p>' })
  await page.goto(`${path}/cards/${id}`)
  await page.getByText('Someone else edited this', { exact: true }).waitFor()
  await eventually(async () => assert.equal(await field.textContent(), 'Mine'))
  await page.getByRole('button', { name: 'Use theirs' }).click()
  await page.getByRole('region', { name: 'Description', exact: true }).getByText('Theirs').waitFor()
  await page.getByText('Description changes discarded').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Someone else edited this', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Keep mine' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await eventually(async () =>
    assert.equal((await member.call(`${base}/cards/get`, { id })).card.description, '<p>Mine</p>'),
  )
})

test('a new group, a new board and the words of a template survive a reload', async (t) => {
  const { members, path, projectId } = await createScene()
  const page = await openAs(t, members.admin, path)
  const group = page.getByRole('textbox', { name: 'Title of the new group' })
  await page.getByRole('button', { name: 'Add group' }).click()
  await group.fill('Half a group')
  await page.reload()
  await group.waitFor()
  assert.equal(await group.inputValue(), 'Half a group')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('region', { name: 'Half a group' }).waitFor()

  await page.goto(`/p/${projectId}/boards`)
  const board = page.getByRole('textbox', { name: 'Title' })
  await page.getByRole('button', { name: 'New board' }).click()
  await board.fill('Half a board')
  await page.reload()
  await page.getByRole('button', { name: 'New board' }).click()
  assert.equal(await board.inputValue(), 'Half a board')
  await page.getByRole('button', { name: 'Create board' }).click()
  await page.getByRole('heading', { name: 'Half a board' }).waitFor()
  assert.equal(await kept(page), 0)

  const { user, path: template, cardIds, here } = await createTemplateScene()
  const other = await openAs(t, user, `${template}/cards/${cardIds[0]}`)
  const short = other.getByRole('textbox', { name: 'Short description' })
  await short.fill('Half a sen')
  await other.reload()
  await eventually(async () => assert.equal(await short.inputValue(), 'Half a sen'))
  await other.goto(`${here}/templates`)
  await other.getByRole('button', { name: 'New template' }).click()
  await other.getByRole('textbox', { name: 'Description', exact: true }).fill('What it is for')
  await other.reload()
  await other.getByRole('button', { name: 'New template' }).click()
  assert.equal(
    await other.getByRole('textbox', { name: 'Description', exact: true }).inputValue(),
    'What it is for',
  )
})

test('a dialog takes no typing between its button and the answer, because it would close with it', async (t) => {
  const { members, projectId } = await createScene()
  const page = await openAs(t, members.admin, `/p/${projectId}/boards`)
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
  await page.route(/boards\/create$/, async (route) => {
    await answered
    await route.continue()
  })
  await page.getByRole('button', { name: 'New board' }).click()
  const title = page.getByRole('textbox', { name: 'Title' })
  await title.fill('Plans')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Create board', disabled: true }).waitFor()
  await page.keyboard.type(' and more')
  assert.equal(await title.inputValue(), 'Plans')
  answer()
  await page.getByRole('heading', { name: 'Plans' }).waitFor()
})

test('drafts survive an ended session, and are deleted at sign-out or when someone else signs in', async (t) => {
  const { members, path, cardIds } = await createScene()
  const address = `${path}/cards/${cardIds[0]}`
  const page = await openAs(t, members.member, address, { expected: /401/ })
  await comment(page).fill('Only for me')
  await service.db.sql`delete from sessions where user_id = ${members.member.id} and carrier = 'cookie'`
  await page.goto(address)
  await page.getByRole('heading', { name: 'Sign in to Cardinal' }).waitFor()
  await page.getByText('You were signed out. Your unsaved drafts are kept in this browser.').waitFor()
  await signIn(page.context(), members.member)
  await page.goto(address)
  await hasText(page, 'Only for me')

  await signIn(page.context(), members.admin)
  await page.goto(address)
  await comment(page).waitFor()
  assert.deepEqual([await comment(page).inputValue(), await kept(page)], ['', 0])
  assert.doesNotMatch(await page.evaluate(() => JSON.stringify({ ...localStorage })), /Only for me/)
  await signIn(page.context(), members.member)
  await page.goto(address)
  await comment(page).fill('Once more')
  const second = await page.context().newPage()
  await second.goto(address)
  await hasText(second, 'Once more')
  await second.evaluate(() => {
    const { body } = document
    new MutationObserver(() => {
      if (body.textContent?.includes("You're offline")) body.dataset['lost'] = 'yes'
    }).observe(body, { childList: true, subtree: true })
  })
  await page.getByRole('link', { name: 'User' }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  const question = page.getByRole('dialog', { name: 'Sign out' })
  await question.getByText('You have 1 unsaved draft in this browser. Signing out deletes it.').waitFor()
  await assertAccessible(page, 'sign out with drafts')
  await question.getByRole('button', { name: 'Cancel' }).click()
  assert.equal(await kept(page), 1)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await question.getByRole('button', { name: 'Delete 1 draft and sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in to Cardinal' }).waitFor()
  assert.equal(await kept(page), 0)
  await second.getByRole('heading', { name: 'Sign in to Cardinal' }).waitFor()
  assert.equal(await second.evaluate(() => document.body.dataset['lost']), undefined)
  assert.equal(await kept(page), 0)
  await signIn(page.context(), members.member)
  await page.goto(address)
  await comment(page).waitFor()
  assert.equal(await comment(page).inputValue(), '')
})

test('two tabs keep a draft of the same place each, also after both are closed', async (t) => {
  const { members, path, cardIds, boardId, member } = await createScene()
  const address = `${path}/cards/${cardIds[0]}`
  const page = await openAs(t, members.member, address)
  const other = await page.context().newPage()
  await other.goto(address)
  // Before the first word, since a tab that opens later shows the draft.
  await comment(other).waitFor()
  for (const name of ['Add card to Doing', 'Add the description'])
    await other.getByRole('button', { name }).waitFor()
  const description = (of: Page) => of.getByRole('textbox', { name: 'Description', exact: true })
  for (const [tab, text] of [
    [page, 'AAA one'],
    [other, 'BBB two'],
  ] as const) {
    await comment(tab).fill(text)
    await tab.getByRole('button', { name: 'Add card to Doing' }).click()
    await quickAdd(tab, 'Doing').fill(text)
    await tab.getByRole('button', { name: 'Add the description' }).click()
    await description(tab).waitFor()
    await tab.keyboard.type(text)
  }
  const shows = async (tab: Page, text: string) => {
    await hasText(tab, text)
    assert.equal(await quickAdd(tab, 'Doing').inputValue(), text)
    await eventually(async () => assert.equal(await description(tab).textContent(), text))
  }
  await page.reload()
  await shows(page, 'AAA one')
  await other.reload()
  await shows(other, 'BBB two')

  const third = await page.context().newPage()
  await page.close()
  await other.close()
  await third.goto(address)
  await shows(third, 'BBB two')
  const buttons = third.getByRole('button', { name: 'Show other draft' })
  assert.equal(await buttons.count(), 3)
  await assertAccessible(third, 'two drafts of a place')
  for (const button of await buttons.all()) await button.click()
  await shows(third, 'AAA one')
  await comment(third).press('Control+Enter')
  await third.getByRole('article').getByText('AAA one').waitFor()
  await hasText(third, '')
  await third.getByRole('button', { name: 'Show other draft' }).last().click()
  await hasText(third, 'BBB two')
  await comment(third).press('Control+Enter')
  await third.getByRole('article').getByText('BBB two').waitFor()
  await eventually(async () => assert.equal(await kept(third), 4))

  // A draft that both tabs show is kept twice once each goes on.
  const fourth = await third.context().newPage()
  await fourth.goto(address)
  await quickAdd(fourth, 'Doing').fill('From the fourth tab')
  await quickAdd(third, 'Doing').fill('From the third tab')
  await quickAdd(fourth, 'Doing').press('Enter')
  await eventually(async () => {
    const { board } = await member.call(`${base}/boards/get`, { id: boardId })
    assert.deepEqual(
      board.groups[1]?.cards.map(({ title }) => title),
      ['From the fourth tab'],
    )
  })
  await third.reload()
  await quickAdd(third, 'Doing').waitFor()
  assert.equal(await quickAdd(third, 'Doing').inputValue(), 'From the third tab')
})

test('the oldest draft is dropped beyond the limit, and a browser without storage still accepts text', async (t) => {
  const { members, path, cardIds, member } = await createScene()
  const page = await openAs(t, members.member, `${path}/cards/${cardIds[0]}`)
  await comment(page).fill('The oldest')
  const userId = members.member.id
  await page.evaluate((id) => {
    for (let number = 0; number < 120; number++)
      localStorage.setItem(
        `draft:${id}:elsewhere ${number}`,
        JSON.stringify({ text: 'x', at: Date.now() + number }),
      )
  }, userId)
  await comment(page).fill('The newest')
  assert.equal(await kept(page), 100)
  await page.reload()
  await hasText(page, 'The newest')
  await page.evaluate(() => {
    for (let size = 5_000_000; size >= 1; size = Math.floor(size / 2))
      try {
        for (let number = 0; ; number++) localStorage.setItem(`filler ${size} ${number}`, 'x'.repeat(size))
      } catch {}
  })
  await comment(page).press('End')
  await comment(page).pressSequentially(' and longer than there is room for')
  await comment(page).press('Control+Enter')
  await page.getByRole('article').getByText('The newest and longer than there is room for').waitFor()
  const { comments } = await member.call(`${base}/cards/get`, { id: cardIds[0] as number })
  assert.equal(comments.length, 1)
})

test('text can be finished while offline, and is there after a reload', async (t) => {
  const { members, path, cardIds } = await createScene()
  const page = await openAs(t, members.member, `${path}/cards/${cardIds[0]}`, {
    expected: /ERR_INTERNET_DISCONNECTED/,
  })
  await comment(page).pressSequentially('Before')
  await page.context().setOffline(true)
  await page.locator('.offline').waitFor()
  await comment(page).pressSequentially(' and after')
  await page.context().setOffline(false)
  await page.reload()
  await hasText(page, 'Before and after')
})

test('half-typed names of boards, groups and tags are kept; Esc discards them, and refused ones stay', async (t) => {
  const { member, members, path } = await createScene()
  await member.call(`${base}/tags/create`, { name: 'Legal' })
  const page = await openAs(t, members.admin, path, { expected: /Failed to load/ })
  const board = page.getByRole('textbox', { name: 'Rename the board Board' })
  const group = page.getByRole('textbox', { name: 'Rename the group Doing' })
  await page.getByRole('button', { name: 'Doing', exact: true }).click()
  await group.fill('Doing it')
  await page.reload()
  await group.waitFor()
  assert.deepEqual([await group.inputValue(), await kept(page)], ['Doing it', 1])
  assert.equal(await group.evaluate((element) => element === document.activeElement), false)
  await page.getByRole('region', { name: 'Doing' }).getByText('Draft', { exact: true }).waitFor()
  await assertAccessible(page, 'a draft of a group')
  await group.press('Escape')
  await page.getByText('Draft discarded').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await group.press('Enter')
  await page.getByRole('region', { name: 'Doing it' }).waitFor()
  assert.equal(await kept(page), 0)

  await page.getByRole('button', { name: 'Board', exact: true }).click()
  await board.fill('Ward')
  await page.reload()
  await board.waitFor()
  await page.route(/boards\/update/, (route) => route.abort())
  await board.press('Enter')
  await page.getByText(/The board was not changed/).waitFor()
  assert.equal(await board.inputValue(), 'Ward')
  await page.unroute(/boards\/update/)
  await board.press('Enter')
  await page.getByRole('heading', { name: 'Ward' }).waitFor()

  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('button', { name: 'Manage tags' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Legal', exact: true }).click()
  await page.getByRole('textbox', { name: 'Rename the tag Legal' }).fill('Law')
  await page.keyboard.press('Enter')
  await eventually(async () => {
    const [{ tags }, { boards }] = [
      await member.call(`${base}/tags/list`),
      await member.call(`${base}/boards/list`),
    ]
    assert.deepEqual([tags[0]?.name, boards[0]?.title], ['Law', 'Ward'])
  })
})

test('drafts on a card or board that was deleted can be read and copied there', async (t) => {
  const { admin, members, path, cardIds, boardId, member } = await createScene()
  const [id] = cardIds as [number]
  await member.call(`${base}/comments/create`, { card_id: id, comment: 'Hello' })
  const page = await openAs(t, members.member, `${path}/cards/${id}`, {
    expected: /404/,
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  await comment(page).fill('An hour\n\tof thought')
  await page.getByRole('button', { name: 'Reply' }).click()
  await page.getByRole('textbox', { name: 'Write a reply' }).fill('An answer')
  await page.getByRole('button', { name: 'Add the description' }).click()
  await page.getByRole('textbox', { name: 'Description', exact: true }).waitFor()
  await page.keyboard.type('Plain and ')
  await page.keyboard.press('Control+b')
  await page.keyboard.type('bold')
  await page.getByRole('button', { name: 'Add card to Doing' }).click()
  await quickAdd(page, 'Doing').fill('Half a card')
  await admin.call(`${base}/cards/delete`, { id })
  const panel = page.getByRole('complementary')
  const drafts = page.getByRole('region', { name: 'Your unsaved drafts' })
  const names = () => drafts.getByRole('heading', { level: 3 }).allTextContents()
  await panel.getByRole('heading', { name: 'This card was deleted' }).waitFor()
  assert.deepEqual((await names()).sort(), ['Comment', 'Description', 'Reply'])
  assert.equal(await drafts.getByRole('textbox').count(), 0)
  await assertAccessible(page, 'drafts on a deleted card')
  await drafts.getByRole('button', { name: 'Copy draft: Comment' }).click()
  await page.getByText('Draft copied').waitFor()
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), 'An hour\n\tof thought')
  await drafts.getByRole('button', { name: 'Copy draft: Description' }).click()
  await eventually(async () =>
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), 'Plain and bold'),
  )
  await page.evaluate('navigator.clipboard.write = () => Promise.reject(new Error("refused"))')
  await drafts.getByRole('button', { name: 'Copy draft: Reply' }).click()
  await page.getByText('The draft was not copied').waitFor()

  await admin.call(`${base}/boards/delete`, { id: boardId })
  await page.getByRole('heading', { name: 'This board was deleted' }).waitFor()
  await page.reload()
  await drafts.getByText('Half a card').waitFor()
  assert.deepEqual((await names()).sort(), ['Comment', 'Description', 'New card', 'Reply'])
  await assertAccessible(page, 'drafts on a deleted board')
  await admin.call(`${base}/boards/restore`, { id: boardId })
  await admin.call(`${base}/cards/restore`, { id })
  await hasText(page, 'An hour\n\tof thought')
})

test('a half-written card is shown after a colleague has deleted its group', async (t) => {
  const { admin, members, path, groupIds } = await createScene()
  const id = groupIds[1] as number
  const page = await openAs(t, members.member, path, { expected: /404/ })
  // What shows deleted groups is loaded after the board.
  await page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => /board-tools.*\.js/.test(name)),
  )
  await page.getByRole('button', { name: 'Add card to Doing' }).click()
  await quickAdd(page, 'Doing').fill('Half a card')
  await admin.call(`${base}/groups/delete`, { id })
  const deleted = page.getByRole('region', { name: 'Doing' })
  await deleted.getByRole('heading', { name: 'This group was deleted' }).waitFor()
  await deleted.getByText(/Deleted by/).waitFor()
  await deleted.getByRole('article', { name: 'Draft: New card' }).getByText('Half a card').waitFor()
  assert.equal(await deleted.evaluate((element) => element === document.activeElement), true)
  await assertAccessible(page, 'a draft in a deleted group')
  await page.reload()
  await deleted.getByText('Half a card').waitFor()
  await admin.call(`${base}/groups/restore`, { id })
  await eventually(async () => assert.equal(await quickAdd(page, 'Doing').inputValue(), 'Half a card'))

  await admin.call(`${base}/groups/delete`, { id })
  await deleted.getByRole('button', { name: 'Discard drafts' }).click()
  await deleted.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo' }).click()
  await deleted.getByText('Half a card').waitFor()
  await deleted.getByRole('button', { name: 'Discard drafts' }).click()
  await page.reload()
  await cardsIn(page, 'To do').first().waitFor()
  assert.deepEqual([await deleted.count(), await kept(page)], [0, 0])
})

test('on a phone, a half-written card is in view after a colleague has deleted its group', async (t) => {
  const { admin, members, path, groupIds } = await createScene()
  const page = await openAs(t, members.member, path, {
    viewport: { width: 390, height: 844 },
    expected: /404/,
  })
  await page.getByRole('button', { name: 'Add card to Doing' }).click()
  await quickAdd(page, 'Doing').fill('Half a card')
  // A part of the column before it is still in view.
  const doing = page.getByRole('region', { name: 'Doing' })
  await doing.evaluate((column) => column.scrollIntoView({ inline: 'center' }))
  await page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => /board-tools.*\.js/.test(name)),
  )
  await admin.call(`${base}/groups/delete`, { id: groupIds[1] as number })
  const draft = page.getByRole('article', { name: 'Draft: New card' })
  await draft.waitFor()
  await eventually(async () => {
    const box = await draft.boundingBox()
    assert.ok(box && box.x >= 0 && box.x + box.width <= 390, `it begins at ${box?.x}`)
  })
})
