import assert from 'node:assert/strict'
import test from 'node:test'
import { assertAccessible, createScene, openAs, service } from '#tests/browser.ts'
import { eventually } from '#tests/process.ts'

const base = '/services/operations/v1/operations'

type Scene = Awaited<ReturnType<typeof createScene>>

const cardOf = async ({ member, cardIds }: Scene) =>
  (await member.call(`${base}/cards/get`, { id: cardIds[0] as number })).card

test('a card opens beside the board at its own address; Escape closes it and returns the focus', async (t) => {
  const scene = await createScene()
  const page = await openAs(t, scene.members.member, scene.path)
  await page.getByRole('link', { name: 'Card 2' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('complementary', { name: 'Card: Card 2' }).waitFor()
  assert.equal(new URL(page.url()).pathname, `${scene.path}/cards/${scene.cardIds[1]}`)
  await page.keyboard.press('Escape')
  await page.getByRole('complementary').waitFor({ state: 'detached' })
  await eventually(async () =>
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Card 2'),
  )
  assert.equal(new URL(page.url()).pathname, scene.path)
})

test('every field is edited in place', async (t) => {
  const scene = await createScene()
  const { member, members, path, cardIds } = scene
  await member.call(`${base}/tags/create`, { name: 'Legal', color: 'amber' })
  const page = await openAs(t, members.member, `${path}/cards/${cardIds[0]}`)
  const panel = page.getByRole('complementary')
  await panel.getByRole('textbox', { name: 'Title' }).fill('A better title')
  await page.keyboard.press('Enter')
  const choose = async (field: string, option: string) => {
    await panel.getByRole('button', { name: new RegExp(`^${field}:`) }).click()
    await page.getByRole('combobox', { name: field }).fill(option)
    await page.keyboard.press('Enter')
  }
  await choose('Status', 'In progress')
  await panel.getByRole('button', { name: 'Status: In progress' }).waitFor()
  await page.keyboard.press('Control+z')
  await panel.getByRole('button', { name: 'Status: Open' }).waitFor()
  await choose('Status', 'In progress')
  await choose('Priority', 'Urgent')
  await choose('Assignee', 'User')
  await choose('Tag', 'Legal')
  await choose('Group', 'Doing')
  await panel.getByRole('button', { name: 'Due date: Add date' }).click()
  await page.getByRole('combobox', { name: 'Due date' }).fill('2031-05-04 10:30')
  await page.getByRole('searchbox').click()
  await eventually(async () => {
    const card = await cardOf(scene)
    assert.equal(card.title, 'A better title')
    assert.deepEqual([card.status, card.priority], ['in_progress', 'urgent'])
    assert.ok(card.owner_id !== null && card.tag_id !== null)
    assert.equal(card.group_id, scene.groupIds[1])
    assert.match(card.due_date ?? '', /^2031-05-0[345]T/)
  })
  await panel.getByRole('button', { name: 'Remove due date' }).click()
  await choose('Tag', 'Brand new')
  await eventually(async () => {
    const card = await cardOf(scene)
    assert.equal(card.due_date, null)
    const { tags } = await member.call(`${base}/tags/list`)
    assert.equal(tags.find(({ id }) => id === card.tag_id)?.name, 'Brand new')
  })
})

test('undo leaves what someone else has changed since, and a title over a newer one says so', async (t) => {
  const { admin, members, path, cardIds } = await createScene()
  const id = cardIds[0] as number
  const page = await openAs(t, members.member, `${path}/cards/${id}`)
  const panel = page.getByRole('complementary')
  const isStored = (expected: object) =>
    eventually(async () => {
      const { card } = await admin.call(`${base}/cards/get`, { id })
      assert.partialDeepStrictEqual(card, expected)
    })
  await panel.getByRole('button', { name: /^Priority:/ }).click()
  await page.getByRole('option', { name: 'Low' }).click()
  await isStored({ priority: 'low' })
  await admin.call(`${base}/cards/update`, { id, priority: 'urgent' })
  await panel.getByRole('button', { name: 'Priority: Urgent' }).waitFor()
  await page.keyboard.press('ControlOrMeta+z')
  await page.getByText('Not undone: “Card 1” was changed again in the meantime').waitFor()
  await isStored({ priority: 'urgent' })

  const title = panel.getByRole('textbox', { name: 'Title' })
  await title.fill('Mine')
  await admin.call(`${base}/cards/update`, { id, title: 'Theirs' })
  await page.getByRole('link', { name: 'Theirs' }).waitFor()
  await title.press('Enter')
  await page.getByText('Renamed to “Mine”. Someone else had just renamed it to “Theirs”.').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await isStored({ title: 'Theirs' })

  const summary = panel.getByRole('textbox', { name: 'Short description' })
  await summary.fill('My words')
  await admin.call(`${base}/cards/update`, { id, short_description: 'Their words' })
  await page.getByText('Their words').waitFor()
  await summary.press('Enter')
  await page.getByText('Short description changed. Someone else had just changed it too.').waitFor()
  await isStored({ short_description: 'My words' })
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await isStored({ short_description: 'Their words' })
})

test('the description is written with formatting', async (t) => {
  const scene = await createScene()
  const page = await openAs(t, scene.members.member, `${scene.path}/cards/${scene.cardIds[0]}`)
  await page.getByRole('button', { name: 'Add the description' }).click()
  await page.getByRole('textbox', { name: 'Description', exact: true }).waitFor()
  await page.keyboard.type('plain ')
  await page.getByRole('button', { name: 'Bold' }).click()
  await page.keyboard.type('strong')
  await page.keyboard.press('Control+Enter')
  await page.locator('.html b', { hasText: 'strong' }).waitFor()
  await eventually(async () => assert.equal((await cardOf(scene)).description, '<p>plain <b>strong</b></p>'))
})

test('hostile HTML in a description never runs, however it was stored', async (t) => {
  const scene = await createScene()
  const { sql } = service.db
  const hostile = `<p>before</p><img src=x onerror="alert(1)"><script>alert(2)</script><svg onload="alert(3)"></svg>
    <a href="javascript:alert(4)">press</a><iframe srcdoc="<script>alert(5)</script>"></iframe>
    <p style="position:fixed;inset:0" onclick="alert(6)">after</p><form action="https://example.test"><input></form>`
  await sql`update cards set description = ${hostile}, updated_at = now() where id = ${scene.cardIds[0] as number}`
  const page = await openAs(t, scene.members.member, `${scene.path}/cards/${scene.cardIds[0]}`, {
    // The browser tells of it while the text is taken apart to be cleaned; nothing of it reaches the page.
    expected: /violates the following Content Security Policy/,
  })
  const text = page.locator('.html')
  await text.getByText('after').click()
  await text.getByText('press').click()
  assert.equal(await text.locator('img, script, svg, iframe, form, input, [style], [onclick]').count(), 0)
  assert.equal(await text.getByText('press').getAttribute('href'), null)
  await page.getByRole('button', { name: 'Edit the description' }).click()
  const field = page.getByRole('textbox', { name: 'Description', exact: true })
  await field.getByText('after').waitFor()
  assert.equal(await field.locator('img, script, svg, iframe, form, input, [onclick]').count(), 0)
})

test('comments from before somebody joined are not new to them, those after it are', async (t) => {
  const { admin, path, cardIds, projectId } = await createScene()
  const card_id = cardIds[0] as number
  await admin.call(`${base}/comments/create`, { card_id, comment: 'Said long ago' })
  const late = await service.addUser({ roles: { [projectId]: 'member' } })
  await admin.call(`${base}/comments/create`, { card_id, comment: 'Said today' })
  const page = await openAs(t, late, `${path}/cards/${card_id}`)
  await page.getByText('Said long ago').waitFor()
  const fresh = page.getByRole('article').filter({ has: page.getByText('New', { exact: true }) })
  await fresh.getByText('Said today').waitFor()
  assert.equal(await fresh.count(), 1)
})

test('comments are written, answered, edited and deleted with undo; new ones are marked and then read', async (t) => {
  const scene = await createScene()
  const { admin, members, path, cardIds, boardId } = scene
  const card_id = cardIds[0] as number
  await admin.call(`${base}/comments/create`, { card_id, comment: 'Is this still true?' })
  const page = await openAs(t, members.member, path)
  await page.getByText('1 unread comment', { exact: true }).waitFor({ state: 'attached' })
  await page.getByRole('link', { name: 'Card 1' }).click()
  await page.getByText('New', { exact: true }).waitFor()
  await page.getByText('1 unread comment', { exact: true }).waitFor({ state: 'detached' })
  const { cards } = await scene.member.call(`${base}/comments/unread`, { board_id: boardId })
  assert.deepEqual(cards, [])

  await page.getByRole('button', { name: 'Reply' }).click()
  await page.getByRole('textbox', { name: 'Write a reply' }).fill('Yes, since Monday')
  await page.keyboard.press('Control+Enter')
  await page.getByText('Yes, since Monday').waitFor()
  await page.getByRole('textbox', { name: 'Write a comment' }).fill('First <b>line</b>\nsecond')
  await page.getByRole('button', { name: 'Comment', exact: true }).click()
  await page.getByText('First <b>line</b>').waitFor()
  await page
    .getByRole('article')
    .nth(2)
    .getByRole('button', { name: /^Actions for the comment/ })
    .click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await page.getByRole('textbox', { name: 'Edit comment' }).fill('Changed')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Changed', { exact: true }).waitFor()
  await page
    .getByRole('article')
    .nth(2)
    .getByRole('button', { name: /^Actions for the comment/ })
    .click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByText('Changed', { exact: true }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Changed', { exact: true }).waitFor()
  await page
    .getByRole('article')
    .nth(2)
    .getByRole('button', { name: /^Actions for the comment/ })
    .click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByText('Changed', { exact: true }).waitFor({ state: 'detached' })
  const { comments } = await scene.member.call(`${base}/cards/get`, { id: card_id })
  assert.deepEqual(
    comments.map(({ comment, parent_comment_id }) => [comment, parent_comment_id === null]),
    [
      ['Is this still true?', true],
      ['Yes, since Monday', false],
    ],
  )
})

test('comments show Markdown, and stay the text that was sent', async (t) => {
  const scene = await createScene()
  const card_id = scene.cardIds[0] as number
  const page = await openAs(t, scene.members.member, `${scene.path}/cards/${card_id}`)
  const field = page.getByRole('textbox', { name: 'Write a comment' })
  await field.fill('- **Read** the guide\n- `npm test`\n\n| a | b |\n|---|---|\n| 1 | <i>2</i> |')
  await field.evaluate((element: HTMLTextAreaElement) => {
    const start = element.value.indexOf('the guide')
    element.setSelectionRange(start, start + 'the guide'.length)
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', 'https://guide.test/')
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  })
  await page.getByRole('button', { name: 'Comment', exact: true }).click()
  const shown = page.getByRole('article', { name: /^Comment by/ })
  await shown.getByRole('link', { name: 'the guide' }).waitFor()
  assert.deepEqual(await shown.getByRole('listitem').allTextContents(), ['Read the guide', 'npm test'])
  assert.equal(await shown.locator('strong', { hasText: 'Read' }).count(), 1)
  assert.deepEqual(await shown.getByRole('cell').allTextContents(), ['1', '<i>2</i>'])
  await assertAccessible(page, 'Comment with Markdown')
  // The box of a task is its bullet.
  await scene.member.call(`${base}/comments/create`, { card_id, comment: '- [ ] call\n- [x] write\n- send' })
  const tasks = page.getByRole('article', { name: /^Comment by/ }).filter({ hasText: '☐ call' })
  await tasks.waitFor()
  assert.deepEqual(
    await tasks
      .locator('li')
      .evaluateAll((items) => items.map((item) => getComputedStyle(item).listStyleType)),
    ['none', 'none', 'disc'],
  )
  // Lists count from where they begin, and what is wide is scrolled by itself.
  const wide = `\`\`\`\n${'x'.repeat(200)}\n\`\`\`\n\n|${' word |'.repeat(40)}\n|${'-|'.repeat(40)}`
  await scene.member.call(`${base}/comments/create`, { card_id, comment: `3. third\n4. fourth\n\n${wide}` })
  await page.locator('ol[start="3"]', { hasText: 'third' }).waitFor()
  const panel = page.getByRole('complementary')
  const { width = 0 } = (await panel.boundingBox()) ?? {}
  for (const article of await page.getByRole('article', { name: /^Comment by/ }).all())
    assert.ok(((await article.boundingBox())?.width ?? width) < width)
  const { comments } = await scene.member.call(`${base}/cards/get`, { id: card_id })
  assert.deepEqual(comments.map(({ comment }) => comment).slice(0, 1), [
    '- **Read** [the guide](https://guide.test/)\n- `npm test`\n\n| a | b |\n|---|---|\n| 1 | <i>2</i> |',
  ])
})

test('the newest comments are shown first, earlier ones on demand, with replies below their comment', async (t) => {
  const scene = await createScene()
  const card_id = scene.cardIds[0] as number
  const say = async (comment: string, parent_comment_id: number | null = null) =>
    (await scene.member.call(`${base}/comments/create`, { card_id, comment, parent_comment_id })).comment.id
  const first = await say('The first of all')
  for (let number = 1; number <= 50; number++) await say(`Comment ${number}`)
  await say('A reply to the reply', await say('A late reply', first))
  const page = await openAs(t, scene.members.member, `${scene.path}/cards/${card_id}`)
  const comments = page.getByRole('region', { name: 'Comments' })
  await comments.getByText('A late reply').waitFor()
  await comments.getByRole('heading', { name: 'Comments 53' }).waitFor()
  assert.equal(await comments.getByRole('article').count(), 50)
  await comments.getByRole('button', { name: 'Show earlier comments' }).click()
  await comments.getByText('The first of all').waitFor()
  const texts = await comments.getByRole('article').getByRole('paragraph').allTextContents()
  assert.deepEqual(texts.slice(0, 4), [
    'The first of all',
    'A late reply',
    'A reply to the reply',
    'Comment 1',
  ])
  assert.equal(texts.length, 53)
  assert.equal(await comments.getByRole('button', { name: 'Show earlier comments' }).count(), 0)
})

test('the history shows who did what; a missing card says so', async (t) => {
  const scene = await createScene()
  const path = `${scene.path}/cards/${scene.cardIds[0]}`
  const page = await openAs(t, scene.members.member, path, { expected: /404|422/ })
  await page.getByText('History').click()
  await page.getByText(/created this card in To do/).waitFor()
  await scene.admin.call(`${base}/cards/delete`, { id: scene.cardIds[0] as number })
  await page.getByRole('heading', { name: 'This card was deleted' }).waitFor()
})

test('an open card, its editor and the activity of the board are accessible', async (t) => {
  const scene = await createScene()
  const { admin, members, path, cardIds } = scene
  const id = cardIds[0] as number
  const description = '<h2>Why</h2><p>Because <a href="https://example.test">this</a></p>'
  await admin.call(`${base}/cards/update`, {
    id,
    description,
    due_date: '2020-01-01',
    owner_id: members.admin.id,
  })
  await admin.call(`${base}/comments/create`, { card_id: id, comment: 'Hello' })
  const page = await openAs(t, members.member, `${path}/cards/${id}`)
  await page.getByText('Hello').waitFor()
  await assertAccessible(page, 'card')
  await page.getByRole('button', { name: 'Edit the description' }).click()
  await page.getByRole('toolbar').waitFor()
  await assertAccessible(page, 'card with its editor')
  await page.goto(`${path}/activity`)
  await page.getByText(/created “Card 1” in To do/).waitFor()
  await assertAccessible(page, 'activity')
})
