// Finds the projects that cannot receive what is planned because they would hold too much. It only reads: what they would receive is
// counted and compared with the limits. Called by batch.ts while a rollout is planned; the model test compares it with what apply.ts refuses.
import type { Queries } from '#database/connect.ts'
import type { Quota, Quotas } from '#quotas/quotas.ts'
import type { Applying } from './changing-copies.ts'
import {
  type BatchPlan,
  noAccess,
  type PlannedProject,
  planProjects,
  thingsOf,
  valuesOf,
  wayOf,
} from './planning.ts'

/** What projects with access would receive; `failed` for projects without room for it. */
export async function planWithinLimits(
  queries: Queries,
  rollout: Applying,
  projectIds: readonly number[],
  quotas: Quotas,
): Promise<BatchPlan> {
  const plan = await planProjects(queries, rollout, projectIds)
  const changed = projectIds.filter((id) => plan.projects[id]?.outcome === 'changed')
  const nearlyFull = await findNearlyFull(queries, rollout, changed, quotas)
  const failed: Record<string, PlannedProject> = {}
  for (const { project_id: id, quota } of await findFull(queries, rollout, nearlyFull, quotas)) {
    const { version, synced } = plan.projects[id] as PlannedProject
    const refusal = { quota, most: quotas[quota] }
    failed[id] = { ...noAccess, outcome: 'failed', refusal, version, synced }
  }
  if (Object.keys(failed).length === 0) return plan
  const others = await planProjects(
    queries,
    rollout,
    projectIds.filter((id) => !failed[id]),
  )
  return { projects: { ...others.projects, ...failed }, things: others.things }
}

/** At most as many bytes as a state counts for. */
const mostBytes = (kind: 'board' | 'group' | 'card', isWanted = 'true') => `(
  select coalesce(sum(bytes), 0) from (
    select max(800 + 4 * octet_length(to_jsonb(state)::text)) as bytes from master_${kind}_revisions state
    where board_id = $2 and ${isWanted} group by ${kind}_id) most)`

const limitsIn = (quotas: string) => `
  select * from jsonb_to_record(${quotas}::text::jsonb) as quotas ("cardsPerGroup" bigint, "cardsPerBoard" bigint, "groupsPerBoard" bigint,
    "bytesPerBoard" bigint, "bytesPerProject" bigint, "boardsPerProject" bigint)`

/**
 * $1 projects, $2 the template, $3 its only card or null, $4 the limits. More than the rollout can bring is added to what each of them
 * holds, so that nearly all projects need no closer look. Comments come back with cards that a rollout had deleted.
 */
const nearlyFullStatement = `
  with more as materialized (
    select (select count(*) from master_cards where board_id = $2 and ($3::bigint is null or id = $3)) as cards,
      (select count(*) from master_groups where board_id = $2) as groups,
      ${mostBytes('card', '($3::bigint is null or card_id = $3)')} + ${mostBytes('group')} + ${mostBytes('board')} as bytes
  ), most as materialized (${limitsIn('$4')})
  select project.id from more, most, unnest($1::bigint[]) project (id)
  cross join lateral (
    select coalesce(max(s.cards), 0) as cards, coalesce(max(s.groups), 0) as groups, coalesce(max(s.bytes), 0) as bytes,
      coalesce(sum(s.bytes + s.comment_bytes), 0) as all_bytes
    from board_sizes s where s.project_id = any($1::bigint[]) and s.project_id = project.id
  ) held
  cross join lateral (
    select count(*) as boards from boards b where b.project_id = any($1::bigint[]) and b.project_id = project.id and b.deleted_at is null
  ) own
  cross join lateral (
    select coalesce(sum(octet_length(m.comment)), 0) as bytes
    from cards c join comments m on m.project_id = any($1::bigint[]) and m.project_id = c.project_id and m.card_id = c.id
      and m.deleted_at = c.withdrawn_at
    where c.project_id = any($1::bigint[]) and c.project_id = project.id and c.deleted_at = c.withdrawn_at and c.master_card_id = any(array(
      select id from master_cards where board_id = $2 and case when $3::bigint is null then withdrawn_revision > 0 else id = $3 end))
  ) returning_comments
  where held.cards + more.cards > least("cardsPerGroup", "cardsPerBoard") or held.groups + more.groups > "groupsPerBoard"
    or held.bytes + more.bytes > "bytesPerBoard" or held.all_bytes + more.bytes + returning_comments.bytes > "bytesPerProject"
    or own.boards >= "boardsPerProject"
  order by project.id`

