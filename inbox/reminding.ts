// Reminds assignees of cards that are due soon or overdue, owners of a trial that ends, and admins of a theme version that ends. It looks at what is true now, so a date that was
// moved, or a card that was closed or deleted, reminds nobody; an item with the same date is not written twice. Run by the job queue.
import { isOpen } from '#boards/card/closing.ts'
import { inActiveProjects } from '#database/all-projects.ts'
import type { Database } from '#database/connect.ts'
import type { Tell } from './item.ts'
import { waitForMail } from './mailing.ts'
import { isOff } from './settings.ts'

/** When a reminder comes, before the due date; also the length of the day on which a card without a time is due. */
const beforeDue = "interval '1 day'"
const beforeTrialEnd = "interval '3 days'"
/** After a longer outage, nobody is reminded of what has become overdue before. */
const longestOutage = "interval '2 days'"

/** When the due date of the card `c` has passed where the user `u` is, or else where the project `p` is. */
export const overdueAt = `case when c.due_is_date
  then ((c.due_date at time zone 'UTC')::date + 1)::timestamp at time zone coalesce(u.time_zone, p.time_zone, 'UTC') else c.due_date end`

/** $1 projects. Time zones differ from UTC by less than a day. */
const cardsStatement = `
  with due as (
    select c.project_id, c.id as card_id, c.owner_id as user_id, c.due_date, ${overdueAt} as overdue_at
    from cards c join users u on u.id = c.owner_id join projects p on p.id = c.project_id
    where c.project_id = any($1::bigint[]) and c.deleted_at is null and ${isOpen('c')}
      and c.due_date between now() - ${longestOutage} - interval '1 day' and now() + ${beforeDue} + interval '1 day'
      and (c.snoozed_until is null or c.snoozed_until <= now())
  ), ripe as (
    select *, case when overdue_at <= now() then 'overdue' else 'due_soon' end as reason from due
    where overdue_at between now() - ${longestOutage} and now() + ${beforeDue} and not exists (
      select from card_follows f where f.project_id = any($1::bigint[]) and f.project_id = due.project_id
        and f.card_id = due.card_id and f.user_id = due.user_id and f.is_muted)
  ), wanted as (
    select * from ripe where not ${isOff('ripe.user_id', 'ripe.reason')}
  ), passed as (
    delete from inbox_items i using ripe
    where i.project_id = any($1::bigint[]) and i.project_id = ripe.project_id and i.card_id = ripe.card_id
      and i.user_id = ripe.user_id and i.reason = 'due_soon' and ripe.reason = 'overdue'
  ), told as (
    insert into inbox_items as item (project_id, user_id, reason, card_id, ends_at, occurred_at)
    select project_id, user_id, reason, card_id, due_date, now() from wanted
    where not exists (
      select from inbox_items i where i.project_id = any($1::bigint[]) and i.project_id = wanted.project_id
        and i.card_id = wanted.card_id and i.user_id = wanted.user_id and i.reason = wanted.reason and i.ends_at = wanted.due_date)
    order by overdue_at
    on conflict (project_id, card_id, user_id, reason) where card_id is not null do update set
      id = excluded.id, ends_at = excluded.ends_at, count = 1, occurred_at = excluded.occurred_at, read_at = null, mailed_at = null
      where item.ends_at is distinct from excluded.ends_at
    returning project_id, user_id, reason
  ), ${waitForMail('told')}
  select project_id, user_id from told`

const trialsStatement = `
  with ending as (
    select s.project_id, s.id as subscription_id, s.trial_ends_at, m.user_id
    from subscriptions s join memberships m on m.project_id = s.project_id and m.role = 'owner'
    where s.project_id = any($1::bigint[]) and s.status = 'trialing'
      and s.trial_ends_at between now() and now() + ${beforeTrialEnd} and not ${isOff('m.user_id', "'trial_ending'")}
  ), told as (
    insert into inbox_items as item (project_id, user_id, reason, subscription_id, ends_at, occurred_at)
    select project_id, user_id, 'trial_ending', subscription_id, trial_ends_at, now() from ending
    where not exists (
      select from inbox_items i where i.project_id = any($1::bigint[]) and i.project_id = ending.project_id
        and i.subscription_id = ending.subscription_id and i.user_id = ending.user_id and i.ends_at = ending.trial_ends_at)
    order by project_id, subscription_id
    on conflict (project_id, subscription_id, user_id, reason) where subscription_id is not null do update set
      id = excluded.id, ends_at = excluded.ends_at, occurred_at = excluded.occurred_at, read_at = null, mailed_at = null
      where item.ends_at is distinct from excluded.ends_at
    returning project_id, user_id, reason
  ), ${waitForMail('told')}
  select project_id, user_id from told`

/** A week before the deadline of a theme version, and a day before. */
const themesStatement = `
  with ripe as (
    select k.project_id, k.version_id, k.card_id, t.deadline, case when t.deadline <= now() + interval '1 day' then 2 else 1 end as reminder
    from theme_campaign_projects k
    join theme_campaigns t on t.version_id = k.version_id and t.ended_at is null
    join cards c on c.project_id = any($1::bigint[]) and c.project_id = k.project_id and c.id = k.card_id and c.deleted_at is null
    where k.project_id = any($1::bigint[]) and k.left_at is null and t.deadline between now() and now() + interval '7 days'
  ), reminded as (
    update theme_campaign_projects k set reminders = ripe.reminder from ripe
    where k.project_id = ripe.project_id and k.version_id = ripe.version_id and k.reminders < ripe.reminder
    returning k.project_id, k.card_id, ripe.deadline
  ), told as (
    insert into inbox_items as item (project_id, user_id, reason, card_id, ends_at, occurred_at)
    select r.project_id, m.user_id, 'theme_deadline', r.card_id, r.deadline, now()
    from reminded r join memberships m on m.project_id = r.project_id and m.role in ('owner', 'admin')
    where not ${isOff('m.user_id', "'theme_deadline'")} order by r.project_id, m.user_id
    on conflict (project_id, card_id, user_id, reason) where card_id is not null do update set
      id = excluded.id, ends_at = excluded.ends_at, count = 1, occurred_at = excluded.occurred_at, read_at = null, mailed_at = null
    returning project_id, user_id, reason
  ), ${waitForMail('told')}
  select project_id, user_id from told`

interface Reminded {
  project_id: number
  user_id: number
}

export async function remind(
  db: Database,
  { tell, signal }: { tell: Tell; signal?: AbortSignal },
): Promise<void> {
  await inActiveProjects(db, async (ids) => {
    signal?.throwIfAborted()
    const reminded = [
      ...(await db.run<Reminded>(cardsStatement, [ids])),
      ...(await db.run<Reminded>(trialsStatement, [ids])),
      ...(await db.run<Reminded>(themesStatement, [ids])),
    ]
    for (const [projectId, items] of Map.groupBy(reminded, ({ project_id }) => project_id))
      tell(projectId, [...new Set(items.map(({ user_id }) => user_id))])
    return []
  })
}
