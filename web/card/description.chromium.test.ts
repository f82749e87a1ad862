import assert from 'node:assert/strict'
import test from 'node:test'
import { assertAccessible, createScene, openAs, type Scene } from '#tests/browser.ts'
import { eventually } from '#tests/process.ts'

const base = '/services/operations/v1/operations'

async function sceneWith(description: string) {
  const scene = await createScene({ cards: 1 })
  const id = scene.cardIds[0] as number
  await scene.member.call(`${base}/cards/update`, { id, description })
  return { ...scene, id }
}

const storedIn = async ({ member, cardIds }: Scene) => {
  const { card } = await member.call(`${base}/cards/get`, { id: cardIds[0] as number })
  return card
}

test('plain text is shown as it was written, and saved as it was where nothing is changed', async (t) => {
  const text = 'if (a<b && c>d) return;\n  mail <bob@x.test>\n\nAT&T'
  const scene = await sceneWith(text)
  const { updated_at } = await storedIn(scene)
  const page = await openAs(t, scene.members.member, `${scene.path}/cards/${scene.id}`)
  const region = page.getByRole('region', { name: 'Description' })
  await region.getByText('AT&T').waitFor()
  assert.equal(await region.locator('.html').innerText(), text)
  await page.getByRole('button', { name: 'Edit the description' }).click()
  const field = page.getByRole('textbox', { name: 'Description' })
  await field.getByText('AT&T').waitFor()
  const lines = await field.locator('p').evaluateAll((all) => all.map((line) => line.textContent))
  assert.deepEqual(lines, ['if (a<b && c>d) return;', '\u00a0\u00a0mail <bob@x.test>', '', 'AT&T'])
  await page.getByRole('button', { name: 'Save' }).click()
  await field.waitFor({ state: 'detached' })
  assert.equal(await region.locator('.html').innerText(), text)
  const { description, updated_at: after } = await storedIn(scene)
  assert.deepEqual([description, after], [text, updated_at])
})

test('plain text that is changed keeps every character, and so does what is typed', async (t) => {
  const scene = await sceneWith('if a<b &amp; c\n  then d')
  const page = await openAs(t, scene.members.member, `${scene.path}/cards/${scene.id}`)
  await page.getByRole('button', { name: 'Edit the description' }).click()
  const field = page.getByRole('textbox', { name: 'Description' })
  await field.getByText('then d').waitFor()
  await page.keyboard.type(' if x<y and y>z')
  await page.keyboard.press('Control+Enter')
  await field.waitFor({ state: 'detached' })
  const shown = page.getByRole('region', { name: 'Description' }).locator('.html')
  await shown.getByText('if x<y and y>z').waitFor()
  assert.match(await shown.innerText(), /^if a<b &amp; c\n+\u00a0\u00a0then d if x<y and y>z$/)
  await eventually(async () => {
    const { description, description_format } = await storedIn(scene)
    assert.equal(description_format, 'html')
    assert.equal(description, '<p>if a&lt;b &amp;amp; c</p><p>\u00a0\u00a0then d if x&lt;y and y&gt;z</p>')
  })
})

test('a table is shown as one, and stays one when the text around it is changed', async (t) => {
  const scene = await sceneWith(
    '<p>Sizes</p><table><caption>Shirts</caption><tr><th>Size</th><th>Count</th></tr><tr><td>M</td><td>12</td></tr></table>',
  )
  const page = await openAs(t, scene.members.member, `${scene.path}/cards/${scene.id}`)
  const region = page.getByRole('region', { name: 'Description' })
  const table = region.getByRole('table', { name: 'Shirts' })
  await table.waitFor()
  assert.deepEqual(await table.getByRole('row').allInnerTexts(), ['Size\tCount', 'M\t12'])
  const border = await table
    .getByRole('cell', { name: '12' })
    .evaluate((cell) => getComputedStyle(cell).borderTopWidth)
  assert.equal(border, '1px')
  await assertAccessible(page, 'a table in a description')
  await page.getByRole('button', { name: 'Edit the description' }).click()
  const field = page.getByRole('textbox', { name: 'Description' })
  await field.getByText('Sizes').click()
  await page.keyboard.press('End')
  await page.keyboard.type(' in stock')
  await page.keyboard.press('Control+Enter')
  await field.waitFor({ state: 'detached' })
  await region.getByText('Sizes in stock').waitFor()
  await eventually(async () => {
    const { description } = await storedIn(scene)
    assert.match(description ?? '', /^<p>Sizes in stock<\/p><table>/)
  })
  await eventually(async () =>
    assert.deepEqual(await table.getByRole('row').allInnerTexts(), ['Size\tCount', 'M\t12']),
  )
})

test('a control character that was pasted is named, and nothing that was written is lost', async (t) => {
  const scene = await sceneWith('<p>Log:</p>')
  const page = await openAs(t, scene.members.member, `${scene.path}/cards/${scene.id}`, { expected: /422/ })
  await page.getByRole('button', { name: 'Edit the description' }).click()
  const field = page.getByRole('textbox', { name: 'Description' })
  await field.getByText('Log:').waitFor()
  await page.keyboard.insertText(' ok\u0007')
  await page.keyboard.press('Control+Enter')
  const sentence = 'The description field contains a control character (U+0007) that cannot be stored.'
  await page.getByText(`The card was not changed. ${sentence}`).waitFor()
  assert.equal((await field.textContent())?.replace('\u00a0', ' '), 'Log: ok\u0007')
  assert.equal((await storedIn(scene)).description, '<p>Log:</p>')
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Control+Enter')
  await field.waitFor({ state: 'detached' })
  await eventually(async () => assert.equal((await storedIn(scene)).description, '<p>Log: ok</p>'))
})