async function findNearlyFull(
  { sql }: Queries,
  { kind, reverted_kind, board_id, card_id }: Applying,
  projectIds: number[],
  quotas: Quotas,
): Promise<number[]> {
  const neverGrows = kind === 'removal' || (kind === 'revert' && reverted_kind !== 'removal')
  if (neverGrows || projectIds.length === 0) return []
  const values = [projectIds, board_id, card_id, JSON.stringify(quotas)]
  return (await sql.unsafe<{ id: number }[]>(nearlyFullStatement, values)).map(({ id }) => id)
}

/** What counts for the size of each, as in its column `bytes`. */
const boardWords = ['title', 'description', 'icon', 'color'] as const
const groupWords = [...boardWords, 'type'] as const
const cardWords = [
  'title',
  'description',
  'short_description',
  'unique_identifier',
  'evaluation_check',
  'tour_key',
] as const

const bytesOf = (fixed: number, names: readonly string[], others = "''") =>
  `sent_bytes(${fixed}, ${names.map((name) => `coalesce(next.${name}, '')`).join(' || ')} || ${others})`

/** By how much a copy grows with the fields that it receives of `next`. */
const moreBytes = (names: readonly string[]) =>
  names
    .map(
      (name) =>
        `case when '${name}' = any(thing.fields) then sent_bytes(0, coalesce(next.${name}, '')) - sent_bytes(0, coalesce(copy.${name}, '')) else 0 end`,
    )
    .join(' + ')

const inProjects = (alias: string) =>
  `${alias}.project_id = any($3::bigint[]) and ${alias}.project_id = thing.project_id`
const ownBoard = `left join boards own on ${inProjects('own')} and own.master_board_id = $1`

/** The groups and the template itself, which only a rollout of these brings. A board that is not there yet has no id. */
const grownOthers = `
  select thing.project_id, coalesce(copy.board_id, own.id, 0) as board_id, 0 as cards, case change when 'added' then 1 else 0 end as groups,
    case change when 'added' then ${bytesOf(540, groupWords)} else ${moreBytes(groupWords)} end as bytes, 0 as comment_bytes
  from things thing join next_groups next on next.group_id = thing.id
  left join groups copy on ${inProjects('copy')} and copy.master_group_id = thing.id ${ownBoard}
  where thing = 'group' and change in ('added', 'updated')
  union all
  select thing.project_id, coalesce(copy.id, 0), 0, 0,
    case change when 'added' then ${bytesOf(500, boardWords, "coalesce(m.tool_key, '')")} else ${moreBytes(boardWords)} end, 0
  from things thing join next_board next on next.board_id = thing.id join master_boards m on m.id = thing.id
  left join boards copy on ${inProjects('copy')} and copy.master_board_id = thing.id
  where thing = 'template' and change in ('added', 'updated')`

/**
 * The first limit that each of the projects would exceed, in the order in which apply.ts looks at them. What is above a limit already may stay
 * so, but not grow. `next` is what a card receives.
 */
