import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
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

test('plain text is shown as written, and unchanged text is saved as it was', async (t) => {
  const text = 'if (a<b && c>d) return;\n  mail <bob@x.test>\n\nAT&T'
  const scene = await sceneWith(text)
  const { updated_at } = await storedIn(scene)
  const page = await openAs(t, scene.members.member, `${scene.path}/cards/${scene.id}`)
  const region = page.getByRole('region', { name: 'Description', exact: true })
  await region.getByText('AT&T').waitFor()
  assert.equal(await region.locator('.html').innerText(), text)
  await page.getByRole('button', { name: 'Edit the description' }).click()
  const field = page.getByRole('textbox', { name: 'Description', exact: true })
  await field.getByText('AT&T').waitFor()
  const lines = await field
    .locator('p')
    .evaluateAll((all) => all.map((line) => line.textContent?.replaceAll('\u200b', '')))
  assert.deepEqual(lines, ['if (a<b && c>d) return;', '  mail <bob@x.test>', '', 'AT&T'])
  await page.getByRole('button', { name: 'Save' }).click()
  await field.waitFor({ state: 'detached' })
  assert.equal(await region.locator('.html').innerText(), text)
  const { description, updated_at: after } = await storedIn(scene)
  assert.deepEqual([description, after], [text, updated_at])
})

test('edited plain text stays plain and keeps every character', async (t) => {
  const scene = await sceneWith('if\ta<b &amp; c \n\r\n\t then  d')
  const page = await openAs(t, scene.members.member, `${scene.path}/cards/${scene.id}`)
  await page.getByRole('button', { name: 'Edit the description' }).click()
  const field = page.getByRole('textbox', { name: 'Description', exact: true })
  await field.getByText('then d').waitFor()
  await page.keyboard.type(' if x<y and y>z')
  await page.keyboard.press('Control+Enter')
  await field.waitFor({ state: 'detached' })
  const shown = page.getByRole('region', { name: 'Description', exact: true }).locator('.html')
  await shown.getByText('if x<y and y>z').waitFor()
  const text = 'if\ta<b &amp; c \n\r\n\t then  d if x<y and y>z'
  assert.equal(await shown.textContent(), text)
  const isStored = (expected: string, format: string) =>
    eventually(async () => {
      const { description, description_format } = await storedIn(scene)
      assert.deepEqual([description, description_format], [expected, format])
    })
  await isStored(text, 'text')

  // A draft of it is the same after a reload, and undo does not go back beyond what was opened.
  await page.getByRole('button', { name: 'Edit the description' }).click()
  await field.getByText('then d').waitFor()
  await page.keyboard.press('Enter')
  await page.keyboard.type('end')
  await page.reload()
  await field.getByText('end').waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  await isStored(`${text}\nend`, 'text')
  await page.getByRole('button', { name: 'Edit the description' }).click()
  await field.getByText('end').waitFor()
  await page.keyboard.type(' it')
  for (let times = 0; times < 4; times++) await page.keyboard.press('Control+z')
  await field.getByText('end', { exact: true }).waitFor()
  await field.getByText('then d').waitFor()

  // What looks like a tag is no tag, and formatting makes it HTML, in which spaces are as wide as they were.
  await page.keyboard.press('Control+End')
  await page.keyboard.type(' <b>not bold</b>')
  await page.keyboard.press('Control+Enter')
  await field.waitFor({ state: 'detached' })
  const wide = '\u00a0'
  await isStored(
    [
      `<p>if${wide.repeat(4)}a&lt;b &amp;amp; c </p><p><br /></p>`,
      `<p>${wide.repeat(5)}then${wide.repeat(2)}d if x&lt;y and y&gt;z</p>`,
      '<p>end &lt;b&gt;not bold&lt;/b&gt;</p>',
    ].join(''),
    'html',
  )
})

