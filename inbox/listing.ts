// Reads a person's inbox. An item is shown while its card can be seen, and a reminder while its date still holds.

import { isOpen } from '#boards/card/closing.ts'
import { boardsShown } from '#boards/card/searching.ts'
import { isOnBoard } from '#boards/group/archiving.ts'
import type { Queries } from '#database/connect.ts'
import { shownId, shownName } from '#events/shown-name.ts'
import { type InboxItem, isByPerson } from './item.ts'

/** More are shown as "99+". */
const mostCounted = 100
const excerptLength = 200

/** Whether the item `i` is about somebody who accepted an invitation and is still a member. */
export const isOfMember = `i.reason = 'invitation_accepted' and exists (
  select from memberships joined where joined.project_id = i.project_id and joined.user_id = i.actor_id)`

/** `i` is the item; $1 project, $2 person. */
const items = `inbox_items i
  left join cards c on c.project_id = $1 and c.id = i.card_id and c.deleted_at is null and ${isOnBoard('c')}
    and c.board_id = any(${boardsShown})
    and (i.reason not in ('due_soon', 'overdue')
      or c.due_date = i.ends_at and c.owner_id = i.user_id and ${isOpen('c')})
    and (i.reason <> 'theme_deadline' or ${isOpen('c')})
  left join subscriptions s on s.project_id = $1 and s.id = i.subscription_id and s.status = 'trialing'
    and s.trial_ends_at = i.ends_at and s.trial_ends_at > now()
  where i.project_id = $1 and i.user_id = $2 and (c.id is not null or s.id is not null or ${isOfMember})`

const pageStatement = `
  with page as materialized (
    select i.*, c.title as card_title, c.board_id, c.due_is_date, s.product from ${items}
      and ($3::bigint is null or i.id < $3) and (not $4::boolean or i.read_at is null)
    order by i.id desc limit $5)
  select page.id, page.reason, page.count, page.read_at is not null as is_read, wire_time(page.occurred_at) as occurred_at,
    case when ${isByPerson('page')} then ${shownId('$1', '$2')} end as actor_id, case when ${isByPerson('page')} then ${shownName('$1')} end as actor_name, page.card_id, page.card_title, page.board_id, b.title as board_title,
    m.id as comment_id, left(m.comment, ${excerptLength}) as excerpt, page.status, wire_time(page.ends_at) as ends_at,
    coalesce(page.due_is_date and page.reason in ('due_soon', 'overdue', 'theme_deadline'), false) as ends_on_date, page.product
  from page
  left join users u on u.id = page.actor_id
  left join boards b on b.project_id = $1 and b.id = page.board_id
  left join comments m on m.project_id = $1 and m.id = page.comment_id and m.deleted_at is null
  order by page.id desc`

interface Person {
  projectId: number
  userId: number
}

/** One page, newest first; `after` is the last id of the page before. */
export const listInbox = (
  queries: Queries,
  { projectId, userId }: Person,
  { after, limit, isUnread }: { after: number | null; limit: number; isUnread: boolean },
): Promise<InboxItem[]> => queries.run(pageStatement, [projectId, userId, after, isUnread, limit])

const countStatement = `
  select count(*) as count from (select from ${items} and i.read_at is null limit ${mostCounted}) unread`

/** At most `mostCounted`. */
export async function countUnreadItems(queries: Queries, { projectId, userId }: Person): Promise<number> {
  const [row] = await queries.run<{ count: number }>(countStatement, [projectId, userId])
  return row?.count ?? 0
}

/** Nobody follows more projects than these by their inboxes. */
const mostProjects = 100

/** The same for all projects of a person, by id; those without unread items are left out. */
export async function countUnreadByProject(
  queries: Queries,
  userId: number,
): Promise<{ project_id: number; unread_count: number }[]> {
  const { sql } = queries
  const projects = await sql<{ id: number }[]>`
    select p.id from memberships m join projects p on p.id = m.project_id and p.deleted_at is null
    where m.user_id = ${userId} order by p.id limit ${mostProjects}`
  const ids = projects.map(({ id }) => id)
  // Few of them have any, and only these are looked at closely.
  const candidates = await sql<{ project_id: number }[]>`
    select distinct project_id from inbox_items
    where project_id = any(${ids}::bigint[]) and user_id = ${userId} and read_at is null order by project_id`
  const counted = await Promise.all(
    candidates.map(async ({ project_id }) => ({
      project_id,
      unread_count: await countUnreadItems(queries, { projectId: project_id, userId }),
    })),
  )
  return counted.filter(({ unread_count }) => unread_count > 0)
}

/** Marks items of the person as read, the named ones or all up to one, and returns how many were unread. */
export async function markItemsRead(
  { sql }: Queries,
  { projectId, userId }: Person,
  which: { ids: number[] } | { upTo: number | null },
): Promise<number> {
  const chosen =
    'ids' in which ? sql`id = any(${which.ids}::bigint[])` : sql`id <= coalesce(${which.upTo}::bigint, id)`
  const marked = await sql<{ id: number }[]>`
    update inbox_items set read_at = now()
    where project_id = ${projectId} and user_id = ${userId} and read_at is null and ${chosen} returning id`
  return marked.length
}

/** The same for everything about a card; undefined if the project has no such card. */
export async function markCardRead(
  { sql }: Queries,
  { projectId, userId }: Person,
  cardId: number,
): Promise<number | undefined> {
  const [row] = await sql<{ count: number }[]>`
    with card as (select id from cards where project_id = ${projectId} and id = ${cardId} and deleted_at is null),
    marked as (
      update inbox_items i set read_at = now() from card
      where i.project_id = ${projectId} and i.card_id = card.id and i.user_id = ${userId} and i.read_at is null
      returning i.id)
    select (select count(*) from marked) as count from card`
  return row?.count
}
