// The old tables: every description is HTML, and there is no function that detects a format.
import assert from 'node:assert/strict'
import test from 'node:test'
import { migrate } from '#database/migrate.ts'
import { createBoard } from '#tests/board.ts'
import { cases } from '#tests/effort.ts'
import { createMaster, present } from '#tests/master.ts'
import { fc } from '#tests/random.ts'
import { startTestService } from '#tests/service.ts'
import { wildHtml } from '#tests/wild-html.ts'
import { readDescription } from '#text/description.ts'

const operations = '/services/operations/v1/operations'
const service = await startTestService()
const { sql } = service.db

/** What was stored, and what it becomes. */
const conversions = [
  ['AT&amp;T', 'text', 'AT&T'],
  ['if (a&lt;b &amp;&amp; c&gt;d)\n  return;', 'text', 'if (a<b && c>d)\n  return;'],
  ['an escape: &amp;lt;', 'text', 'an escape: &lt;'],
  ['two\nlines', 'text', 'two\nlines'],
  ['bell\u0007 &amp; whistle', 'text', 'bell & whistle'],
  ['write &lt;b&gt;x&lt;/b&gt;\nlike this', 'html', '<p>write &lt;b&gt;x&lt;/b&gt;<br />like this</p>'],
  ['&lt;img src=x onerror=alert(1)&gt;', 'html', '<p>&lt;img src=x onerror=alert(1)&gt;</p>'],
  ['<p>One &amp; <b>two</b></p>', 'html', '<p>One &amp; <b>two</b></p>'],
  [
    '<a href="/boards" rel="noopener nofollow">x</a>',
    'html',
    '<a href="/boards" rel="noopener nofollow">x</a>',
  ],
] as const

const becameOf = (stored: string) => present(conversions.find(([was]) => was === stored))

async function migrateAgain() {
  await sql`drop function description_format`
  await sql`delete from schema_migrations where name ~ '^(0010|0135)'`
  assert.deepEqual(await migrate(service.db), ['0010_descriptions.ts', '0135_numbered_lists.sql'])
}

test('local boards, groups and cards keep their meaning, their time and their history', async () => {
  const { member, projectId, boardId, groupIds, cardIds } = await createBoard(service, {
    cards: conversions.length,
  })
  for (const [index, [stored]] of conversions.entries()) {
    await sql`update boards set description = ${stored} where project_id = ${projectId} and id = ${boardId}`
    await sql`update groups set description = ${stored} where project_id = ${projectId} and id = ${groupIds[0] as number}`
    await sql`update cards set description = ${stored} where project_id = ${projectId} and id = ${cardIds[index] as number}`
  }
  const events = await sql`select from events`
  const [before] =
    await sql`select json_agg(updated_at order by id) as times from cards where project_id = ${projectId}`
  await migrateAgain()
  const [after] =
    await sql`select json_agg(updated_at order by id) as times from cards where project_id = ${projectId}`
  assert.deepEqual(after, before)
  assert.equal((await sql`select from events`).length, events.length)
  const { board } = await member.call(`${operations}/boards/get`, { id: boardId })
  assert.deepEqual(
    board.groups[0]?.cards.map(({ description, description_format }) => [description_format, description]),
    conversions.map(([, format, text]) => [format, text]),
  )
  const [, format, text] = present(conversions.at(-1))
  for (const thing of [board, present(board.groups[0])])
    assert.deepEqual([thing.description_format, thing.description], [format, text])
  assert.equal(board.groups[1]?.description, null)
  assert.equal(board.groups[1]?.description_format, 'text')
})

test('the same copies are customized as before, and a rollout changes nothing', async () => {
  const master = await createMaster(service, { projects: 2, cards: conversions.length })
  const stored = conversions.map(([was]) => was)
  for (const [index, text] of stored.entries()) {
    const id = master.cardIds[index] as number
    await sql`update master_cards set description = ${text} where id = ${id}`
    await sql`update master_card_revisions set description = ${text} where card_id = ${id}`
  }
  await sql`update master_board_revisions set description = 'R&amp;D' where board_id = ${master.boardId}`
  await sql`update master_group_revisions set description = 'R&amp;D' where board_id = ${master.boardId}`
  await master.sync()
  const [untouched, customized] = master.projects as [
    (typeof master.projects)[0],
    (typeof master.projects)[0],
  ]
  const own = 'our &amp; own'
  await sql`update cards set description = ${own} where project_id = ${customized.id} and master_card_id is not null`
  await migrateAgain()
  for (const [index, text] of stored.entries()) {
    const id = master.cardIds[index] as number
    for (const [project, fields, shown] of [
      [untouched, [], becameOf(text)[2]],
      [customized, ['description'], 'our & own'],
    ] as const) {
      const copy = present(await project.cardOf(id))
      const { provenance } = await project.client.call(`${operations}/cards/get`, { id: copy.id })
      assert.deepEqual(provenance?.changed_fields, fields)
      assert.equal(copy.description, shown)
    }
  }
  const board = await untouched.boardOf(master.boardId)
  assert.deepEqual([board.description, board.groups[0]?.description], ['R&D', 'R&D'])
  const events = await untouched.countEvents()
  await master.sync()
  assert.equal(await untouched.countEvents(), events)
})

test('SQL and the function agree on the format of a stored text', async () => {
  const tags = [
    '<b>',
    '</b>',
    '<td colspan="2">',
    '</td>',
    '<table>',
    '<tr>',
    '<a href="https://x.test">',
    '<br>',
    '<hr>',
    '<ol start="3">',
    '<li value="7">',
  ]
  const words = [
    'a<b',
    'c>d',
    ' ',
    '\n',
    '&amp;',
    '&lt;p&gt;',
    'x',
    '<bob@x.test>',
    '<b foo>',
    '<p',
    '<script>',
    '"',
    "'",
  ]
  const samples = fc.sample(
    fc.oneof(
      fc
        .array(fc.constantFrom(...tags, ...words, ...Object.values(wildHtml)), { maxLength: 8 })
        .map((parts) => parts.join('')),
      fc.string({ unit: fc.constantFrom(...'<>&"=/! abp\n'), maxLength: 40 }),
    ),
    { numRuns: cases(2000) },
  )
  const readings = samples.map((given) => readDescription(given)).filter((read) => 'text' in read)
  const rows = await sql<{ format: string }[]>`
    select description_format(reading->>'text') as format
    from json_array_elements(${JSON.stringify(readings)}::text::json) with ordinality as given (reading, place) order by place`
  assert.deepEqual(
    rows.map(({ format }, index) => ({ ...readings[index], format })),
    readings,
  )
})