test('a table is shown as one, and stays one when the text around it is changed', async (t) => {
  const scene = await sceneWith(
    '<p>Sizes</p><table><caption>Shirts</caption><tr><th>Size</th><th>Count</th></tr><tr><td>M</td><td>12</td></tr></table>',
  )
  const page = await openAs(t, scene.members.member, `${scene.path}/cards/${scene.id}`)
  const region = page.getByRole('region', { name: 'Description', exact: true })
  const table = region.getByRole('table', { name: 'Shirts' })
  await table.waitFor()
  assert.deepEqual(await table.getByRole('row').allInnerTexts(), ['Size\tCount', 'M\t12'])
  const border = await table
    .getByRole('cell', { name: '12' })
    .evaluate((cell) => getComputedStyle(cell).borderTopWidth)
  assert.equal(border, '1px')
  await assertAccessible(page, 'a table in a description')
  await page.getByRole('button', { name: 'Edit the description' }).click()
  const field = page.getByRole('textbox', { name: 'Description', exact: true })
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

test('a pasted control character gives a clear error, and no text is lost', async (t) => {
  const scene = await sceneWith('<p>Log:</p>')
  const page = await openAs(t, scene.members.member, `${scene.path}/cards/${scene.id}`, { expected: /422/ })
  await page.getByRole('button', { name: 'Edit the description' }).click()
  const field = page.getByRole('textbox', { name: 'Description', exact: true })
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

test('a pasted table leaves no empty paragraph, alone and between lines', async (t) => {
  const table = '<table><tbody><tr><td>M</td><td>12</td></tr></tbody></table>'
  const scene = await sceneWith('<p>Before</p><p>After</p>')
  const page = await openAs(t, scene.members.member, `${scene.path}/cards/${scene.id}`)
  const field = page.getByRole('textbox', { name: 'Description', exact: true })
  /** The editor puts in what was pasted a moment later. */
  const paste = async (tables: number) => {
    await field.evaluate((element, html) => {
      const data = new DataTransfer()
      data.setData('text/html', html)
      data.setData('text/plain', 'M 12')
      element.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
      )
    }, table)
    await eventually(async () => assert.equal(await field.locator('table').count(), tables))
  }
  const saved = async (html: string) => {
    await page.keyboard.press('Control+Enter')
    await field.waitFor({ state: 'detached' })
    await eventually(async () => assert.equal((await storedIn(scene)).description, html))
    await page.getByRole('button', { name: 'Edit the description' }).click()
    await field.waitFor()
  }
  await page.getByRole('button', { name: 'Edit the description' }).click()
  await field.getByText('Before').click()
  await page.keyboard.press('End')
  await paste(1)
  await saved(`<p>Before</p>${table}<p>After</p>`)
  await field.getByText('After').click()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await paste(2)
  await saved(`<p>Before</p>${table}<p>After</p>${table}`)
  await page.keyboard.press('Control+a')
  await paste(1)
  await saved(table)
  // What somebody writes after it is there.
  await page.keyboard.press('Control+End')
  await page.keyboard.type('The end')
  await page.keyboard.press('Control+Enter')
  await field.waitFor({ state: 'detached' })
  await eventually(async () => assert.equal((await storedIn(scene)).description, `${table}<p>The end</p>`))
})

test('bold that was switched off stays off on the next line', async (t) => {
  const scene = await createScene({ cards: 1 })
  const page = await openAs(t, scene.members.member, `${scene.path}/cards/${scene.cardIds[0]}`)
  await page.getByRole('button', { name: 'Add the description' }).click()
  await page.getByRole('textbox', { name: 'Description', exact: true }).waitFor()
  await page.keyboard.press('Control+b')
  await page.keyboard.type('Loud')
  await page.keyboard.press('Control+b')
  await page.keyboard.press('Enter')
  await page.keyboard.type('quiet')
  await page.keyboard.press('Control+Enter')
  await eventually(async () =>
    assert.equal((await storedIn(scene)).description, '<p><b>Loud</b></p><p>quiet</p>'),
  )
})

test('typed formats end with their line', async (t) => {
  const { page, type, saves } = await openEmpty(t)
  await type('Run `npm test`', '**end**', '~~gone~~', '*soft*', 'after', '`x`', '- first `y`', 'second')
  await page.keyboard.press('Shift+Enter')
  await type('third')
  await saves(
    '<p>Run <code>npm test</code></p><p><b>end</b></p><p><s>gone</s></p><p><i>soft</i></p><p>after</p><p><code>x</code></p><ul><li>first <code>y</code></li><li>second<br />third</li></ul>',
  )
})

test('a line that is broken for the first time stays broken in a paragraph, before bold and in a table', async (t) => {
  const { page, type, saves } = await openEmpty(t)
  await type('one')
  await page.keyboard.press('Shift+Enter')
  await type('two', 'three **loud**')
  await page.keyboard.press('Shift+Enter')
  await type('four', '| Name |', 'Tea', 'green')
  await saves(
    '<p>one<br />two</p><p>three <b>loud<br /></b>four</p><table><thead><tr><th>Name</th></tr></thead><tbody><tr><td>Tea<br />green</td></tr></tbody></table>',
  )
})

/** Opens the empty description of a new card. */
async function openEmpty(t: TestContext) {
  const scene = await createScene({ cards: 1 })
  const page = await openAs(t, scene.members.member, `${scene.path}/cards/${scene.cardIds[0]}`, {
    // The browser reports that it does not apply the styles of pasted text.
    expected: /Applying inline style violates/,
  })
  await page.getByRole('button', { name: 'Add the description' }).click()
  const field = page.getByRole('textbox', { name: 'Description', exact: true })
  await field.waitFor()
  const type = async (...lines: string[]) => {
    for (const [index, line] of lines.entries()) {
      if (index > 0) await page.keyboard.press('Enter')
      await page.keyboard.type(line)
    }
  }
  const paste = (text: string, type = 'text/plain') =>
    field.evaluate(
      (element, [of, pasted]) => {
        const clipboardData = new DataTransfer()
        clipboardData.setData(of, pasted)
        element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
      },
      [type, text] as const,
    )
  const saves = async (expected: string) => {
    await page.keyboard.press('Control+Enter')
    await field.waitFor({ state: 'detached' })
    await eventually(async () => {
      const { description } = await storedIn(scene)
      const html = description?.replaceAll(/ rel="[^"]*"|\u200b/g, '').replaceAll('\u00a0', ' ')
      assert.equal(html, expected)
    })
  }
  return { page, field, type, paste, saves }
}

test('Markdown is formatted while it is typed, and a pasted link is put on the selected words', async (t) => {
  const { page, field, type, paste, saves } = await openEmpty(t)
  await type('# Plan', 'Do **this** and `that` now', '**Soon** too', '- one', '[] two')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await type('1. first')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await type('```', 'a **b**', '  c', '```')
  await page.keyboard.press('Enter')
  await paste('https://plan.test/b')
  await field.getByRole('link', { name: 'https://plan.test/b' }).waitFor()
  await field.getByRole('heading', { name: 'Plan' }).dblclick({ position: { x: 12, y: 10 } })
  await paste('https://plan.test/a')
  await field.getByRole('link', { name: 'Plan', exact: true }).waitFor()
  await assertAccessible(page, 'Description with Markdown')
  await saves(
    '<h2><a href="https://plan.test/a">Plan</a></h2><p>Do <b>this</b> and <code>that</code> now</p><p><b>Soon</b> too</p><ul><li>one</li><li>☐ two</li></ul><ol><li>first</li></ol><pre>a **b**\n  c</pre><p><a href="https://plan.test/b">https://plan.test/b</a></p>',
  )
})

test('pasted text keeps its words, line breaks and indentation', async (t) => {
  const { page, field, paste, saves } = await openEmpty(t)
  const wide = '\u00a0'
  const pastes: [given: string, shown: string[]][] = [
    ['<div>alpha</div><div>beta</div>', ['alpha', 'beta']],
    ['<span style="display: block">a <q>b</q></span><span>c</span>', ['a “b”', 'c']],
    ['<i>one</i> line<br class="Apple-interchange-newline">', ['one line']],
    [
      '<meta charset="utf-8"><div style="color: #ccc; white-space: pre;"><div><span>if (a&lt;b) {</span></div><div><span>&#160;&#160;return c;</span></div><br><div><span>}</span></div></div>',
      ['if (a<b) {', `${wide}${wide}return c;`, '', '}'],
    ],
    [
      '<div dir="ltr">See you Monday.<div><br></div><div>Regards <img alt="👋" src="x"></div></div>',
      ['See you Monday.', '', 'Regards 👋'],
    ],
    [
      '<section><header>Head</header><article>Body <b>one</b></article></section><dl><dt>T</dt><dd>D</dd></dl><details><summary>S</summary>hidden words</details><label>Name</label><button>Go</button>',
      ['Head', 'Body one', 'T', 'D', 'S', 'hidden words', 'Name Go'],
    ],
    [
      '<p>is <math><mfrac><mn>1</mn><mn>2</mn></mfrac></math></p><form><input value="Ann"><input type="submit" value="Send"></form>',
      ['is 1 2', 'Ann Send'],
    ],
    ['<pre style="white-space: pre"><span>if a:\n\tb</span></pre>', ['if a:', '\tb']],
    [
      '<span style="white-space: pre-wrap;">two  spaces\n\ta tab</span><style>p {}</style>',
      [`two${wide}${wide}spaces`, `${wide.repeat(4)}a tab`],
    ],
  ]
  const shows = (lines: string[]) =>
    eventually(async () => {
      const shown = await field.evaluate(({ innerHTML }) => {
        const text = document.createElement('p')
        text.innerHTML = innerHTML
          .replace(/(?:<br>)?<\/(?:p|div|li)>(?:<\/li>)?|<br>/g, '\n$&')
          .replace(/\u200b/g, '')
        return text.textContent
      })
      assert.deepEqual(shown?.trimEnd().split('\n'), lines)
    })
  for (const [html, lines] of pastes) {
    await page.keyboard.press('Control+a')
    await paste(html, 'text/html')
    await shows(lines)
  }
  await page.keyboard.press('Control+a')
  await paste('for x:\r\n    if a:\r\n\tTab\there')
  await shows(['for x:', `${wide.repeat(4)}if a:`, `${wide.repeat(4)}Tab${wide.repeat(4)}here`])
  await page.keyboard.press('Control+a')
  await paste('<div>alpha</div><div>beta</div><ul><li><div>a</div><div>b</div></li></ul>', 'text/html')
  await shows(['alpha', 'beta', 'a', 'b'])
  await saves('<p>alpha</p><p>beta</p><ul><li>a<br />b</li></ul>')
})

test('indented text that is pasted into an empty description stays as it is; what is formatted later keeps its spaces', async (t) => {
  const { page, field, paste, saves } = await openEmpty(t)
  const code = 'if (a<b && c>d) {\r\n\treturn "AT&T" // &lt;\r\n}'
  await paste(code)
  await saves(code)
  await page.getByRole('button', { name: 'Edit the description' }).click()
  await field.waitFor()
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Control+b')
  await saves(
    '<p><b>if (a&lt;b &amp;&amp; c&gt;d) {</b></p><p><b>    return "AT&amp;T" // &amp;lt;</b></p><p><b>}</b></p>',
  )
})

test('a table is typed or inserted; Tab leads through its cells and adds a row', async (t) => {
  const { page, field, type, saves } = await openEmpty(t)
  await type('| Name | Price |', 'Tea')
  for (const text of ['3', 'Milk', '2']) {
    await page.keyboard.press('Tab')
    await type(text)
  }
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Shift+Tab')
  await type('1')
  assert.equal(await field.getByRole('cell').count(), 4)
  await assertAccessible(page, 'Table in the editor')
  await saves(
    '<table><thead><tr><th>Name</th><th>Price</th></tr></thead><tbody><tr><td>Tea</td><td>13</td></tr><tr><td>Milk</td><td>2</td></tr></tbody></table>',
  )
  await page.getByRole('button', { name: 'Edit the description' }).click()
  await page.getByRole('button', { name: 'Table' }).click()
  await type('Next')
  await page.getByRole('columnheader', { name: 'Next' }).waitFor()
})
