// The daily mail: what is overdue, due today and unread, at 8:00 where the person is. Nobody gets one that says nothing. Run by the job queue.
import { isOpen } from '#boards/card/closing.ts'
import type { Database, Queries } from '#database/connect.ts'
import { shownName } from '#events/shown-name.ts'
import { isLanguage } from '#languages/known.ts'
import type { DueCard } from '#mail/kinds/digest.ts'
import type { MailedItem } from '#mail/kinds/mailed-item.ts'
import { queueMails } from '#mail/queue.ts'
import { isByPerson } from './item.ts'
import { type Recipient, readRecipients, type Wanted } from './recipients.ts'
import { overdueAt } from './reminding.ts'
import { digest, isMailed } from './settings.ts'
import { isShown, isShownTo, joinShown } from './shown.ts'

/** After a longer outage the next one comes in the morning again. */
const longestDelay = "interval '4 hours'"
const peopleAtOnce = 200
const plannedAtOnce = 1_000
const mostLines = 10
/** Of a person in a project; more are not counted. */
const mostUnread = 100

/** The next 8:00 where the user `u` is. */
const nextMorning = `(
  select (date_trunc('day', here) + interval '8 hours' + case when here::time >= '08:00' then interval '1 day' else interval '0' end)
    at time zone coalesce(u.time_zone, 'UTC')
  from (select now() at time zone coalesce(u.time_zone, 'UTC') as here) clock)`

/** Finds the time of those who are new or have another time zone. */
const planStatement = `
  with planned as materialized (
    select u.id, ${nextMorning} as digest_at from users u where u.digest_at is null limit ${plannedAtOnce} for no key update skip locked
  )
  update users u set digest_at = planned.digest_at from planned where u.id = planned.id returning u.id`

/** Takes people whose time has come, and says who of them gets the mail. */
const takeStatement = `
  with due as materialized (
    select u.id, u.digest_at as due_at, ${nextMorning} as digest_at from users u where u.digest_at <= now() order by u.digest_at
    limit ${peopleAtOnce} for no key update skip locked
  ), taken as (
    update users u set digest_at = due.digest_at from due where u.id = due.id returning u.id, due.due_at
  )
  select u.id, u.due_at > now() - ${longestDelay} and ${isMailed('u.id', `'${digest}'`)} as is_wanted from taken u`

/** $1 projects, $2 people. */
const cardsStatement = `
  with due as (
    select c.owner_id as user_id, c.project_id, c.id as card_id, c.board_id, c.title, c.due_date, c.due_is_date,
      ${overdueAt} <= now() as is_overdue, (now() at time zone coalesce(u.time_zone, p.time_zone, 'UTC'))::date as today,
      (c.due_date at time zone case when c.due_is_date then 'UTC' else coalesce(u.time_zone, p.time_zone, 'UTC') end)::date as due_on
    from cards c
    join users u on u.id = c.owner_id
    join projects p on p.id = c.project_id
    join memberships m on m.project_id = c.project_id and m.user_id = c.owner_id
    where c.project_id = any($1::bigint[]) and c.owner_id = any($2::bigint[]) and ${isOpen('c')}
      and c.due_date < now() + interval '2 days' and (c.snoozed_until is null or c.snoozed_until <= now())
      and ${isShownTo('c.owner_id')}
  ), placed as (
    select *, row_number() over (partition by user_id, is_overdue order by due_date, card_id) as place,
      count(*) over (partition by user_id, is_overdue) as total
    from due where is_overdue or due_on = today
  )
  select placed.user_id, placed.total, placed.is_overdue, placed.project_id, p.name as project_name, placed.card_id,
    placed.title as card_title, placed.board_id, b.title as board_title, placed.due_date as ends_at, placed.due_is_date as ends_on_date
  from placed
  join projects p on p.id = placed.project_id
  join boards b on b.project_id = any($1::bigint[]) and b.project_id = placed.project_id and b.id = placed.board_id
  where place <= ${mostLines}
  order by placed.user_id, place`

