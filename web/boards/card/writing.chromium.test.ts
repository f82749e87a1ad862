import assert from 'node:assert/strict'
import test from 'node:test'
import { assertAccessible, createScene, openAs, service } from '#tests/browser.ts'
import { eventually } from '#tests/process.ts'

const base = '/services/operations/v1/operations'

test('refused comments, replies and edits stay in their fields, and Escape keeps them', async (t) => {
  const scene = await createScene()
  const { member, members, path, cardIds } = scene
  await member.call(`${base}/comments/create`, { card_id: cardIds[0] as number, comment: 'Hello' })
  const page = await openAs(t, members.member, `${path}/cards/${cardIds[0]}`, { expected: /403/ })
  const field = page.getByRole('textbox', { name: 'Write a comment' })
  await field.fill('Ten minutes of work')
  await field.press('Escape')
  assert.equal(await field.inputValue(), 'Ten minutes of work')
  await page.getByRole('button', { name: 'Reply' }).click()
  const reply = page.getByRole('textbox', { name: 'Write a reply' })
  await reply.fill('Five minutes of work')

  const setRole = (role: string) => service.db.sql`
    update memberships set role = ${role} where project_id = ${scene.projectId} and user_id = ${members.member.id}`
  await setRole('viewer')
  await field.press('Control+Enter')
  await page.getByText('The comment was not sent. Your role does not allow this.').waitFor()
  assert.equal(await field.inputValue(), 'Ten minutes of work')
  await reply.press('Control+Enter')
  await page.getByText('The comment was not sent.').nth(1).waitFor()
  assert.equal(await reply.inputValue(), 'Five minutes of work')

  await setRole('member')
  await field.press('Control+Enter')
  await eventually(async () => assert.equal(await field.inputValue(), ''))
  await reply.press('Control+Enter')
  await reply.waitFor({ state: 'detached' })
  const { comments } = await member.call(`${base}/cards/get`, { id: cardIds[0] as number })
  assert.deepEqual(comments.map(({ comment }) => comment).sort(), [
    'Five minutes of work',
    'Hello',
    'Ten minutes of work',
  ])
})

test('comments keep their indentation, line breaks and arrows', async (t) => {
  const { member, members, path, cardIds } = await createScene()
  const card_id = cardIds[0] as number
  const texts = ['#include <a>\n\tint main() {\n\t  return *p;', 'one\r  two -> three --> four']
  for (const comment of texts) await member.call(`${base}/comments/create`, { card_id, comment })
  const page = await openAs(t, members.member, `${path}/cards/${card_id}`)
  for (const text of texts) {
    const shown = page.getByRole('article').getByText(text.slice(0, 3))
    await eventually(async () => assert.equal(await shown.innerText(), text.replace('\r', '\n')))
    const ligatures = (element: Element) => getComputedStyle(element).fontVariantLigatures
    assert.equal(await shown.evaluate(ligatures), 'no-contextual')
  }
  const title = page.getByRole('complementary').getByRole('textbox', { name: 'Title' })
  assert.equal(
    await title.evaluate((element) => getComputedStyle(element).fontVariantLigatures),
    'no-contextual',
  )
})

