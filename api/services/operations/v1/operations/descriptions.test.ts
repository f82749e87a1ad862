// What is sent as a description, and what comes back: plain text as it was, HTML with all of its words.
import assert from 'node:assert/strict'
import test from 'node:test'
import { createBoard } from '#tests/board.ts'
import { createMaster } from '#tests/master.ts'
import { sender } from '#tests/post.ts'
import { startTestService } from '#tests/service.ts'

const operations = '/services/operations/v1/operations'
const masters = '/services/operations/v1/admin'
const service = await startTestService()
const { members, admin, member, boardId, groupIds } = await createBoard(service)
const v1 = sender(service, members.member.token, operations)
const v2 = sender(service, members.member.token, operations.replace('v1', 'v2'))

const texts = [
  ['if a<b then c', 'text'],
  ['mail <bob@x.test> today', 'text'],
  ['if (a<b && c>d) return;', 'text'],
  ['AT&T', 'text'],
  ['one\r\ntwo\n\tthree  four', 'text'],
  ['&lt;b&gt; is not <b', 'text'],
  [
    '<table><tr><td>1</td><td>2</td></tr></table>',
    'html',
    '<table><tbody><tr><td>1</td><td>2</td></tr></tbody></table>',
  ],
  ['<div>a</div><div>b</div>', 'html', 'a<br />b'],
  ['<p>mail <bob@x.test> if a<b</p>', 'html', '<p>mail &lt;bob@x.test&gt; if a&lt;b</p>'],
  ['x <y onclick=alert(1)>z', 'html', '<p>x &lt;y onclick=alert(1)&gt;z</p>'],
] as const

for (const [given, format, stored = given] of texts)
  test(`201 and 200 ${JSON.stringify(given)} comes back from both versions, and sent again it stays`, async () => {
    const made = await v1('/cards/create', { title: 'x', description: given })
    assert.equal(made.status, 201)
    assert.equal(made.body.data.card.description, stored)
    assert.ok(!('description_format' in made.body.data.card))
    const { id, updated_at } = made.body.data.card
    const shown = (await v1('/cards/get', { id })).body.data.card
    assert.equal(shown.description, stored)
    assert.ok(!('description_format' in shown))
    const { card } = (await v2('/cards/get', { id })).body.data
    assert.deepEqual([card.description, card.description_format], [stored, format])
    const again = (await v2('/cards/update', { id, description: stored })).body.data.card
    assert.deepEqual([again.description, again.updated_at], [stored, updated_at])
  })

test('200 only v2 has the format of descriptions of groups, boards and templates', async () => {
  const master = await createMaster(service, { cards: 1 })
  const description = 'a<b'
  await admin.call(`${operations}/boards/update`, { id: boardId, description })
  await admin.call(`${operations}/groups/update`, { id: groupIds[0] as number, description: '<p>a&lt;b</p>' })
  await master.admin.call(`${masters}/master-boards/update`, { id: master.boardId, description })
  await master.admin.call(`${masters}/master-groups/update`, { id: master.groupIds[0], description })
  await master.admin.call(`${masters}/master-cards/update`, { id: master.cardIds[0] as number, description })
  const { board } = await member.call(`${operations}/boards/get`, { id: boardId })
  assert.deepEqual([board.description, board.description_format], [description, 'text'])
  assert.deepEqual(
    [board.groups[0]?.description, board.groups[0]?.description_format],
    ['<p>a&lt;b</p>', 'html'],
  )
  const whole = await master.whole()
  for (const thing of [whole, whole.groups[0], whole.groups[0]?.cards[0]])
    assert.deepEqual([thing?.description, thing?.description_format], [description, 'text'])
  const texts = [
    (await v1('/boards/get', { id: boardId })).text,
    (await v1('/boards/list', {})).text,
    (await v1('/cards/search', { query: 'x' })).text,
    (await sender(service, master.superadmin.token, masters)('/master-boards/get', { id: master.boardId }))
      .text,
    (await sender(service, master.superadmin.token, masters)('/master-boards/list', {})).text,
    (await sender(service, master.superadmin.token, masters)('/master-cards/get', { id: master.cardIds[0] }))
      .text,
  ]
  for (const text of texts) assert.doesNotMatch(text, /description_format/)
})

