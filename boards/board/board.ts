import { flag, integer, list, nullable, onlyInV2, record, text, timestamp } from '#contract/schema.ts'
import type { Queries } from '#database/connect.ts'
import type { Payload } from '#events/catalogue.ts'
import { shownAuthor } from '#events/shown-name.ts'
import { card } from '../card/card.ts'
import { payloadOf } from '../changes.ts'
import { descriptionFormat } from '../description-format.ts'
import { group } from '../group/group.ts'
import { listedDescription } from '../listed-description.ts'
import { tag } from '../tag/tag.ts'

const fields = {
  id: integer(),
  project_id: integer(),
  platform_id: integer(),
  master_board_id: nullable(integer()),
  tool_key: nullable(text()),
  title: text(),
  description: nullable(text()),
  description_format: descriptionFormat,
  icon: nullable(text()),
  color: nullable(text()),
  position: integer(),
  is_master: flag(),
  is_active: flag(),
  done_closes_cards: onlyInV2(
    flag({
      about:
        'True: a card that is moved into a group of type `done` is closed, and gets its status back when it is moved out.',
    }),
  ),
  created_by: nullable(integer()),
  created_at: timestamp(),
  updated_at: timestamp(),
  deleted_at: nullable(timestamp()),
}

export const board = record(fields)

export const boardInList = record({
  ...fields,
  groups_count: integer({ about: 'Groups that are not archived.' }),
  cards_count: integer({ about: 'Cards in these groups.' }),
  open_cards_count: integer({ about: 'Of these, cards that are neither closed nor hidden.' }),
  overdue_cards_count: integer({
    about:
      'Of these, overdue cards; a card without a time is overdue after its day, counted by `today` if it is sent.',
  }),
})

export const wholeBoard = record({
  ...fields,
  version: onlyInV2(
    integer({
      about: 'The id of the newest event that the board includes; later events can be applied to it.',
    }),
  ),
  groups: list(record({ ...group.properties, cards: list(card) })),
  tags: list(tag),
})

/** `b` is the board, `p` its project, `$1` the id of the project. */
const columns = (description: string) => `
  b.id, b.project_id, p.platform_id, b.master_board_id, b.tool_key, b.title, ${description} b.icon, b.color,
  (select count(*) from boards before
    where before.project_id = $1 and before.deleted_at is null and before.rank <= b.rank) as position,
  false as is_master, b.is_active, b.done_closes_cards,
  ${shownAuthor('b.project_id', 'b.created_by')} as created_by, wire_time(b.created_at) as created_at,
  wire_time(b.updated_at) as updated_at, wire_time(b.deleted_at) as deleted_at`

export const boardColumns = columns('b.description, description_format(b.description),')
export const boardColumnsInList = columns(listedDescription('b.description'))

/** The board belongs to no tool, or to one that the project has. */
export const hasAccess = '(b.tool_key is null or p.tool_keys ? b.tool_key)'

export type Board = (typeof board)['static']

export async function readBoard(queries: Queries, projectId: number, id: number): Promise<Board | undefined> {
  const [found] = await queries.run<Board>(
    `select ${boardColumns} from boards b join projects p on p.id = b.project_id
     where b.project_id = $1 and b.id = $2 and b.deleted_at is null`,
    [projectId, id],
  )
  return found
}

/** The event payload of a board that is created or restored. */
export const boardPayload = (board: Board): Payload<'board.created'> =>
  payloadOf(board, [
    'title',
    'position',
    'master_board_id',
    'tool_key',
    'icon',
    'color',
    'is_active',
    'done_closes_cards',
    'created_by',
    'created_at',
  ])
