import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import test from 'node:test'
import { searchStatement } from '#boards/card/searching.ts'
import { connect } from '#database/connect.ts'
import { migrate } from '#database/migrate.ts'
import { createBoard } from '#tests/board.ts'
import { effort } from '#tests/effort.ts'
import { fc } from '#tests/random.ts'
import { startTestService } from '#tests/service.ts'
import { allowedElements } from '#text/allowed-html.ts'

const service = await startTestService()
const base = '/services/operations/v1/operations'

type Scene = Awaited<ReturnType<typeof createBoard>>

const titles = ({ cards }: { cards: { title: string }[] }) => cards.map(({ title }) => title)

const addCard = async ({ member, groupIds }: Scene, title: string, rest: object = {}) =>
  (await member.call(`${base}/cards/create`, { title, group_id: groupIds[0] as number, ...rest })).card.id

async function addCards(scene: Scene, ...wanted: (string | [title: string, description: string])[]) {
  for (const card of wanted) {
    const [title, description] = typeof card === 'string' ? [card] : card
    await addCard(scene, title, description === undefined ? {} : { description })
  }
}

const search = ({ member }: Scene, query: string, rest: object = {}) =>
  member.call(`${base}/cards/search`, { query, ...rest })

const marked = (parts: { text: string; is_match: boolean }[]) =>
  parts.map(({ text, is_match }) => (is_match ? `[${text}]` : text)).join('')

test('200 cards that have every word, by its beginning, in title or description, whatever case and accents', async () => {
  const scene = await createBoard(service)
  await addCards(
    scene,
    ['Paint the red door', '<p>before winter</p>'],
    'Red roses',
    'Order 100 % red paint',
    'İstanbul "by night" \\ 1',
    'Crème brûlée',
  )
  const found = async (query: string) => titles(await search(scene, query))
  assert.deepEqual(await found('RED paint'), ['Order 100 % red paint', 'Paint the red door'])
  assert.deepEqual(await found('win re'), ['Paint the red door'])
  for (const query of ['İstanbul', 'istanbul', '"BY', 'night\\'])
    assert.equal((await found(query)).length, 1, query)
  for (const query of ['creme', 'CRÈME BRULEE', 'cre\u0300me'])
    assert.deepEqual(await found(query), ['Crème brûlée'], query)
  for (const query of ['redd', 'red unpaint', '_', '…', '🚀']) assert.deepEqual(await found(query), [], query)
})

test('200 titles that begin with the query first, then whole words in titles, beginnings, parts of words, and the rest', async () => {
  const scene = await createBoard(service)
  await addCards(
    scene,
    'Art director',
    'Modern art',
    'Modern article',
    'Start',
    ['Nothing in the title', 'but art in the description'],
    'Another art director',
    'A cart',
    'Article of the day',
  )
  assert.deepEqual(titles(await search(scene, 'art')), [
    'Article of the day',
    'Art director',
    'Another art director',
    'Modern art',
    'Modern article',
    'A cart',
    'Start',
    'Nothing in the title',
  ])
})

test('200 German, Japanese, Chinese, Arabic, Hindi and Korean, parts of words in titles among them', async () => {
  const scene = await createBoard(service)
  await addCards(
    scene,
    'Schlussrechnung für Müller',
    'Größe der Straße',
    ['新製品発表会の準備', '会場を予約してください'],
    '订单确认',
    'مرحبا بالعالم',
    'कार्ड बनाना',
    '프로젝트 시작',
  )
  for (const [query, title] of [
    ['rechnung', 'Schlussrechnung für Müller'],
    ['muller', 'Schlussrechnung für Müller'],
    ['GROSSE', 'Größe der Straße'],
    ['straße', 'Größe der Straße'],
    ['発表', '新製品発表会の準備'],
    ['予約', '新製品発表会の準備'],
    ['确认', '订单确认'],
    ['بالعا', 'مرحبا بالعالم'],
    ['कार्', 'कार्ड बनाना'],
    ['프로', '프로젝트 시작'],
  ] as const)
    assert.deepEqual(titles(await search(scene, query)), [title], query)
})

