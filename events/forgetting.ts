// Deletes events after the time that they are kept for. Those of a card stay as long as the card, and those of payments and themes forever.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database, Queries } from '#database/connect.ts'
import type { EventKind } from './catalogue.ts'

/** Nobody can ask for these by card, theme or subscription. */
const passing: EventKind[] = [
  'board.created',
  'board.updated',
  'board.deleted',
  'board.restored',
  'group.created',
  'group.updated',
  'group.deleted',
  'group.restored',
  'group.archived',
  'group.unarchived',
  'groups.reordered',
  'cards.dismissed',
  'cards.reactivated',
  'cards.reordered',
  'tag.created',
  'tag.updated',
  'tag.deleted',
  'tag.restored',
  'views.changed',
  'project.updated',
  'project.deleted',
  'project.restored',
  'project.archived',
  'project.unarchived',
  'member.joined',
  'member.updated',
  'member.left',
]

/** Together few enough for one short statement. */
const projectsAtOnce = 50
const mostEvents = 200

/** After each step it rests this many times as long. */
const patience = 2

const isOld = 'created_at < now() - make_interval(days => $2::integer)'

/**
 * $1 the projects, $2 how many days. The versions of an event's project are in the order of time, so only what follows the last one that was looked at
 * can be old. A project that someone is changing is left to the next run.
 */
const statement = `
  with held as materialized (
    select v.project_id, v.forgotten_until from project_versions v where v.project_id = any($1::bigint[]) and (
      select e.${isOld} from events e where e.project_id = any($1::bigint[]) and e.project_id = v.project_id and e.id > v.forgotten_until
      order by e.id limit 1)
    order by v.project_id for no key update skip locked
  ), old as materialized (
    select e.project_id, e.id, e.kind, e.card_id from held cross join lateral (
      select * from events where project_id = any($1::bigint[]) and project_id = held.project_id and id > held.forgotten_until
      order by id limit ${mostEvents}) e
    where e.${isOld}
  ), gone as (
    delete from events e using old left join cards c on c.project_id = any($1::bigint[]) and c.project_id = old.project_id and c.id = old.card_id
    where e.project_id = any($1::bigint[]) and e.project_id = old.project_id and e.id = old.id and (
      old.kind in (${passing.map((kind) => `'${kind}'`).join(', ')})
      or old.card_id is not null and (c.id is null or c.deleted_at is not null and c.title = ''))
  ), reached as (
    select project_id, max(id) as id, count(*) as count from old group by project_id
  ), moved as (
    update project_versions v set forgotten_until = reached.id from reached
    where v.project_id = any($1::bigint[]) and v.project_id = reached.project_id
  )
  select project_id from reached where count = ${mostEvents}`

/** The history of a card reads these too. */
export const rolloutKinds = `'template.rolled_out', 'template.kept'`

/** True if a card from the same template as the purged board is on another one. */
const hasCardElsewhere = `exists (
  select from boards b join master_cards m on m.board_id = b.master_board_id
  join cards c on c.project_id = any($1::bigint[]) and c.project_id = purged.project_id and c.master_card_id = m.id and c.deleted_at is null
  where b.project_id = any($1::bigint[]) and b.project_id = purged.project_id and b.id = purged.id)`

/** The events of a purged thing, except the ones in the history of a card that is still there. */
const eventsOf = {
  card: 'card_id = purged.id',
  board: `board_id = purged.id and card_id is null and not (kind in (${rolloutKinds}) and ${hasCardElsewhere})`,
}

/** Deletes the events of purged cards or boards that the last run kept for them; later ones follow when they are old. */
export async function forgetEventsOf(
  queries: Queries,
  noun: 'card' | 'board',
  purged: readonly { project_id: number; id: number }[],
): Promise<void> {
  await queries.run(
    `with purged as materialized (
      select asked.project_id, asked.id, v.forgotten_until from unnest($1::bigint[], $2::bigint[]) asked (project_id, id)
      join project_versions v on v.project_id = any($1::bigint[]) and v.project_id = asked.project_id and v.forgotten_until > 0
    ), kept as materialized (
      select happened.* from purged cross join lateral (
        select project_id, id from events
        where project_id = any($1::bigint[]) and project_id = purged.project_id and ${eventsOf[noun]} offset 0) happened
      where happened.id <= purged.forgotten_until
    )
    delete from events e using kept
    where e.project_id = any($1::bigint[]) and e.project_id = kept.project_id and e.id = kept.id`,
    [purged.map(({ project_id }) => project_id), purged.map(({ id }) => id)],
  )
}

/** Works through all projects, deleted ones too, in short steps. */
export async function forgetEvents(
  db: Database,
  { days, signal }: { days: number; signal: AbortSignal },
): Promise<void> {
  for (let last = 0; ; ) {
    const projects = await db.sql<{ id: number }[]>`
      select id from projects where id > ${last} order by id limit ${projectsAtOnce}`
    const ids = projects.map(({ id }) => id)
    if (ids.length === 0) return
    last = ids.at(-1) as number
    for (let unfinished = ids; unfinished.length > 0; ) {
      signal.throwIfAborted()
      const beganAt = performance.now()
      const found = await db.run<{ project_id: number }>(statement, [unfinished, days])
      unfinished = found.map(({ project_id }) => project_id)
      await sleep((performance.now() - beganAt) * patience, undefined, { signal })
    }
  }
}
