// What the first page of the app shows a person, of all boards of a project.
import { integer, list, record, timestamp } from '#contract/schema.ts'
import type { Database } from '#database/connect.ts'
import { isOpen } from './card/closing.ts'
import { boardsShown, type CardRow, foundCard, foundColumns, listCards, ofPage } from './card/searching.ts'
import { isSinceJoining } from './comment/reading.ts'
import { isOnBoard } from './group/archiving.ts'

export const home = record({
  cards: list(foundCard, {
    about: 'Open cards that are assigned to you, the earliest due first; 20 at most.',
  }),
  cards_count: integer({ about: 'How many there are in all.' }),
  unread: list(
    record({
      ...foundCard.properties,
      unread_count: integer({
        about: 'How many of its comments you have not read, since you joined the project.',
      }),
    }),
    { about: 'Cards with comments that you have not read, the newest comment first; 50 at most.' },
  ),
  boards: list(
    record({
      board_id: integer({ about: 'The id of the board.' }),
      changed_at: timestamp({ about: 'When something on it last changed.' }),
    }),
    { about: 'The boards that changed last, the latest first; 12 at most.' },
  ),
})

type Home = (typeof home)['static']

const mostCards = 20
const mostUnread = 50
const mostBoards = 12

const countStatement = `
  select count(*) as count from cards c
  where c.project_id = $1 and c.owner_id = $2 and c.deleted_at is null and ${isOnBoard('c')} and ${isOpen('c')}
    and c.board_id = any(${boardsShown})`

/** Looks at the newest 1,000 comments, so that a long history costs no more than a short one. */
const unreadStatement = `
  with newest as materialized (
    select m.id, m.card_id, m.user_id, m.created_at from comments m
    where m.project_id = $1 and m.deleted_at is null order by m.id desc limit 1000),
  unread as (
    select newest.card_id, count(*) as unread_count, max(newest.id) as rank from newest
    where newest.user_id <> $2 and ${isSinceJoining('newest', '$2')} and not exists (
      select from comment_reads r where r.project_id = $1 and r.comment_id = newest.id and r.user_id = $2)
    group by newest.card_id),
  page as materialized (
    select c.id, unread.rank, unread.unread_count from unread
    join cards c on c.project_id = $1 and c.id = unread.card_id and c.deleted_at is null
    where ${isOnBoard('c')} and c.board_id = any(${boardsShown})
    order by unread.rank desc limit ${mostUnread})
  select page.unread_count, ${foundColumns} ${ofPage} order by page.rank desc`

/** Looks at the newest 1,000 events, for the same reason; what happened to a board before them may be forgotten. */
const boardsStatement = `
  with newest as materialized (
    select e.board_id, e.created_at from events e where e.project_id = $1 order by e.id desc limit 1000),
  seen as (select newest.board_id, max(newest.created_at) as changed_at from newest group by newest.board_id),
  shown as (
    select b.id as board_id, coalesce(seen.changed_at, b.updated_at) as changed_at
    from boards b left join seen on seen.board_id = b.id
    where b.project_id = $1 and b.id = any(${boardsShown}))
  select shown.board_id, wire_time(shown.changed_at) as changed_at from shown
  order by shown.changed_at desc limit ${mostBoards}`

export async function readHome(
  db: Database,
  { projectId, userId }: { projectId: number; userId: number },
): Promise<Home> {
  const mine = { projectId, ownerId: userId, isOpen: true, cardType: null, after: null, limit: mostCards }
  const [cards, [counted], unread, boards] = await Promise.all([
    listCards(db, mine),
    db.run<{ count: number }>(countStatement, [projectId, userId]),
    db.run<CardRow & { unread_count: number }>(unreadStatement, [projectId, userId]),
    db.run<Home['boards'][number]>(boardsStatement, [projectId]),
  ])
  return {
    cards,
    cards_count: counted?.count ?? 0,
    unread: unread.map((row) => ({ ...row, title_parts: [], snippet: [] })),
    boards,
  }
}