test('200 with highlighted matches in title and snippet, as plain text, and without the description', async () => {
  const scene = await createBoard(service)
  const description = `<p>${'Much comes before it. '.repeat(30)}</p><ul><li>Then the <b>launch</b> &amp; a party</li></ul><p>x &lt;img src=x&gt;</p>`
  const id = await addCard(scene, 'Relaunch', { description })
  await scene.member.call(`${base}/cards/update`, { id, short_description: 'A short word about it' })
  const [found] = (await search(scene, 'launch')).cards
  assert.equal(marked(found?.title_parts ?? []), 'Re[launch]')
  assert.match(marked(found?.snippet ?? []), /^… .* Then the \[launch\] & a party x <img src=x>$/)
  assert.deepEqual(
    Object.keys(found ?? {}).filter((key) => key.includes('description')),
    [],
  )
  assert.deepEqual([found?.board_title, found?.group_title], ['Board', 'To do'])
  assert.equal(
    marked((await search(scene, 'short')).cards[0]?.snippet ?? []).slice(0, 23),
    'A [short] word about it',
  )
})

test('200 the snippet is of one text: no words twice, and a short description is never HTML', async () => {
  const scene = await createBoard(service)
  const addWithShort = async (title: string, description: string, short_description: string) => {
    const id = await addCard(scene, title, { description })
    await scene.member.call(`${base}/cards/update`, { id, short_description })
  }
  await addWithShort('Twice', '<p>Ship the boxes</p>', 'Ship the boxes')
  await addWithShort('Literal', '<p>Ship</p>', 'write <b>bold</b>')
  await addCard(scene, 'Bare')
  await addCard(scene, 'Long', { description: `${'It started well. '.repeat(2000)}Some art at the very end` })
  const snippet = async (query: string) => marked((await search(scene, query)).cards[0]?.snippet ?? [])
  assert.equal(await snippet('boxes'), 'Ship the [boxes]')
  assert.equal(await snippet('bold'), 'write <b>[bold]</b>')
  assert.equal(await snippet('literal'), 'write <b>bold</b>')
  assert.equal(await snippet('literal ship'), '[Ship]')
  assert.equal(await snippet('bare'), '')
  assert.match(await snippet('art'), /^… .*well\. Some \[art\] at the very end$/)
  assert.match(await snippet('long'), /^It started well\. /)
})

test('200 a title with the query as it is written before one that only has its words', async () => {
  const scene = await createBoard(service)
  await addCards(scene, 'New AT&T contract', 'Meet at T junction', 'AT&T')
  assert.deepEqual(titles(await search(scene, 'at&t')), ['AT&T', 'New AT&T contract', 'Meet at T junction'])
})

test('200 emoji and punctuation in titles, and titles with the query as it is written first', async () => {
  const scene = await createBoard(service)
  await addCards(
    scene,
    'Launch 🚀',
    'We ❤️ our customers',
    ['Learn C++, then rest', 'Templates => generics'],
    'Cart',
    'Fix #42 (again)',
    '421 reasons',
    'Use <b> for bold',
    'a => b, 100 %',
    'snake_case \\o/',
    'Nothing else',
  )
  const found = async (query: string) => titles(await search(scene, query))
  for (const [query, title] of [
    ['🚀', 'Launch 🚀'],
    ['🚀 launch', 'Launch 🚀'],
    ['❤', 'We ❤️ our customers'],
    ['❤️', 'We ❤️ our customers'],
    ['=>', 'a => b, 100 %'],
    ['% =>', 'a => b, 100 %'],
    ['%', 'a => b, 100 %'],
    ['_', 'snake_case \\o/'],
    ['\\', 'snake_case \\o/'],
    ['<b>', 'Use <b> for bold'],
  ] as const)
    assert.deepEqual(await found(query), [title], query)
  assert.deepEqual((await found('C++'))[0], 'Learn C++, then rest')
  assert.deepEqual((await found('<B>'))[0], 'Use <b> for bold')
  assert.deepEqual(await found('#42'), ['Fix #42 (again)', '421 reasons'])
  for (const query of ['🛸', '\u0301', '😀 🚀']) assert.deepEqual(await found(query), [], query)
  // Nothing of it can be seen, so it is an empty query, which finds all cards.
  assert.deepEqual(await found('\ufe0f'), await found(' '))
  const shown = async (query: string) => marked((await search(scene, query)).cards[0]?.title_parts ?? [])
  assert.equal(await shown('c++'), 'Learn [C++], then rest')
  assert.equal(await shown('🚀'), 'Launch [🚀]')
  assert.equal(await shown('_'), 'snake[_]case \\o/')
  assert.equal(marked((await search(scene, 'rest')).cards[0]?.snippet ?? []), 'Templates => generics')
})

