// The published versions of a template, and what the template is at each of them: the state of each thing that was published last.
import { priorities } from '#boards/card/priorities.ts'
import { descriptionFormat } from '#boards/description-format.ts'
import { flag, integer, list, nullable, oneOf, record, text, timestamp } from '#contract/schema.ts'
import type { Queries } from '#database/connect.ts'

export const version = record({
  number: integer({ about: 'Versions of a template are numbered from 1.' }),
  /** What changed, in the words of the person who published it. */
  note: text(),
  created_by: integer(),
  created_by_name: nullable(text()),
  created_at: timestamp(),
})

export type Version = (typeof version)['static']

const cardInVersion = record({
  id: integer(),
  title: text(),
  description: nullable(text()),
  description_format: descriptionFormat,
  short_description: nullable(text()),
  status: text(),
  priority: oneOf(priorities),
  unique_identifier: nullable(text()),
  evaluation_check: nullable(text()),
  needs_confirmation: flag(),
  tour_key: nullable(text()),
  is_active: flag(),
})

const groupInVersion = record({
  id: integer(),
  title: text(),
  description: nullable(text()),
  description_format: descriptionFormat,
  type: nullable(text()),
  color: nullable(text()),
  icon: nullable(text()),
  is_collapsed: flag(),
  cards: list(cardInVersion),
})

/** A template as it is in a version, or as its draft. */
export const templateContent = record({
  title: text(),
  description: nullable(text()),
  description_format: descriptionFormat,
  icon: nullable(text()),
  color: nullable(text()),
  groups: list(groupInVersion),
})

export type TemplateContent = (typeof templateContent)['static']
export type GroupContent = TemplateContent['groups'][number]
export type CardContent = GroupContent['cards'][number]

const versionColumns = `
  v.number, v.note, v.created_by, u.name as created_by_name, wire_time(v.created_at) as created_at, v.revision`
const versionTables = 'template_versions v left join users u on u.id = v.created_by'

type Stored = Version & { revision: number }

/** A version by its number; without one, the newest. Undefined if there is none. */
export async function readVersion(
  queries: Queries,
  boardId: number,
  number: number | null = null,
): Promise<Stored | undefined> {
  const [found] = await queries.run<Stored>(
    `select ${versionColumns} from ${versionTables}
     where v.board_id = $1 and ($2::bigint is null or v.number = $2) order by v.number desc limit 1`,
    [boardId, number],
  )
  return found
}

/** The versions of a template before the given number, newest first. */
export const listVersions = (
  queries: Queries,
  boardId: number,
  { before, limit }: { before: number | null; limit: number },
): Promise<(Version & { id: number })[]> =>
  queries.run<Stored & { id: number }>(
    `select v.number as id, ${versionColumns} from ${versionTables}
     where v.board_id = $1 and ($2::bigint is null or v.number < $2) order by v.number desc limit $3`,
    [boardId, before, limit],
  )

type Kind = 'board' | 'group' | 'card'

/** The state of each thing of a board at a version, deleted ones included. `board` and `revision` are parameters of the statement. */
export const stateAt = (
  kind: Kind,
  {
    board = '$1',
    revision = '$2',
    isWanted = 'true',
  }: { board?: string; revision?: string; isWanted?: string } = {},
) => `
  select distinct on (${kind}_id) * from master_${kind}_revisions
  where board_id = ${board} and published_with <= ${revision} and ${isWanted} order by ${kind}_id, published_with desc`

/** The title of the thing `thing` at a version; of one that it deletes, the last title that projects have seen. */
export const titleAt = (kind: Kind, revision: string) => `coalesce((
  select state.title from master_${kind}_revisions state where state.${kind}_id = thing.id and state.published_with <= ${revision}
  order by state.is_deleted, state.published_with desc limit 1), thing.title)`

/** The title of a template `alias` in its newest version; its draft's if it has none. */
export const newestTitle = (alias: string) => `coalesce((
  select state.title from master_board_revisions state where state.board_id = ${alias}.id and state.revision = ${alias}.published_revision), ${alias}.title)`

/** The rows of which a template consists, at a version and as its draft. */
const sources = {
  version: {
    board: stateAt('board'),
    groups: `select group_id as id, s.* from (${stateAt('group')}) s where not is_deleted`,
    cards: `select card_id as id, s.* from (${stateAt('card')}) s where not is_deleted`,
  },
  draft: {
    board: 'select * from master_boards where id = $1',
    groups: 'select * from master_groups where board_id = $1 and deleted_at is null',
    cards: 'select * from master_cards where board_id = $1 and deleted_at is null',
  },
}

const contentStatement = ({ board, groups, cards }: (typeof sources)['draft']) => `
  with g as materialized (${groups}), c as materialized (${cards})
  select b.title, b.description, description_format(b.description), b.icon, b.color,
    (select coalesce(json_agg(group_row), '[]') from (
      select g.id, g.title, g.description, description_format(g.description), g.type, g.color, g.icon, g.is_collapsed,
        (select coalesce(json_agg(card_row), '[]') from (
          select c.id, c.title, c.description, description_format(c.description), c.short_description, c.status, c.priority,
            c.unique_identifier, c.evaluation_check, c.needs_confirmation, c.tour_key, c.is_active
          from c where c.group_id = g.id order by c.rank
        ) card_row) as cards
      from g order by g.rank
    ) group_row) as groups
  from (${board}) b`

const versionStatement = contentStatement(sources.version)
const draftStatement = contentStatement(sources.draft)

/** The content of a version; without one, of the draft. */
export async function readContent(
  queries: Queries,
  boardId: number,
  revision: number | null,
): Promise<TemplateContent> {
  const [found] = await (revision === null
    ? queries.run<TemplateContent>(draftStatement, [boardId])
    : queries.run<TemplateContent>(versionStatement, [boardId, revision]))
  return found as TemplateContent
}