/** The same for unread items, without reminders, which the cards say better. */
const unreadStatement = `
  with shown as (
    select i.*, c.title as card_title, c.board_id, s.product,
      row_number() over (partition by i.user_id order by i.id desc) as place, count(*) over (partition by i.user_id) as total
    from memberships m
    cross join lateral (
      select * from inbox_items where project_id = any($1::bigint[]) and project_id = m.project_id and user_id = m.user_id
        and read_at is null and reason not in ('due_soon', 'overdue')
      order by id desc limit ${mostUnread}) i
    ${joinShown}
    where m.user_id = any($2::bigint[]) and ${isShown}
  )
  select shown.user_id, shown.total, shown.project_id, p.name as project_name, shown.reason, shown.count, case when ${isByPerson('shown')} then ${shownName('shown.project_id')} end as actor_name, u.closed_at is not null as is_former,
    shown.card_id, shown.card_title, shown.board_id, b.title as board_title, null as excerpt, shown.status, shown.ends_at,
    false as ends_on_date, shown.product
  from shown
  join projects p on p.id = shown.project_id
  left join users u on u.id = shown.actor_id
  left join boards b on b.project_id = any($1::bigint[]) and b.project_id = shown.project_id and b.id = shown.board_id
  where place <= ${mostLines}
  order by shown.user_id, place`

interface OfPerson {
  user_id: number
  total: number
}
type FoundCard = DueCard & OfPerson & { is_overdue: boolean }
type FoundItem = MailedItem & OfPerson

/** Queues the daily mails that are due, in steps that each commit; people whom another instance is working on are left to it. */
export async function sendDigests(db: Database, wanted: Wanted & { signal?: AbortSignal }): Promise<void> {
  const { signal } = wanted
  for (let planned = plannedAtOnce; planned === plannedAtOnce; ) {
    signal?.throwIfAborted()
    planned = (await db.run<{ id: number }>(planStatement, [])).length
  }
  for (let taken = peopleAtOnce; taken === peopleAtOnce; ) {
    signal?.throwIfAborted()
    taken = await db.transaction((queries) => sendSome(queries, wanted))
  }
}

async function sendSome(queries: Queries, wanted: Wanted): Promise<number> {
  const taken = await queries.run<{ id: number; is_wanted: boolean }>(takeStatement, [])
  const { people, projectIds } = await readRecipients(
    queries,
    taken.flatMap(({ id, is_wanted }) => (is_wanted ? id : [])),
    wanted,
  )
  if (people.length > 0) {
    const values = [projectIds, people.map(({ id }) => id)]
    const byPerson = ({ user_id }: OfPerson) => user_id
    const cards = Map.groupBy(await queries.run<FoundCard>(cardsStatement, values), byPerson)
    const unread = Map.groupBy(await queries.run<FoundItem>(unreadStatement, values), byPerson)
    await queueMails(
      queries,
      people.flatMap((person) => mailTo(person, cards.get(person.id) ?? [], unread.get(person.id) ?? [])),
    )
  }
  return taken.length
}

const section = <Row extends OfPerson>(rows: Row[]) => ({
  lines: rows.map(({ user_id: _user, total: _total, ...line }) => line),
  total: rows[0]?.total ?? 0,
})

function mailTo(person: Recipient, cards: FoundCard[], unread: FoundItem[]) {
  if (cards.length === 0 && unread.length === 0) return []
  const { email, language, time_zone, unsubscribe_key } = person
  return {
    kind: 'digest' as const,
    to: email,
    language: isLanguage(language) ? language : ('en' as const),
    values: {
      overdue: section(cards.filter(({ is_overdue }) => is_overdue)),
      today: section(cards.filter(({ is_overdue }) => !is_overdue)),
      unread: section(unread),
      timeZone: time_zone ?? 'UTC',
      unsubscribe: `${unsubscribe_key}/digest`,
    },
  }
}