test('unsent comments, replies and edits are kept when the card is opened again', async (t) => {
  const { member, members, path, cardIds } = await createScene()
  await member.call(`${base}/comments/create`, { card_id: cardIds[0] as number, comment: 'Hello' })
  const page = await openAs(t, members.member, `${path}/cards/${cardIds[0]}`)
  const field = page.getByRole('textbox', { name: 'Write a comment' })
  const reply = page.getByRole('textbox', { name: 'Write a reply' })
  const change = page.getByRole('textbox', { name: 'Edit comment' })
  await field.fill('A thought')
  await page.getByRole('button', { name: 'Reply' }).click()
  await reply.fill('An answer')
  await page.getByRole('button', { name: /^Actions for the comment/ }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await change.fill('Hello all')
  await page.getByRole('link', { name: 'Card 2' }).click()
  await page.getByRole('complementary', { name: 'Card: Card 2' }).waitFor()
  await eventually(async () => assert.equal(await field.inputValue(), ''))
  await page.getByRole('button', { name: 'Close', exact: true }).click()
  await page.getByRole('link', { name: 'Card 1' }).click()
  await eventually(async () => assert.equal(await field.inputValue(), 'A thought'))
  assert.deepEqual([await reply.inputValue(), await change.inputValue()], ['An answer', 'Hello all'])
  const panel = page.getByRole('complementary', { name: 'Card: Card 1' })
  assert.ok(await panel.evaluate((element) => element.matches(':focus')))

  await field.press('Control+Enter')
  await page.getByRole('article').getByText('A thought').waitFor()
  await reply.press('Escape')
  await change.press('Control+Enter')
  await change.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Close', exact: true }).click()
  await page.getByRole('link', { name: 'Card 1' }).click()
  await page.getByRole('article').getByText('Hello all').waitFor()
  assert.equal(await field.inputValue(), '')
  assert.deepEqual([await reply.count(), await change.count()], [0, 0])
})

test('editing a description shows the version of someone else beside the own one, and saves only the chosen one', async (t) => {
  const scene = await createScene()
  const { admin, member, members, path, cardIds } = scene
  const id = cardIds[0] as number
  const stored = async () => (await member.call(`${base}/cards/get`, { id })).card.description
  const page = await openAs(t, members.member, `${path}/cards/${id}`)
  const region = page.getByRole('region', { name: 'Description', exact: true })
  const field = page.getByRole('textbox', { name: 'Description', exact: true })
  await page.getByRole('button', { name: 'Add the description' }).click()
  await field.waitFor()
  await page.keyboard.type('Mine')
  await admin.call(`${base}/cards/update`, { id, description: '<p>Theirs</p>' })
  await region.getByRole('status').getByText('Someone else edited this').waitFor()
  await assertAccessible(page, 'description changed meanwhile')
  await region.getByRole('region', { name: 'Their version' }).getByText('Theirs').waitFor()
  await page.getByRole('button', { name: 'Use theirs' }).click()
  await region.getByText('Theirs').waitFor()
  assert.equal(await field.count(), 0)
  await eventually(async () =>
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Edit the description'),
  )
  assert.equal(await stored(), '<p>Theirs</p>')
  await page.getByRole('button', { name: 'Undo' }).click()
  await field.getByText('Mine').waitFor()
  await region.getByRole('status').getByText('Yours is in the editor').waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  const problem = page.locator('.toast').getByText('Choose a version first')
  await problem.waitFor()
  assert.equal(await stored(), '<p>Theirs</p>')
  await page.getByRole('button', { name: 'Keep mine' }).click()
  await problem.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Save' }).click()
  await field.waitFor({ state: 'detached' })
  await eventually(async () => assert.equal(await stored(), '<p>Mine</p>'))

  await page.getByRole('button', { name: 'Edit the description' }).click()
  await field.waitFor()
  await page.keyboard.type(' again')
  await page.keyboard.press('Control+Enter')
  await field.waitFor({ state: 'detached' })
  assert.equal(await page.getByText('Someone else edited this').count(), 0)
  await eventually(async () => assert.equal(await stored(), '<p>Mine again</p>'))
})

test('a description that somebody changed a moment ago is not overwritten, and what was typed stays', async (t) => {
  const { admin, member, members, path, cardIds } = await createScene()
  const id = cardIds[0] as number
  const stored = async () => (await member.call(`${base}/cards/get`, { id })).card.description
  const page = await openAs(t, members.member, `${path}/cards/${id}`, { expected: /409/ })
  const region = page.getByRole('region', { name: 'Description', exact: true })
  const field = page.getByRole('textbox', { name: 'Description', exact: true })
  await page.getByRole('button', { name: 'Add the description' }).click()
  await field.waitFor()
  await page.keyboard.type('Mine')
  // The window does not know of the change yet when it saves.
  let isFirst = true
  await page.route(/cards\/update$/, async (route) => {
    if (isFirst) await admin.call(`${base}/cards/update`, { id, description: 'Theirs' })
    isFirst = false
    await route.continue()
  })
  await page.getByRole('button', { name: 'Save' }).click()
  await region.getByRole('region', { name: 'Their version' }).getByText('Theirs').waitFor()
  assert.equal(await field.textContent(), 'Mine')
  assert.equal(await stored(), 'Theirs')
  await page.getByRole('button', { name: 'Keep mine' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await eventually(async () => assert.equal(await stored(), '<p>Mine</p>'))
})

test('a panel that opens late leaves the focus in a field where a title is being typed', async (t) => {
  const { members, path, cardIds } = await createScene()
  const page = await openAs(t, members.member, path)
  const panelIsAsked = Promise.withResolvers<void>()
  const mayOpen = Promise.withResolvers<void>()
  await page.route(/\.js$/, async (route) => {
    panelIsAsked.resolve()
    await mayOpen.promise
    await route.continue()
  })
  await page.getByRole('link', { name: 'Card 1' }).click()
  await panelIsAsked.promise
  await page.getByRole('button', { name: 'Add card to Doing' }).click()
  await page.keyboard.type('Ne')
  mayOpen.resolve()
  await page.getByRole('button', { name: 'Add the description' }).waitFor()
  await page.keyboard.type('w')
  const title = page.getByRole('textbox', { name: 'Title of the new card in Doing' })
  assert.equal(await title.inputValue(), 'New')
  assert.equal(new URL(page.url()).pathname, `${path}/cards/${cardIds[0]}`)
})

test('a refused description and title stay in their fields; a discarded description can be restored as a draft', async (t) => {
  const scene = await createScene()
  const { member, members, path, cardIds } = scene
  const page = await openAs(t, members.member, `${path}/cards/${cardIds[0]}`, { expected: /403/ })
  const setRole = (role: string) => service.db.sql`
    update memberships set role = ${role} where project_id = ${scene.projectId} and user_id = ${members.member.id}`
  const description = page.getByRole('textbox', { name: 'Description', exact: true })
  const title = page.getByRole('textbox', { name: 'Title of the new card in Doing' })
  await page.getByRole('button', { name: 'Add card to Doing' }).click()
  await title.fill('New')
  await page.getByRole('button', { name: 'Add the description' }).click()
  await description.waitFor()
  await page.keyboard.type('Ten minutes of work')
  await setRole('viewer')
  await page.keyboard.press('Control+Enter')
  await page.getByText('The card was not changed. Your role does not allow this.').waitFor()
  assert.equal(await description.textContent(), 'Ten minutes of work')
  await title.press('Enter')
  await page.getByText('The card was not created. Your role does not allow this.').waitFor()
  // The next title begins on a line of its own.
  assert.equal(await title.inputValue(), 'New\n')

  await setRole('member')
  await title.press('Enter')
  await page.getByRole('link', { name: 'New' }).waitFor()
  await description.press('Escape')
  await description.waitFor({ state: 'detached' })
  await page.getByText('Description changes discarded').waitFor()
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await description.getByText('Ten minutes of work').waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  await description.waitFor({ state: 'detached' })
  await eventually(async () => {
    const { card } = await member.call(`${base}/cards/get`, { id: cardIds[0] as number })
    assert.equal(card.description, '<p>Ten minutes of work</p>')
  })
})

test('a link is added to a description; Escape in its address cancels only the link', async (t) => {
  const scene = await createScene()
  const page = await openAs(t, scene.members.member, `${scene.path}/cards/${scene.cardIds[0]}`)
  await page.getByRole('button', { name: 'Add the description' }).click()
  await page.getByRole('textbox', { name: 'Description', exact: true }).waitFor()
  await page.keyboard.type('here')
  await page.keyboard.press('Control+a')
  const link = page.getByRole('button', { name: 'Link', exact: true })
  await link.press('Enter')
  await page.getByRole('textbox', { name: 'Link address' }).press('Escape')
  await page.getByRole('textbox', { name: 'Description', exact: true }).getByText('here').waitFor()
  await link.press('Enter')
  await page.getByRole('textbox', { name: 'Link address' }).fill('example.test/a')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').getByText('Enter a link').waitFor()
  await page.getByRole('textbox', { name: 'Link address' }).fill('https://example.test/a')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Control+Enter')
  await page.getByRole('link', { name: 'here' }).waitFor()
  assert.equal(await page.getByRole('link', { name: 'here' }).getAttribute('href'), 'https://example.test/a')
})

test('the link to a card is copied; a card is deleted in its panel and restored', async (t) => {
  const scene = await createScene()
  const path = `${scene.path}/cards/${scene.cardIds[0]}`
  const page = await openAs(t, scene.members.member, path, {
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  await page.getByRole('button', { name: 'Copy link' }).click()
  await page.getByText('Link copied').waitFor()
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), service.url + path)
  // As on a page without https.
  await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
  await page.getByRole('button', { name: 'Copy link' }).click()
  await page
    .locator('.toast', { hasText: 'The link was not copied' })
    .getByText(service.url + path)
    .waitFor()
  await page.getByRole('button', { name: 'Actions for this card' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Delete' }).press('Enter')
  await page.getByRole('link', { name: 'Card 1' }).waitFor({ state: 'detached' })
  assert.equal(new URL(page.url()).pathname, scene.path)
  await page.getByText(/^Deleted “Card/).waitFor()
  await page.keyboard.press('Control+z')
  await page.getByRole('link', { name: 'Card 1' }).waitFor()
})

test('a viewer reads a card: values as text, no field and no button that does nothing', async (t) => {
  const scene = await createScene()
  const id = scene.cardIds[0] as number
  await scene.member.call(`${base}/comments/create`, { card_id: id, comment: 'Hello' })
  await scene.member.call(`${base}/cards/update`, { id, short_description: 'In short' })
  const page = await openAs(t, scene.members.viewer, `${scene.path}/cards/${id}`)
  const panel = page.getByRole('complementary', { name: 'Card: Card 1' })
  await panel.getByText('Hello').waitFor()
  for (const text of ['Card 1', 'In short', 'Open', 'Normal', 'Unassigned', 'No due date', 'Not snoozed'])
    await panel.getByText(text, { exact: true }).first().waitFor()
  assert.equal(await panel.getByRole('textbox').count(), 0)
  assert.deepEqual(await panel.getByRole('button').evaluateAll((all) => all.map((one) => one.ariaLabel)), [
    'Not following: follow or mute',
    'Copy link',
    'Close',
  ])
  await assertAccessible(page, 'card of a viewer')
})

test('a comment goes on being written while its card cannot be read again', async (t) => {
  const { admin, members, path, cardIds } = await createScene()
  const card_id = cardIds[0] as number
  const page = await openAs(t, members.member, `${path}/cards/${card_id}`, { expected: /Failed to load/ })
  const field = page.getByRole('textbox', { name: 'Write a comment' })
  await field.fill('Half')
  await page.route(/cards\/get$/, (route) => route.abort())
  await admin.call(`${base}/comments/create`, { card_id, comment: 'From afar' })
  const failed = page.getByText('The comments could not be loaded')
  await failed.waitFor()
  await page.keyboard.type(' and whole')
  assert.equal(await field.inputValue(), 'Half and whole')
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('article').getByText('From afar').waitFor()
  await failed.waitFor({ state: 'detached' })
  assert.equal(await field.inputValue(), 'Half and whole')
})

test('a description that is being saved takes no more text, and leaves the focus where the person went on', async (t) => {
  const { member, members, path, cardIds } = await createScene()
  const id = cardIds[0] as number
  const page = await openAs(t, members.member, `${path}/cards/${id}`)
  const saving = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<void>()
  await page.route(/cards\/update$/, async (route) => {
    saving.resolve()
    await answer.promise
    await route.continue()
  })
  await page.getByRole('button', { name: 'Add the description' }).click()
  const field = page.getByRole('textbox', { name: 'Description', exact: true })
  await field.waitFor()
  await page.keyboard.type('Words')
  await page.keyboard.press('Control+Enter')
  await saving.promise
  await page.keyboard.type(' that would vanish')
  await page.keyboard.press('Enter')
  assert.equal(await field.innerText(), 'Words')
  const comment = page.getByRole('textbox', { name: 'Write a comment' })
  await comment.click()
  await page.keyboard.type('A thought')
  answer.resolve()
  await field.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Edit the description' }).waitFor()
  await page.keyboard.type(' goes on')
  assert.equal(await comment.inputValue(), 'A thought goes on')
  assert.equal((await member.call(`${base}/cards/get`, { id })).card.description, '<p>Words</p>')
})

test('text beyond a limit is kept whole, and refused with the limit', async (t) => {
  const { member, members, path, cardIds } = await createScene()
  const page = await openAs(t, members.member, `${path}/cards/${cardIds[0]}`, { expected: /422/ })
  const comment = page.getByRole('textbox', { name: 'Write a comment' })
  const title = page.getByRole('complementary').getByRole('textbox', { name: 'Title', exact: true })
  const quick = page.getByRole('textbox', { name: 'Title of the new card in Doing' })
  await comment.waitFor()
  const fields = [
    [comment, 65_535, 'Control+Enter', 'The comment was not sent. The comment field must not'],
    [title, 255, 'Enter', 'The card was not changed. The title field must not'],
    [quick, 255, 'Enter', 'The card was not created. The title field must not'],
  ] as const
  for (const [field, most, key, refusal] of fields) {
    const text = `${'word '.repeat(most / 5)}and the end`
    if (field === quick) await page.getByRole('button', { name: 'Add card to Doing' }).click()
    await field.focus()
    await page.keyboard.insertText(text)
    await page.keyboard.press('End')
    await page.keyboard.press(key)
    await page.getByText(`${refusal} be greater than ${most} characters.`).waitFor()
    assert.ok((await field.inputValue()).includes(text))
  }
  // As many characters as the service counts, of two units each.
  await quick.fill('🪴'.repeat(255))
  await quick.press('Enter')
  await page.getByRole('link', { name: '🪴'.repeat(255) }).waitFor()
  await eventually(async () =>
    assert.equal((await member.call(`${base}/boards/list`)).boards[0]?.cards_count, 4),
  )
})

test('a reply to a comment that is deleted meanwhile can be read, copied and discarded', async (t) => {
  const { admin, members, path, cardIds } = await createScene()
  const card_id = cardIds[0] as number
  const { comment } = await admin.call(`${base}/comments/create`, { card_id, comment: 'Hello' })
  const page = await openAs(t, members.member, `${path}/cards/${card_id}`)
  await page.getByRole('button', { name: 'Reply' }).click()
  const reply = page.getByRole('textbox', { name: 'Write a reply' })
  await reply.fill('An answer')
  await admin.call(`${base}/comments/delete`, { id: comment.id })
  const left = page.getByRole('article', { name: 'Draft: Reply' })
  await left.getByText('An answer').waitFor()
  await left.getByRole('button', { name: 'Copy draft: Reply' }).waitFor()
  await assertAccessible(page, 'a draft of a reply to a deleted comment')
  await page.reload()
  await left.getByText('An answer').waitFor()
  await page.getByRole('button', { name: 'Discard drafts' }).click()
  await left.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo' }).click()
  await left.waitFor()
  await admin.call(`${base}/comments/restore`, { id: comment.id })
  await eventually(async () => assert.equal(await reply.inputValue(), 'An answer'))
  assert.equal(await left.count(), 0)
})