const fullStatement = (
  things: string,
  { next, others, quotas }: Record<'next' | 'others' | 'quotas', string>,
) => `
  with ${things}, most as materialized (${limitsIn(quotas)}), grown_cards as materialized (
    select thing.project_id, case when change = 'added' or thing.is_moved then coalesce(target.board_id, own.id, 0) else copy.board_id end as board_id,
      case change when 'updated' then 0 else 1 end as cards,
      case change when 'added' then ${bytesOf(800, cardWords, 'next.status')} when 'returned' then copy.bytes + ${moreBytes(cardWords)} else ${moreBytes(cardWords)} end as bytes,
      case change when 'returned' then (
        select coalesce(sum(octet_length(m.comment)), 0) from comments m
        where ${inProjects('m')} and m.card_id = copy.id and m.deleted_at = copy.withdrawn_at) else 0 end as comment_bytes,
      case change when 'updated' then copy.group_id::text end as left_list,
      case when change = 'added' or thing.is_moved then coalesce(target.id::text, 'new ' || next.group_id) else copy.group_id::text end as list
    from things thing join ${next}
    left join cards copy on ${inProjects('copy')} and copy.master_card_id = thing.id
      and copy.master_card_id = any(array(select id from things where thing = 'card'))
    left join groups target on ${inProjects('target')} and target.master_group_id = next.group_id ${ownBoard}
    where thing = 'card' and change in ('added', 'returned', 'updated')
  ), grown as materialized (
    select project_id, board_id, sum(cards) as cards, sum(groups) as groups, sum(bytes) as bytes, sum(comment_bytes) as comment_bytes from (
      select project_id, board_id, cards, 0 as groups, bytes, comment_bytes from grown_cards ${others}
    ) parts group by project_id, board_id
  ), held as materialized (
    select thing.project_id, thing.board_id, thing.cards > 0 as has_more_cards, coalesce(s.cards, 0) + thing.cards as cards,
      thing.groups > 0 as has_more_groups, coalesce(s.groups, 0) + thing.groups as groups, thing.bytes > 0 as is_larger,
      coalesce(s.bytes, 0) + thing.bytes as bytes
    from grown thing left join board_sizes s on ${inProjects('s')} and s.board_id = thing.board_id
  ), long as materialized (
    select project_id, board_id from held, most where has_more_cards and cards > "cardsPerGroup"
  ), lists as (
    select own.project_id, own.board_id, own.group_id::text as list, 1 as cards from cards own join long thing on own.board_id = thing.board_id
    where ${inProjects('own')} and own.deleted_at is null
    union all select project_id, board_id, list, 1 from grown_cards join long using (project_id, board_id)
    union all select project_id, board_id, left_list, -1 from grown_cards join long using (project_id, board_id) where left_list is not null
  ), reached as (
    select project_id, 1 as place, 'boardsPerProject' as quota from things thing, most where thing = 'template' and change = 'added' and (
      select count(*) from boards own where ${inProjects('own')} and own.deleted_at is null) >= "boardsPerProject"
    union all select project_id, 2, 'cardsPerBoard' from held, most where has_more_cards and cards > "cardsPerBoard"
    union all select project_id, 3, 'groupsPerBoard' from held, most where has_more_groups and groups > "groupsPerBoard"
    union all select project_id, 4, 'bytesPerBoard' from held, most where is_larger and bytes > "bytesPerBoard"
    union all select project_id, 5, 'cardsPerGroup' from lists, most group by project_id, board_id, list, "cardsPerGroup" having sum(cards) > "cardsPerGroup"
    union all select project_id, 6, 'bytesPerProject' from grown thing, most group by project_id, "bytesPerProject"
      having bool_or(bytes > 0) and sum(bytes + comment_bytes) + (
        select coalesce(sum(s.bytes + s.comment_bytes), 0) from board_sizes s where ${inProjects('s')}) > "bytesPerProject"
  )
  select distinct on (project_id) project_id, quota from reached order by project_id, place`

const nextVersion = 'next_cards next on next.card_id = thing.id'
/** What the copy has received before, which a reset and a return bring again. */
const lastReceived = 'master_card_revisions next on next.card_id = thing.id and next.revision = thing.base'

const fullStatements = {
  merge: fullStatement(thingsOf.merge, {
    next: nextVersion,
    others: `union all ${grownOthers}`,
    quotas: '$5',
  }),
  revert: fullStatement(thingsOf.revert, { next: lastReceived, others: '', quotas: '$4' }),
  reset: fullStatement(thingsOf.reset, { next: lastReceived, others: '', quotas: '$6' }),
}

interface Full {
  project_id: number
  quota: Quota
}

async function findFull(
  { sql }: Queries,
  rollout: Applying,
  projectIds: number[],
  quotas: Quotas,
): Promise<Full[]> {
  const way = wayOf(rollout)
  if (projectIds.length === 0 || way === 'removal') return []
  return sql.unsafe<Full[]>(fullStatements[way], [...valuesOf(rollout, projectIds), JSON.stringify(quotas)])
}