test('200 tags, attributes and entities of a description are not words, and what looks like one is', async () => {
  const scene = await createBoard(service)
  await addCards(
    scene,
    ['HTML', '<p>Read <a href="https://shop.example/cart">this</a> &amp; that</p>'],
    ['Plain', 'if a < b and c > d, mail to ada@shop.example/x_y-z'],
    ['Literal', 'write &lt;b or u<v>w for bold'],
  )
  const [literal] = (await search(scene, 'bold')).cards
  assert.equal(marked(literal?.snippet ?? []), 'write &lt;b or u<v>w for [bold]')
  for (const query of ['href', 'cart', 'noopener', 'amp'])
    assert.deepEqual(titles(await search(scene, query)), [], query)
  for (const query of ['and', 'ada', 'shop', 'x', 'y', 'ada@shop.example'])
    assert.deepEqual(titles(await search(scene, query)), ['Plain'], query)
})

/** Words in angle brackets that are no tags of HTML, and a query for each. */
const bracketed = 'deploy <hostname> to </mnt> &amp; as <app id="9z">, see List<string> and <a1>'
const inBrackets = ['hostname', '<hostname>', 'mnt', 'app', '9z', 'string', 'a1', 'to mnt as', '<a1']

test('200 words in angle brackets of a plain description, and in HTML that shows them', async () => {
  const scene = await createBoard(service)
  await addCards(scene, ['HTML', `<p>${bracketed}</p>`], ['Plain', bracketed])
  for (const query of inBrackets)
    assert.deepEqual(titles(await search(scene, query)), ['Plain', 'HTML'], query)
})

test('no tag that a description may have is a word', async () => {
  const tags = allowedElements.map((name) => `<${name}> <${name} value="1"></${name}><${name} />`).join('')
  const [row] = await service.db.run<{ words: string }>('select search_words($1) as words', [tags])
  assert.equal(row?.words.trim(), '')
})

test('200 words in angle brackets of descriptions from before they were found', async () => {
  const { db } = service
  const folder = path.join(import.meta.dirname, '../../../../../../database/migrations')
  const first = await readFile(path.join(folder, '0011_search.sql'), 'utf8')
  const [before = ''] = /create function search_words.*?\nend \$\$;/s.exec(first) ?? []
  await db.sql.unsafe(before.replace('create', 'create or replace'))
  const scene = await createBoard(service)
  await addCards(scene, ['Plain', bracketed], ['Other', 'Read <b>this</b> if a<b then c'])
  await db.sql`delete from schema_migrations where name ~ '^0170'`
  const changed = () =>
    db.sql`select title, updated_at, words from cards where project_id = ${scene.projectId} order by id`
  const [, other] = await changed()
  assert.deepEqual(await migrate(db), ['0170_words_in_angle_brackets.sql'])
  assert.deepEqual((await changed())[1], other)
  for (const query of inBrackets) assert.deepEqual(titles(await search(scene, query)), ['Plain'], query)
})

test('200 the open cards of the caller, earliest due first', async () => {
  const { member, members, cardIds } = await createBoard(service, { cards: 6 })
  const [later, closed, dismissed, soon, undated, newest] = cardIds as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  const owner_id = members.member.id
  const update = (id: number, change: object) =>
    member.call(`${base}/cards/update`, { id, owner_id, ...change })
  await update(later, { due_date: '2031-01-01' })
  await update(closed, { status: 'closed' })
  await update(dismissed, { is_active: false })
  await update(soon, { due_date: '2030-01-01' })
  await update(undated, {})
  await update(newest, {})
  const ids = async (input: object) =>
    (await member.call(`${base}/cards/search`, input)).cards.map(({ id }) => id)
  assert.deepEqual(await ids({ is_mine: true, is_open: true }), [soon, later, newest, undated])
  assert.deepEqual(await ids({ is_mine: true, is_open: false }), [dismissed, closed])
  assert.deepEqual(await ids({ is_mine: true, is_open: true, query: 'card 5' }), [undated])
  assert.deepEqual(await ids({ query: 'card', limit: 2 }), [newest, undated])
  const first = await member.call(`${base}/cards/search`, { is_mine: true, is_open: true, limit: 2 })
  assert.deepEqual(await ids({ is_mine: true, is_open: true, cursor: first.next_cursor }), [newest, undated])
})

