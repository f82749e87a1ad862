// Descriptions were HTML, all of them; from here on they are plain text or HTML (text/description.ts). What was escaped only to be
// HTML becomes plain text again. One function converts every table, so that copies stay equal to what their masters gave them.
import type { Queries } from '#database/connect.ts'
import { readDescription } from '#text/description.ts'
import { asHtml, withoutControls } from '#text/write-html.ts'

/**
 * A stored text is HTML exactly where it holds a tag as text/write-html.ts writes it. A board tells it of every card, so the end of a
 * tag is looked for first, which plain text has seldom: the expression alone took 70 ms for 3,000 cards.
 */
const formatFunction = `
  create function description_format(description text) returns text language sql immutable parallel safe
  return case when strpos(description, '</p>') > 0 then 'html'
    when (strpos(description, '</') > 0 or strpos(description, ' />') > 0) and description ~ ('<(b|blockquote|caption|code|del|em|h[1-4]|i|li|ol|p|pre|s|'
    'strong|sub|sup|table|tbody|tfoot|thead|tr|u|ul)>|<[bh]r />|<a( href="[^"<>]*")? rel="noopener nofollow">|'
    '<t[dh]( colspan="[0-9]+")?( rowspan="[0-9]+")?>') then 'html' else 'text' end`

const tables = [
  'boards',
  'groups',
  'cards',
  'master_boards',
  'master_groups',
  'master_cards',
  'master_board_revisions',
  'master_group_revisions',
  'master_card_revisions',
]

/** With 100 bytes for what each text brings along; they are in memory several times over. */
const bytesPerBatch = 4_000_000

export default async function convertDescriptions({ sql }: Queries): Promise<void> {
  await sql.unsafe(formatFunction)
  // Each text once, however many copies there are of it.
  const texts = tables.map(
    (table) => `select description from ${table} where description ~ E'[&<\\\\x01-\\\\x1f]'`,
  )
  await sql.unsafe(`
    create temporary table converted on commit drop as
    select row_number() over ()::integer as id, description as was, null::text as becomes,
      (sum(octet_length(description) + 100) over (rows unbounded preceding) / ${bytesPerBatch})::integer as batch
    from (${texts.join(' union ')}) distinct_texts`)
  await sql`create unique index on converted (id)`
  await sql`create index on converted (batch)`
  const [last] = await sql<{ batch: number | null }[]>`select max(batch) as batch from converted`
  for (let batch = 0; batch <= (last?.batch ?? -1); batch++) {
    const rows = await sql<
      { id: number; was: string }[]
    >`select id, was from converted where batch = ${batch}`
    const converted = rows.map(({ id, was }) => ({ id, becomes: convert(was) }))
    await sql`
      update converted set becomes = nullif(changed.becomes, '')
      from json_to_recordset(${JSON.stringify(converted)}::text::json) as changed (id integer, becomes text) where converted.id = changed.id`
  }
  await sql`delete from converted where becomes = was`
  await sql`analyze converted`
  for (const table of tables)
    await sql`
      update ${sql(table)} as things set description = converted.becomes from converted where things.description = converted.was`
}

/** Without a tag it was plain text, escaped; what would be taken for a tag now stays HTML that shows the same. */
function convert(stored: string): string {
  if (/<[a-z]/i.test(stored)) {
    const read = readDescription(stored)
    return 'text' in read ? read.text : stored
  }
  const plain = withoutControls(
    stored.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&'),
  ).trim()
  const read = readDescription(plain)
  const isPlain = 'text' in read && read.format === 'text' && read.text === plain
  return isPlain || plain === '' ? plain : asHtml(plain)
}