const word = 'words '
const listed = [
  [`${word.repeat(166)}last`, 'text', `${word.repeat(166)}last`],
  [`<p>${'a'.repeat(993)}</p>`, 'html', `<p>${'a'.repeat(993)}</p>`],
  [`${word.repeat(166)}last!`, 'text', `${word.repeat(31)}…`],
  [`<p>${word.repeat(10_000)}</p>`, 'html', `<p>${word.repeat(31)}…</p>`],
  [
    `<p>&lt;img src=x onerror=alert(1)&gt; ${'x'.repeat(1100)}</p>`,
    'html',
    /^<p>&lt;img src=x onerror=alert\(1\)&gt; x+ …<\/p>$/,
  ],
  [
    `<p><a href="https://x.test/${'a'.repeat(1100)}" rel="noopener nofollow">link</a></p>`,
    'html',
    '<p>…</p>',
  ],
  ['😀'.repeat(1000), 'text', '😀'.repeat(1000)],
] as const

for (const [description, format, shown] of listed)
  test(`200 lists show a description of ${[...description].length} characters, or its beginning`, async () => {
    const master = await createMaster(service)
    await admin.call(`${operations}/boards/update`, { id: boardId, description })
    await master.admin.call(`${masters}/master-boards/update`, { id: master.boardId, description })
    const { boards } = await member.call(`${operations}/boards/list`)
    const templates = (await master.admin.call(`${masters}/master-boards/list`)).boards
    for (const board of [
      boards.find(({ id }) => id === boardId),
      templates.find(({ id }) => id === master.boardId),
    ]) {
      assert.equal(board?.description_format, format)
      assert.match(
        board.description ?? '',
        typeof shown === 'string' ? new RegExp(`^${RegExp.escape(shown)}$`) : shown,
      )
    }
  })

test('200 text that contains the field name stays in v1', async () => {
  const title = 'x","description_format":"text","y'
  const { card } = await member.call(`${operations}/cards/create`, {
    title,
    description: `,"description_format":"html"`,
  })
  const { body } = await v1('/boards/get', { id: boardId })
  const cards = JSON.parse(body.data.board).groups.flatMap(({ cards }: { cards: object[] }) => cards)
  const found = cards.find(({ id }: { id: number }) => id === card.id)
  assert.deepEqual([found.title, found.description], [title, ',"description_format":"html"'])
  assert.ok(!('description_format' in found))
})

test('422 for control characters in any text, except tabs and line breaks', async () => {
  const { status, body } = await v1('/cards/create', {
    title: 'a\u000c',
    description: 'b\u001b[0m',
    status: '\u000bc',
  })
  const sentence = (field: string, code: string) => [
    `The ${field} field contains a control character (${code}) that cannot be stored.`,
  ]
  assert.equal(status, 422)
  assert.deepEqual(body.errors, {
    title: sentence('title', 'U+000C'),
    description: sentence('description', 'U+001B'),
    status: sentence('status', 'U+000B'),
  })
  const text = 'tab\tline\r\nbreak\n\u007f\u0085\u009fend'
  const { card } = await member.call(`${operations}/cards/create`, { title: 'x', description: text })
  assert.equal(card.description, text)
})

test('201 long HTML of one user does not delay that of another tenant', async () => {
  const quiet = await createBoard(service)
  const description = '<b><p>x</b>'.repeat(800)
  let served = 0
  const noisy = Array.from({ length: 60 }, async () => {
    const { status } = await v1('/cards/create', { title: 'x', description })
    if (status === 201) served++
    return status
  })
  await quiet.member.call(`${operations}/cards/create`, { title: 'x', description })
  assert.ok(served < 40, `${served} of 60 were served first`)
  // On a slow machine the last ones wait too long.
  for (const status of await Promise.all(noisy)) assert.ok(status === 201 || status === 429, `${status}`)
})