test('200 in pages, by relevance or newest first, without deleted cards and cards of deleted boards', async () => {
  const scene = await createBoard(service, { cards: 5 })
  const { member, admin, cardIds, boardId } = scene
  await addCards(scene, ['Other', 'a card in its description'])
  const other = (await search(scene, 'other')).cards[0]?.id
  await member.call(`${base}/cards/delete`, { id: cardIds[2] as number })
  const pages = async (input: object) => {
    const first = await member.call(`${base}/cards/search`, { ...input, limit: 3 })
    const rest = await member.call(`${base}/cards/search`, { ...input, limit: 3, cursor: first.next_cursor })
    assert.equal(rest.next_cursor, null)
    return [first.cards, rest.cards].map((cards) => cards.map(({ id }) => id))
  }
  const [one, two, , four, five] = cardIds
  assert.deepEqual(await pages({}), [
    [other, five, four],
    [two, one],
  ])
  assert.deepEqual(await pages({ query: 'card' }), [
    [five, four, two],
    [one, other],
  ])
  await admin.call(`${base}/boards/delete`, { id: boardId })
  assert.deepEqual((await member.call(`${base}/cards/search`)).cards, [])
  assert.deepEqual((await search(scene, 'card')).cards, [])
})

test('200 a changed card is found by its new words and not by its old ones', async () => {
  const scene = await createBoard(service)
  const id = await addCard(scene, 'Old words')
  await scene.member.call(`${base}/cards/update`, { id, title: 'New ones', short_description: 'in brief' })
  assert.deepEqual(titles(await search(scene, 'words')), [])
  assert.deepEqual(titles(await search(scene, 'brief new')), ['New ones'])
})

test('403 in another project, 422 for an invalid cursor', async () => {
  const { members } = await createBoard(service)
  const { projectId } = await createBoard(service)
  const client = service.client(members.member.token, { 'x-project-id': String(projectId) })
  assert.equal((await client.attempt(`${base}/cards/search`)).status, 403)
  const own = service.client(members.member.token)
  for (const cursor of ['x', '1', '1.', '1.99999999999999999'])
    assert.equal((await own.attempt(`${base}/cards/search`, { cursor })).status, 422, cursor)
})

test('200 whatever is searched for, and 422 for NUL', async () => {
  const scene = await createBoard(service, { cards: 1 })
  const hostile = [
    ':*&|!<->()'.repeat(25),
    "'a':* | !b <-> (c)",
    "\\' ' '' \\\\ '",
    'word '.repeat(50),
    Array.from({ length: 120 }, (_, number) => number)
      .join(' ')
      .slice(0, 255),
    'x'.repeat(255),
    '語'.repeat(255),
    '\ufdfa'.repeat(255),
    '%_\\%'.repeat(60),
    '~/'.repeat(127),
    'a_'.repeat(127),
    '\u0301'.repeat(255),
    '<b x="',
  ]
  for (const query of hostile)
    assert.equal((await scene.member.attempt(`${base}/cards/search`, { query })).status, 200, query)
  assert.equal((await scene.member.attempt(`${base}/cards/search`, { query: 'a\0b' })).status, 422)
})

test('201 for a description of any 65,535 characters, and its last word is found', async () => {
  const scene = await createBoard(service)
  const numbers = Array.from({ length: 10_900 }, (_, number) => number + 10_000).join(' ')
  const texts = {
    'different words': `${numbers} last1`,
    'one word': `${'x'.repeat(65_000)} last2`,
    'Chinese characters': `${Array.from({ length: 16_000 }, (_, at) => String.fromCharCode(0x4e00 + at)).join('')} last3`,
    'a character that stands for eighteen': `last4 ${'\ufdfa'.repeat(20_000)}`,
    'what PostgreSQL parses for minutes': `${'~/a_'.repeat(16_000)} last5`,
    quotes: `${'\'"\\:'.repeat(16_000)} last6`,
    'marks that PostgreSQL sorts for a minute': `last7 a${'\u0301\u0316'.repeat(32_000)}`,
  }
  for (const [title, description] of Object.entries(texts)) await addCard(scene, title, { description })
  for (const [index, title] of Object.keys(texts).entries())
    assert.deepEqual(titles(await search(scene, `last${index + 1}`)), [title])
})

test('any text has words, and is found by each of its own', async () => {
  const piece = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      "'",
      '\\',
      ':',
      '<b>',
      '&amp;',
      'x'.repeat(3000),
      '語',
      'é',
      '\ufdfa',
      ' ',
      'A1',
      '\u3000',
      '\u1680',
    ),
  )
  const texts = fc.sample(
    fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('').replaceAll('\0', '')),
    { numRuns: 1000 * effort },
  )
  const [row] = await service.db.run<{ all_words: number; unfound: number }>(
    `select count(word) as all_words,
       count(*) filter (where not search_words(text)::tsvector @@ (quote_literal(word) || ':*')::tsquery) as unfound
     from json_array_elements_text($1::text::json) text, unnest(tsvector_to_array(search_words(text)::tsvector)) word`,
    [JSON.stringify(texts)],
  )
  assert.ok(Number(row?.all_words) > 1000)
  assert.equal(row?.unfound, 0)
})

