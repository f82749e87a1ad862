// Sends by mail what people have not read in the app: five minutes after the first unread item, all of them in one mail. Run by the job queue.
import type { Database, Queries } from '#database/connect.ts'
import { shownName } from '#events/shown-name.ts'
import { isLanguage } from '#languages/known.ts'
import type { MailedItem } from '#mail/kinds/mailed-item.ts'
import { queueMails } from '#mail/queue.ts'
import { isByPerson } from './item.ts'
import { type Recipient, readRecipients, type Wanted } from './recipients.ts'
import { isMailed } from './settings.ts'
import { isShown, joinShown } from './shown.ts'

const minutesUnread = 5
/** After a longer outage nobody wants to hear of it by mail. */
const longestHours = 24
const mostItems = 20
const peopleAtOnce = 200
const excerptLength = 200

/**
 * A part of a statement that wrote `items`. Schedules a mail for each person who wants these items by mail; the row lock keeps the job away
 * until they are committed.
 */
export const waitForMail = (items: string) => `waiting as (
    insert into inbox_mails as waiting (user_id, due_at)
    select distinct user_id, now() + interval '${minutesUnread} minutes' from ${items}
    where ${isMailed(`${items}.user_id`, `${items}.reason`)} order by user_id
    on conflict (user_id) do update set due_at = waiting.due_at
  )`

/** Whether the unread item `i` is still to be sent; `m` is the membership of its person. $1 projects, $2 people. */
const isToSend = `i.project_id = any($1::bigint[]) and i.project_id = m.project_id and i.user_id = m.user_id and m.user_id = any($2::bigint[])
      and i.read_at is null and i.mailed_at is null and i.occurred_at > now() - interval '${longestHours} hours'
      and ${isMailed('i.user_id', 'i.reason')}`

/** Reschedules mails whose first item was read; not if an item was repeated, because its time is that of the last repetition. */
const waitOnStatement = `
  insert into inbox_mails (user_id, due_at)
  select i.user_id, min(i.occurred_at) + interval '${minutesUnread} minutes' from memberships m, inbox_items i
  where ${isToSend}
  group by i.user_id having bool_and(i.count = 1) and min(i.occurred_at) > now() - interval '${minutesUnread} minutes'
  order by i.user_id returning user_id`

/** $1 projects, $2 people. An item is marked also if its card is not shown, so that it does not come as old news later. */
const itemsStatement = `
  with marked as (
    update inbox_items i set mailed_at = now()
    from memberships m
    where ${isToSend}
    returning i.project_id, i.id, i.user_id, i.reason, i.card_id, i.subscription_id, i.actor_id, i.count, i.comment_id, i.status, i.ends_at
  ), shown as (
    select i.*, c.title as card_title, c.board_id, c.due_is_date, s.product,
      row_number() over (partition by i.user_id order by i.id desc) as place, count(*) over (partition by i.user_id) as total
    from marked i ${joinShown}
    where ${isShown}
  )
  select shown.user_id, shown.total, shown.project_id, p.name as project_name, shown.reason, shown.count, case when ${isByPerson('shown')} then ${shownName('shown.project_id')} end as actor_name, u.closed_at is not null as is_former,
    shown.card_id, shown.card_title, shown.board_id, b.title as board_title,
    left(m.comment, ${excerptLength}) as excerpt, shown.status, shown.ends_at,
    coalesce(shown.due_is_date and shown.reason in ('due_soon', 'overdue', 'theme_deadline'), false) as ends_on_date, shown.product
  from shown
  join projects p on p.id = shown.project_id
  left join users u on u.id = shown.actor_id
  left join boards b on b.project_id = any($1::bigint[]) and b.project_id = shown.project_id and b.id = shown.board_id
  left join comments m on m.project_id = any($1::bigint[]) and m.project_id = shown.project_id and m.id = shown.comment_id
    and m.deleted_at is null
  where place <= ${mostItems}
  order by shown.user_id, place`

interface FoundItem extends MailedItem {
  user_id: number
  total: number
}

/** Queues the mails that are due, in steps that each commit; people whom another instance is working on are left to it. */
export async function mailInboxes(db: Database, wanted: Wanted & { signal?: AbortSignal }): Promise<void> {
  for (let taken = peopleAtOnce; taken === peopleAtOnce; ) {
    wanted.signal?.throwIfAborted()
    taken = await db.transaction((queries) => mailSome(queries, wanted))
  }
}

async function mailSome(queries: Queries, wanted: Wanted): Promise<number> {
  const { sql } = queries
  const due = await sql<{ user_id: number }[]>`
    delete from inbox_mails where user_id in (
      select user_id from inbox_mails where due_at <= now() order by due_at limit ${peopleAtOnce} for update skip locked)
    returning user_id`
  const { people, projectIds } = await readRecipients(
    queries,
    due.map(({ user_id }) => user_id),
    wanted,
  )
  if (people.length > 0) {
    const all = people.map(({ id }) => id)
    const early = await queries.run<{ user_id: number }>(waitOnStatement, [projectIds, all])
    const ids = all.filter((id) => !early.some(({ user_id }) => user_id === id))
    const items = Map.groupBy(
      await queries.run<FoundItem>(itemsStatement, [projectIds, ids]),
      ({ user_id }) => user_id,
    )
    await queueMails(
      queries,
      people.flatMap((person) => mailTo(person, items.get(person.id) ?? [])),
    )
  }
  return due.length
}

function mailTo({ email, language, time_zone, unsubscribe_key }: Recipient, found: FoundItem[]) {
  const [first] = found
  if (!first) return []
  const items = found.map(({ user_id: _user, total: _total, ...item }) => item)
  return {
    kind: 'inbox_items' as const,
    to: email,
    language: isLanguage(language) ? language : ('en' as const),
    values: {
      items,
      total: first.total,
      timeZone: time_zone ?? 'UTC',
      unsubscribe: `${unsubscribe_key}/inbox`,
    },
  }
}
