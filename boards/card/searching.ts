// Finds cards of a project by words or owner, for cards/search.
import { flag, integer, list, nullable, oneOf, onlyInV2, record, text, timestamp } from '#contract/schema.ts'
import { codeOf, type Database, queryCanceled } from '#database/connect.ts'
import { shownAuthor } from '#events/shown-name.ts'
import { excerpt, markWords } from '#text/excerpt.ts'
import { hasAccess } from '../board/board.ts'
import { isOnBoard } from '../group/archiving.ts'
import { type Card, cardOrigin, cardType, dueIsDate } from './card.ts'
import { isOpen, isOverdue } from './closing.ts'
import { priorities } from './priorities.ts'

const part = record({
  text: text({ about: 'Plain text.' }),
  is_match: flag({ about: 'True if the query matches it.' }),
})

/** A card in lists across boards, without its long texts. */
export const foundCard = record({
  id: integer(),
  project_id: integer(),
  board_id: integer({ about: 'The board that shows it.' }),
  board_title: text({ about: 'The title of that board.' }),
  group_id: integer({ about: 'The group that shows it.' }),
  group_title: text({ about: 'The title of that group.' }),
  owner_id: nullable(integer()),
  tag_id: nullable(integer()),
  title: text(),
  title_parts: list(part, { about: 'The title in parts, with what matches the query; empty without one.' }),
  snippet: list(part, {
    about: 'The text around the first match in the descriptions, in parts; empty without a query.',
  }),
  status: text(),
  priority: oneOf(priorities),
  is_active: flag(),
  is_overdue: flag(),
  due_date: nullable(timestamp()),
  due_is_date: onlyInV2(dueIsDate),
  snoozed_until: nullable(timestamp()),
  created_at: timestamp(),
  updated_at: timestamp(),
  card_type: onlyInV2(cardOrigin),
  board_icon: onlyInV2(nullable(text({ about: 'The icon of the board.' }))),
  board_color: onlyInV2(nullable(text({ about: 'The color of the board.' }))),
  group_icon: onlyInV2(nullable(text({ about: 'The icon of the group.' }))),
  group_color: onlyInV2(nullable(text({ about: 'The color of the group.' }))),
  created_by: onlyInV2(nullable(integer({ about: 'Who created it.' }))),
  comments_count: onlyInV2(
    integer({ about: 'How many comments the card has; the filter "Has comments" uses it.' }),
  ),
})

type FoundCard = (typeof foundCard)['static']

/** The row in the database; matches in its texts are found afterwards. */
export type CardRow = Ranked<Omit<FoundCard, 'title_parts' | 'snippet'>>

export interface Wanted {
  projectId: number
  /** Null for all owners. */
  ownerId: number | null
  isOpen: boolean | null
  /** Null for all types. */
  cardType: Card['card_type'] | null
  after: { rank: number; id: number } | null
  limit: number
}

/** The list is ordered by `rank`, highest first, then by id. */
type Ranked<Row> = Row & { rank: number }

/** The active boards of the project $1 that it has access to. */
export const boardsShown = `array(
  select b.id from boards b join projects p on p.id = b.project_id
  where b.project_id = $1 and b.deleted_at is null and b.is_active and ${hasAccess})`

/** `c` is the card; $1 project, $2 owner, $3 whether open, $4 and $5 rank and id of the last card of the page before, $6 how many, $7 type. */
const pageOf = ({ from = '', rank, isWanted }: { from?: string; rank: string; isWanted: string }) => `
  page as materialized (
    select c.id, ${rank} as rank from cards c ${from}
    where c.project_id = $1 and c.deleted_at is null and ${isOnBoard('c')} and ${isWanted}
      and c.board_id = any(${boardsShown})
      and ($3::boolean is null or ${isOpen('c')} = $3)
      and ($7::text is null or ${cardType} = $7)
      and ($4::bigint is null or (${rank}, c.id) < ($4, $5::bigint))
    order by 2 desc, 1 desc limit $6)`

