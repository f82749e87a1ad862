// Archived groups (`is_active` false) stay with their cards, but are not on their board, in searches or in lists of cards.
import { integer, onlyInV2, record } from '#contract/schema.ts'
import type { Database, Queries } from '#database/connect.ts'
import { change } from '#events/change.ts'
import { recordEvent } from '#events/record.ts'
import type { Action } from '../action.ts'
import { type Group, group, groupColumns, groupPayload, positionInBoard, readGroup } from './group.ts'

export const archivedGroup = record({
  ...group.properties,
  cards_count: integer({ about: 'Cards in the group.' }),
  new_cards_count: onlyInV2(
    integer({
      about: 'How many of them rollouts have added since it was archived; people cannot add cards to it.',
    }),
  ),
})

type ArchivedGroup = (typeof archivedGroup)['static']

/** `card` is the alias, `$1` the project. The archived groups are looked up once, not per card. */
export const isOnBoard = (card: string) =>
  `${card}.group_id <> all(array(select g.id from groups g where g.project_id = $1 and not g.is_active))`

const countOf = (isCounted: string) =>
  `(select count(*) from cards c where c.project_id = $1 and c.group_id = g.id and c.deleted_at is null and ${isCounted})`
const cardsCount = countOf('true')
const newCardsCount = countOf('c.created_at > g.archived_at')

/** Takes a group with its cards off its board; undefined if the project has no such group. */
export const archiveGroup = (db: Database, action: Action): Promise<Group | undefined> =>
  setActive(db, action, false)

/** Puts an archived group with its cards back on its board; undefined if the project has no such group. */
export const unarchiveGroup = (db: Database, action: Action): Promise<Group | undefined> =>
  setActive(db, action, true)

function setActive(
  db: Database,
  { projectId, id, actorId }: Action,
  isActive: boolean,
): Promise<Group | undefined> {
  return change(db, projectId, async (queries) => {
    const before = await readGroup(queries, projectId, id)
    if (!before || before.is_active === isActive) return before
    await queries.sql`
      update groups set is_active = ${isActive}, archived_at = ${isActive ? null : queries.sql`now()`}, updated_at = now()
      where project_id = ${projectId} and id = ${id}`
    const after = (await readGroup(queries, projectId, id)) as Group
    const about = { boardId: after.board_id, actorId }
    const count = await countCards(queries, projectId, id)
    await recordEvent(
      queries,
      isActive
        ? { ...about, kind: 'group.unarchived', data: { ...groupPayload(after), cards_count: count } }
        : {
            ...about,
            kind: 'group.archived',
            data: { group_id: id, title: after.title, cards_count: count },
          },
    )
    return after
  })
}

async function countCards(queries: Queries, projectId: number, id: number): Promise<number> {
  const [row] = await queries.run<{ count: number }>(
    `select ${cardsCount} as count from groups g where g.project_id = $1 and g.id = $2`,
    [projectId, id],
  )
  return row?.count as number
}

/** The archived groups of a board in their order; undefined if the project has no such board. */
export async function listArchivedGroups(
  queries: Queries,
  projectId: number,
  boardId: number,
): Promise<ArchivedGroup[] | undefined> {
  const boards = await queries.run(
    'select from boards where project_id = $1 and id = $2 and deleted_at is null',
    [projectId, boardId],
  )
  if (boards.length === 0) return undefined
  return queries.run<ArchivedGroup>(
    `select ${groupColumns(positionInBoard)}, ${cardsCount} as cards_count, ${newCardsCount} as new_cards_count
     from groups g join projects p on p.id = g.project_id
     where g.project_id = $1 and g.board_id = $2 and g.deleted_at is null and not g.is_active order by g.rank`,
    [projectId, boardId],
  )
}
