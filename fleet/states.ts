// Keeps the sums of template cards over all projects. A project's states and the sums change together, in a transaction that has locked
// the project's states, so that the sums are exactly those of the states, however many instances count.
import { findByLists } from '#database/by-keys.ts'
import type { Queries } from '#database/connect.ts'
import { customizable, customizations, isCustomized } from '#templates/copies.ts'
import { copies, isOverdue } from './figures.ts'
import { daysPrefix, fieldMeasure, otherMeasures, stateMeasures, weekPrefix } from './measures.ts'
import { receivedVersions } from './received.ts'

/** Counts the template cards of these projects again, and adds the difference to the sums. Inside of a transaction. */
export async function countStates(queries: Queries, projectIds: readonly number[]): Promise<void> {
  const ids = projectIds as number[]
  await findByLists(queries)
  await queries.run(addStatement, [ids])
  await queries.run(lockStatement, [ids])
  // Only now, so that it sees what others have counted before.
  await queries.run(countStatement, [ids])
}

/** A row for each template of each project, also one without cards; $1 the projects. */
const addStatement = `
  insert into project_template_states (project_id, master_board_id, states)
  select distinct c.project_id, m.board_id, '{}'::jsonb
  from cards c join master_cards m on m.id = c.master_card_id
  where c.project_id = any($1::bigint[]) and c.master_card_id is not null
  union select project_id, master_board_id, '{}' from boards
  where project_id = any($1::bigint[]) and master_board_id is not null and deleted_at is null order by 1, 2
  on conflict (project_id, master_board_id) do nothing`

const lockStatement = `
  select from project_template_states where project_id = any($1::bigint[]) order by project_id, master_board_id for update`

const state = `case
  when c.deleted_at is not null then '${stateMeasures.deleted}'
  when c.status = 'closed' then '${stateMeasures.done}'
  when c.status = 'in_progress' then '${stateMeasures.in_progress}'
  when c.status = 'to_check' then '${stateMeasures.to_check}'
  when c.status = 'blocked' then '${stateMeasures.blocked}'
  else '${stateMeasures.open}' end`

const isLive = 'c.deleted_at is null'
const isClosed = `c.status = 'closed'`
const isDone = `${isLive} and ${isClosed}`
/** Neither a deleted or archived project nor a card that a rollout deleted counts. */
const isCounted =
  'p.deleted_at is null and p.archived_at is null and (c.withdrawn_at is null or c.deleted_at is distinct from c.withdrawn_at)'

const when = (condition: string, value: string) => `case when ${condition} then ${value} end`

/** When a card was done is not stored with it: it is when it last changed, unless it was counted as done before. */
const week = 'coalesce(before.week, done.week)'
const days = 'coalesce(before.days, done.days)'

const measuresOf = `to_jsonb(array_remove(array[
    ${state},
    ${when(`${isLive} and ${isOverdue}`, `'${otherMeasures.overdue}'`)},
    ${when(`${isLive} and (${isCustomized})`, `'${otherMeasures.customized}'`)},
    ${customizable.map((field) => when(`${isLive} and ${customizations[field]}`, `'${fieldMeasure(field)}'`)).join(', ')},
    ${when(`${isLive} and c.evaluation_passed`, `'${otherMeasures.check_passed}'`)},
    ${when(`${isLive} and not c.evaluation_passed`, `'${otherMeasures.check_failed}'`)},
    ${when(isDone, week)},
    ${when(isDone, days)}
  ]::text[], null))`

/** $1 the projects. */
const countStatement = `
  with known as materialized (
    select s.project_id, s.master_board_id, card.key::bigint as card_id, card.value as measures
    from project_template_states s cross join jsonb_each(s.states) card where s.project_id = any($1::bigint[])
  ), done_before as materialized (
    select project_id, card_id, max(measure) filter (where measure like '${weekPrefix}%') as week,
      max(measure) filter (where measure like '${daysPrefix}%') as days
    from (
      select project_id, card_id, measures from known where jsonb_array_length(measures) > 1
      union all select s.project_id, card.key::bigint, card.value
      from project_template_states s cross join jsonb_each(s.done_before) card where s.project_id = any($1::bigint[])
    ) remembered cross join jsonb_array_elements_text(measures) measure group by 1, 2
  ), copied as materialized (
    select c.project_id, m.board_id as master_board_id, m.id as card_id, ${when(isCounted, measuresOf)} as measures,
      ${when(`${isClosed} and not (${isLive} and ${isCounted})`, `jsonb_build_array(${week}, ${days})`)} as done_before
    from ${copies}
    join projects p on p.id = c.project_id and p.id = any($1::bigint[])
    left join done_before before on before.project_id = c.project_id and before.card_id = m.id
    cross join lateral (
      select '${weekPrefix}' || floor(extract(epoch from c.updated_at - timestamptz '1970-01-05 00:00+00') / 604800) as week,
        '${daysPrefix}' || least(greatest(floor(extract(epoch from c.updated_at - c.created_at) / 86400), 0), 9999) as days
    ) done
    where c.project_id = any($1::bigint[]) and c.master_card_id is not null
  ), counted as materialized (
    select project_id, card_id, measures from copied where measures is not null
  ), states as materialized (
    select project_id, master_board_id, coalesce(jsonb_object_agg(card_id::text, measures) filter (where measures is not null), '{}') as states,
      coalesce(jsonb_object_agg(card_id::text, done_before) filter (where done_before is not null), '{}') as done_before
    from copied group by 1, 2
  ), received as materialized (
    ${receivedVersions}
  ), stored as (
    update project_template_states s set states = coalesce(states.states, '{}'), done_before = coalesce(states.done_before, '{}'),
      received_revision = received.revision
    from project_template_states own
      left join states on states.project_id = own.project_id and states.master_board_id = own.master_board_id
      left join received on received.project_id = own.project_id and received.master_board_id = own.master_board_id
    where own.project_id = any($1::bigint[]) and s.project_id = any($1::bigint[]) and s.project_id = own.project_id
      and s.master_board_id = own.master_board_id
      and (s.states, s.done_before, s.received_revision)
        is distinct from (coalesce(states.states, '{}'), coalesce(states.done_before, '{}'), received.revision)
  ), changed as materialized (
    select card_id, known.measures as before, counted.measures as after
    from known full join counted using (project_id, card_id) where known.measures is distinct from counted.measures
  ), differences as (
    select card_id, measure, sum(step)::integer as step from (
      select card_id, measure, 1 as step from changed cross join jsonb_array_elements_text(after) measure
      union all select card_id, measure, -1 from changed cross join jsonb_array_elements_text(before) measure
    ) steps group by 1, 2 having sum(step) <> 0
  )
  insert into template_card_counts as sums (master_card_id, measure, count)
  select card_id, measure, step from differences order by 1, 2
  on conflict (master_card_id, measure) do update set count = sums.count + excluded.count`