export const foundColumns = `page.rank, c.id, c.project_id, c.board_id, b.title as board_title, c.group_id, g.title as group_title,
  c.owner_id, c.tag_id, ${shownAuthor('$1', 'c.created_by')} as created_by, c.title, c.status, c.priority, c.is_active,
  ${isOverdue('c')} as is_overdue,
  wire_time(c.due_date) as due_date, c.due_is_date, wire_time(c.snoozed_until) as snoozed_until,
  wire_time(c.created_at) as created_at, wire_time(c.updated_at) as updated_at,
  ${cardType} as card_type, b.icon as board_icon, b.color as board_color, g.icon as group_icon, g.color as group_color,
  (select count(*) from comments m where m.project_id = $1 and m.card_id = c.id and m.deleted_at is null) as comments_count`

export const ofPage = `from page
  join cards c on c.project_id = $1 and c.id = page.id
  join boards b on b.project_id = $1 and b.id = c.board_id
  join groups g on g.project_id = $1 and g.id = c.group_id`

const ofEverybody = '$2::bigint is null'
const ofOwner = 'c.owner_id = $2'

const listStatement = (rank: string, isWanted: string) =>
  `with ${pageOf({ rank, isWanted })} select ${foundColumns} ${ofPage} order by page.rank desc, page.id desc`
const newestFirst = listStatement('0::bigint', ofEverybody)
/** Cards without a due date come last: 9e15 ms are about 285,000 years. */
const dueFirst = listStatement('-coalesce(extract(epoch from c.due_date) * 1000, 9e15)::bigint', ofOwner)

const valuesOf = ({ projectId, ownerId, isOpen, cardType, after, limit }: Wanted) =>
  [projectId, ownerId, isOpen, after?.rank ?? null, after?.id ?? null, limit, cardType] as const

/** Lists cards without a query: newest first, or by due date for one owner. */
export async function listCards(db: Database, wanted: Wanted): Promise<Ranked<FoundCard>[]> {
  const statement = wanted.ownerId === null ? newestFirst : dueFirst
  const rows = await db.run<CardRow>(statement, [...valuesOf(wanted)])
  return rows.map((row) => ({ ...row, title_parts: [], snippet: [] }))
}

/** $8 are the words, $9 is the folded query, also $10 if it has more than words. Each pattern is made once, not per card. */
const patterns = (pattern: string) =>
  `array(select ${pattern} from json_array_elements_text($8::text::json) written,
    regexp_replace(written, '([\\\\%_])', '\\\\\\1', 'g') word)`
const wordsWanted = `(select string_agg(quote_literal(word) || ':*', ' & ')::tsquery from json_array_elements_text($8::text::json) word)`
const relevance = `case
  when starts_with(said.title, $9) then 5
  when position(' ' || $9 || ' ' in ' ' || said.title || ' ') > 0 or position($10 in said.title) > 0 then 4
  when ' ' || said.title || ' ' like all (${patterns(`'% ' || word || ' %'`)}) then 3
  when ' ' || said.title like all (${patterns(`'% ' || word || '%'`)}) then 2
  when said.title like all (${patterns(`'%' || word || '%'`)}) then 1
  else 0 end::bigint`

const isInTitle = `said.title like all (${patterns(`'%' || word || '%'`)})`
/** The title is checked first, because it is in the row, while a long description is stored elsewhere. */
const hasWords = `(${isInTitle} or c.words @@ ${wordsWanted})`

/** How many characters of a long text are compared for the snippet, and how many around the match are kept. */
const searchedCharacters = 10_000
/** They begin so far before the first word that is found as it is written, which is quick. */
const searchedBefore = 1_000
const keptBefore = 200
const keptCharacters = 700
/** A card need not show all words of a long query. */
const placedWords = 8
/** The first place of a word in a description, after what is `before` it; null if it is nowhere. */
const firstOf = (before: string) =>
  `least(${['word', 'initcap(word)'].map((written) => `nullif(position(${before} ${written} in whole.text), 0)`).join(', ')})`
const fewWords = `select word from json_array_elements_text($8::text::json) word limit ${placedWords}`