/** Cards with descriptions of 60,000 characters. */
async function addLargeCards({ projectId, boardId, groupIds }: Scene, count: number) {
  await service.db.transaction(async ({ sql }) => {
    await sql`set local statement_timeout = 0`
    await sql`
    insert into cards (project_id, board_id, group_id, title, description, sort_order)
    select ${projectId}, ${boardId}, ${groupIds[0] as number}, 'Large ' || number,
      left(repeat('alpha beta gamma delta epsilon word' || number || ' ', 1500), 60000), number
    from generate_series(1, ${count}::int) number`
  })
}

/** As many as a project may hold take a third of a minute. */
const largeCards = effort === 1 ? 250 : 1450

test(`200 and 429: of 12 searches at once over ${largeCards} cards of 60,000 characters each finds all of its page or is refused`, async () => {
  const scene = await createBoard(service)
  await addLargeCards(scene, largeCards)
  const viewer = service.client(scene.members.viewer.token)
  const answers = await Promise.all(
    Array.from({ length: 12 }, () =>
      viewer.attempt(`${base}/cards/search`, { query: 'alpha gam', limit: 200 }),
    ),
  )
  const served = answers.filter(({ status }) => status === 200)
  const refused = answers.filter(({ status }) => status === 429)
  assert.equal(served.length + refused.length, 12)
  assert.deepEqual(
    served.map((answer) => (answer.ok ? answer.data.cards.length : 0)),
    served.map(() => 200),
  )
  assert.ok(served.length >= 1)
  assert.ok(JSON.stringify(served[0]).length < 300_000)
  for (const answer of refused) assert.equal(answer.ok ? undefined : answer.retryAfterSeconds, 2)
  assert.deepEqual(titles(await search(scene, `word${largeCards - 1}`)), [`Large ${largeCards - 1}`])
})

test('422 and 429 for slow searches, while other calls are answered', async () => {
  const scene = await createBoard(service, { cards: 1 })
  const other = await createBoard(service)
  const viewer = service.client(scene.members.viewer.token)
  const locking = connect(service.address, { connections: 1 })
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const { promise: locked, resolve: lock } = Promise.withResolvers<void>()
  const held = locking.transaction(async ({ sql }) => {
    await sql`lock table cards in access exclusive mode`
    lock()
    await released
  })
  await locked
  let ended = 0
  const searches = Array.from({ length: 12 }, () =>
    viewer.attempt(`${base}/cards/search`, { query: 'card' }).finally(() => ended++),
  )
  // The searches that were let in wait for the lock, and every other call finds a connection.
  for (let call = 0; call < 20; call++) assert.ok(await other.member.call(`${base}/tags/list`))
  assert.ok(ended < 12)
  const answers = await Promise.all(searches)
  release()
  await held
  await locking.end()
  const count = (wanted: number) => answers.filter(({ status }) => status === wanted).length
  assert.equal(count(422) + count(429), 12)
  assert.ok(count(422) >= 2)
  assert.ok(count(429) >= 4)
  const tooLong = answers.find(({ status }) => status === 422)
  assert.deepEqual(tooLong?.ok === false && tooLong.errors, {
    query: ['This search takes too long. Try more or longer words.'],
  })
  assert.equal((await search(scene, 'card')).cards.length, 1)
})

interface Plan {
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
}

test('200 only the words of its own project are read', async () => {
  const scene = await createBoard(service, { cards: 3 })
  await addLargeCards(await createBoard(service), 50)
  const explain = (projectId: number) =>
    service.db.transaction(async ({ sql }) => {
      await sql`set local enable_seqscan = off`
      const [row] = await sql.unsafe<[{ 'QUERY PLAN': [{ Plan: Plan }] }]>(
        `explain (analyze, buffers, format json) ${searchStatement(false)}`,
        [projectId, null, null, null, null, 50, null, JSON.stringify(['nowhere']), 'nowhere', null],
      )
      const [{ Plan: plan }] = row['QUERY PLAN']
      return plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
    })
  assert.ok((await explain(scene.projectId)) < 40)
})