/**
 * The snippet comes from the first text with one of the words, or else from the first text. A long text is read once (`|| ''`), not for each
 * word. Its bytes are compared and a `<` looked for first, because counting its characters and looking for tags took half of the time.
 */
export const searchStatement = (isOwners: boolean, isWords = true) => `
  with ${pageOf({
    from: 'cross join lateral (select search_fold(c.title) as title offset 0) said',
    rank: relevance,
    isWanted: `${isOwners ? ofOwner : ofEverybody} and ${isWords ? hasWords : isInTitle}`,
  })}
  select ${foundColumns}, coalesce(excerpt.began + excerpt.start, 2) = 2 as is_beginning, coalesce(excerpt.is_html, false) as is_html,
    coalesce(substr(excerpt.text, excerpt.start, ${keptCharacters}), '') as excerpt
  ${ofPage}
  left join lateral (
    select texts.text, texts.is_html, texts.began, greatest(coalesce(place, 1) - ${keptBefore}, 1) as start
    from (
      select 1 as number, left(c.short_description, ${searchedCharacters}) as text, false as is_html, 1 as began
      union all
      select 2, substr(whole.text, began, ${searchedCharacters}), position('<' in whole.text) > 0 and description_format(whole.text) = 'html', began
      from (select c.description || '' as text offset 0) whole cross join lateral (
        select greatest(coalesce(min(coalesce(${firstOf(`' ' ||`)}, ${firstOf('')})), 1) - ${searchedBefore}, 1) as began
        from (${fewWords}) few where octet_length(whole.text) > ${searchedCharacters}
      ) far offset 0) texts
    cross join lateral (select search_fold(texts.text) as text offset 0) folded
    cross join lateral (
      select min(coalesce(nullif(position(' ' || word in folded.text), 0), nullif(position('>' || word in folded.text), 0),
        nullif(position(word in folded.text), 0))) as place
      from (${fewWords}) few) found
    where texts.text <> ''
    order by place is null, number limit 1) excerpt on true
  order by page.rank desc, page.id desc`

const timeoutMilliseconds = 2000

const partsOf = (text: string, between: string | RegExp) => [...new Set(text.split(between))].filter(Boolean)
/** The two after the spaces say only whether an emoji is drawn in color. */
const betweenWritten = /(?:\s|\ufe0e|\ufe0f)+/

/**
 * Finds the cards with all words of the query, most relevant first; undefined if it took too long. Emoji and punctuation are no words, so a
 * query of nothing else is looked for in titles, which are compared as text.
 */
export async function searchCards(
  db: Database,
  query: string,
  wanted: Wanted,
): Promise<Ranked<FoundCard>[] | undefined> {
  try {
    return await db.transaction(async ({ sql, run }) => {
      // Without statistics PostgreSQL would read the cards of all projects.
      await sql`select set_config('statement_timeout', ${String(timeoutMilliseconds)}, true), set_config('enable_seqscan', 'off', true)`
      const [compared] = await run<{ words: string; title: string }>(
        'select search_words($1) as words, search_fold($1) as title',
        [query],
      )
      if (!compared) return []
      const words = partsOf(compared.words, ' ')
      const written = partsOf(compared.title, betweenWritten)
      const sought = words.length > 0 ? words : written
      if (sought.length === 0) return []
      const isMoreThanWords = written.some((part) => !words.includes(part))
      const rows = await run<CardRow & { excerpt: string; is_beginning: boolean; is_html: boolean }>(
        searchStatement(wanted.ownerId !== null, words.length > 0),
        [
          ...valuesOf(wanted),
          ...[JSON.stringify(sought), compared.title, isMoreThanWords ? compared.title : null],
        ],
      )
      return rows.map(({ excerpt: text, is_beginning: isBeginning, is_html: isHtml, ...row }) => ({
        ...row,
        title_parts: markWords(row.title, [...words, ...written], 'anywhere'),
        snippet: excerpt({ text, isBeginning, isHtml }, sought),
      }))
    })
  } catch (error) {
    if (codeOf(error) === queryCanceled) return undefined
    throw error
  }
}
