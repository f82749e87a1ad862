// Says what projects would receive, without a lock and without writing: one statement for a batch. batch.ts stores it for each batch of a
// plan, and asks again for the projects that changed before the plan is applied; the model test compares it with what apply.ts then does.
import { findByLists } from '#database/by-keys.ts'
import type { Queries } from '#database/connect.ts'
import type { ReachedQuota } from '#quotas/quotas.ts'
import { isCustomized } from '#templates/copies.ts'
import { boardFields, cardFields, groupFields } from '#templates/rules.ts'
import { stateAt } from '#templates/version/version.ts'
import {
  changedFields,
  isBack,
  isElsewhere,
  isNews,
  isReordered,
  nextBoard,
  nextCards,
  nextGroups,
} from './merge.ts'
import { resetThings } from './reset-copies.ts'
import { revertThings } from './revert.ts'
import type { RolloutKind } from './rollout.ts'
import type { SkipReason, Skips } from './skips.ts'

/** What is rolled out: a template, one card of it, or the deletion of one, at the version with this revision. */
export interface Planned {
  kind: RolloutKind
  board_id: number
  card_id: number | null
  revision: number
  /** The rollout that it reverts. */
  reverts_id: number | null
  /** What a reset resets. */
  reset_fields: string[] | null
}

export const plannedChanges = ['added', 'returned', 'updated', 'removed', 'kept', 'skipped'] as const

export const plannedThings = ['template', 'group', 'card'] as const

/** What a project has made of a card that a deletion takes from it. */
export const cardUses = ['done', 'under_way', 'commented', 'customized'] as const

/** What happens to one thing of the template in a project. */
export interface PlannedThing {
  thing: (typeof plannedThings)[number]
  /** The id in the template. */
  id: number
  /**
   * `returned`: a card that a rollout deleted comes back; `kept`: all that the template changed was customized, it was used since it
   * was added, or a later rollout has changed it; `skipped`: for the `reason`.
   */
  change: (typeof plannedChanges)[number]
  /** The revision that the project has of it; null if it has none. */
  base: number | null
  /** The revision that a revert goes back to. */
  next?: number | null
  /** What it receives, and what it keeps because it was customized. */
  fields: string[]
  kept: string[]
  is_moved: boolean
  /** Why it is skipped; null for plans from before this was said, and for everything else. */
  reason: SkipReason | null
}

/** A thing in all projects that have the same of it, with some of them. */
interface CountedThing extends PlannedThing {
  /** What these projects have made of a card that is deleted. */
  uses?: (typeof cardUses)[number][]
  count: number
  samples: number[]
}

export const plannedOutcomes = ['changed', 'unchanged', 'failed', 'opted_out', 'no_access'] as const

/** What one project would receive, as long as it is at this version. */
export interface PlannedProject {
  outcome: (typeof plannedOutcomes)[number]
  /** The cards; groups and the template itself are not counted. */
  added: number
  updated: number
  moved: number
  removed: number
  kept: number
  /** Of the cards that are kept: added by the rollout that is reverted and in use, or changed by a later one. */
  used: number
  overtaken: number
  skipped: number
  /** In how many cards each field is kept as the project customized it, and how many cards are skipped for which reason. */
  kept_fields?: Record<string, number>
  skips?: Skips
  /** How many of the cards that are deleted are in use, and how many for which reason. */
  in_use?: number
  uses?: Record<string, number>
  version: number
  /** The version that its copy was last brought to as a whole; null if it has none. Receiving one that changes nothing is no event. */
  synced: number | null
  /** Changes with everything that the project would receive. */
  fingerprint: string
  /** The limit that a project would exceed. */
  refusal?: ReachedQuota
}

/** A project that does not have the product, or was deleted. */
export const noAccess: PlannedProject = {
  outcome: 'no_access',
  ...{ added: 0, updated: 0, moved: 0, removed: 0, kept: 0, used: 0, overtaken: 0, skipped: 0 },
  version: 0,
  synced: null,
  fingerprint: '',
}

const mostSamples = 3

/** The same thing of all copies, by a key that can be hashed. */
const ofSameBoard = `next.board_id = b.board_id and ${isNews}`
const hasContent = 'cardinality(fields) > 0 or cardinality(kept) > 0 or is_moved'
const changeOf = `case when cardinality(fields) > 0 or is_moved then 'updated' else 'kept' end`
const revisionsOf = (kind: 'group' | 'card') =>
  `select * from master_${kind}_revisions where ${kind}_id = any(array(select ${kind}_id from next_${kind}s))`
const merged = (names: readonly string[], copy: string) =>
  `${changedFields(names, copy, false)} as fields, ${changedFields(names, copy, true)} as kept`

/** Follows apply.ts statement by statement: the same conditions, on what is there before all of them. */
const mergeThings = `
  b as materialized (
    select project_id, master_board_id as board_id, id, synced_revision, master_revision, has_own_order, deleted_at is null as is_live,
      ${boardFields.join(', ')}
    from boards where project_id = any($3::bigint[]) and master_board_id = $1
  ), unknown as materialized (
    select id as project_id, $1::bigint as board_id from unnest($3::bigint[]) id where id not in (select project_id from b)
  ), next_board as materialized (${nextBoard}), next_groups as materialized (${nextGroups}), next_cards as materialized (${nextCards}),
  board_bases as materialized (select * from master_board_revisions where board_id = $1),
  group_bases as materialized (${revisionsOf('group')}), card_bases as materialized (${revisionsOf('card')}),
  g as materialized (
    select project_id, id, master_group_id, master_revision, rank, deleted_at is null as is_live, ${groupFields.join(', ')}
    from groups where project_id = any($3::bigint[]) and master_group_id = any(array(
      select group_id from next_groups union select group_id from next_cards))
  ), c as materialized (
    select project_id, id, group_id, rank, master_card_id, master_revision, is_moved, takes_updates, deleted_at, withdrawn_at,
      ${cardFields.join(', ')}
    from cards where project_id = any($3::bigint[]) and master_card_id = any(array(select card_id from next_cards))
  ), gone as materialized (
    select c.project_id, c.id, c.deleted_at > kept_since() as is_kept,
      row_number() over (partition by c.project_id, c.group_id, c.rank order by c.id) = 1 and not exists (
        select from cards taken where taken.project_id = any($3::bigint[]) and taken.project_id = c.project_id
          and taken.group_id = c.group_id and taken.rank = c.rank and taken.deleted_at is null) as is_free
    from b join next_cards next on ${ofSameBoard}
    join c on c.project_id = b.project_id and c.master_card_id = next.card_id and c.deleted_at = c.withdrawn_at
    join master_cards m on m.id = next.card_id and ${isBack}
    where exists (
      select from groups own where own.project_id = any($3::bigint[]) and own.project_id = c.project_id and own.id = c.group_id
        and own.deleted_at is null)
  ), placed as materialized (
    select b.project_id, next.card_id as id, c.id as copy_id, base.revision as base, gone.id is not null as is_returning,
      c.id is not null and coalesce(gone.is_kept, true) as is_there,
      c.deleted_at is null or coalesce(gone.is_kept, false) as is_live, c.takes_updates and c.master_revision < next.revision as is_behind,
      not c.takes_updates and c.master_revision < next.revision as is_stopped, not c.is_moved and coalesce(gone.is_free, true) as follows,
      base.revision is null or ${isElsewhere} as is_elsewhere, g.id as group_id, g.is_live as is_group_live,
      next.group_id as next_group_id, (g.id, next.rank) is distinct from (c.group_id, c.rank) as is_new_place, ${merged(cardFields, 'c')}
    from b join next_cards next on ${ofSameBoard}
    left join c on c.project_id = b.project_id and c.master_card_id = next.card_id
    left join gone on gone.project_id = c.project_id and gone.id = c.id
    left join card_bases base on base.card_id = c.master_card_id and base.revision = c.master_revision and coalesce(gone.is_kept, true)
    left join g on g.project_id = b.project_id and g.master_group_id = next.group_id
  ), new_groups as materialized (
    select b.project_id, next.group_id as id from b join next_groups next on ${ofSameBoard}
    left join g on g.project_id = b.project_id and g.master_group_id = next.group_id
    where b.is_live and g.id is null
      and ($4::bigint is null or b.project_id in (select project_id from placed where is_elsewhere))
  ), decided as (
    select placed.*, case when group_id is null then new_groups.id is not null else is_group_live end as has_group
    from placed left join new_groups on new_groups.project_id = placed.project_id and new_groups.id = placed.next_group_id
  ), things as materialized (
    select project_id, 'template' as thing, $1::bigint as id, ${changeOf} as change, base, fields, kept, is_moved, null::text as reason from (
      select b.project_id, base.revision as base, false as is_moved, ${merged(boardFields, 'b')}
      from b join next_board next on ${ofSameBoard} join board_bases base on base.revision = b.master_revision
      where $4::bigint is null and b.is_live and b.master_revision < next.revision
    ) boards where ${hasContent}
    union all
    select project_id, 'group', id, ${changeOf}, base, fields, kept, is_moved, null from (
      select b.project_id, next.group_id as id, base.revision as base, ${isReordered} as is_moved, ${merged(groupFields, 'g')}
      from b join next_groups next on ${ofSameBoard} join g on g.project_id = b.project_id and g.master_group_id = next.group_id
      join group_bases base on base.group_id = g.master_group_id and base.revision = g.master_revision
      where $4::bigint is null and g.is_live and g.master_revision < next.revision
    ) groups where ${hasContent}
    union all
    select project_id, 'group', id, 'added', null, '{}', '{}', false, null from new_groups
    union all
    select project_id, 'card', id, case when is_returning then 'returned' else ${changeOf} end, base, fields, kept, is_moved, null from (
      select project_id, id, is_returning, base, case when is_behind then fields else '{}' end as fields,
        case when is_behind then kept else '{}' end as kept,
        is_behind and follows and has_group and is_elsewhere and is_new_place as is_moved
      from decided where is_there and is_live
    ) cards where is_returning or ${hasContent}
    union all
    select project_id, 'card', id, case when not is_there and has_group then 'added' else 'skipped' end, base, '{}', '{}', false,
      case when is_there and not is_live then 'deleted' when is_there then 'updates_stopped' when not has_group then 'no_group' end
    from decided where case when is_there then (is_stopped and not is_returning) or (not is_live and is_behind) else true end
    union all
    select project_id, 'template', $1::bigint, 'added', null, '{}', '{}', false, null from unknown
    union all
    select project_id, 'group', next.group_id, 'added', null, '{}', '{}', false, null from unknown b join next_groups next on next.board_id = b.board_id
    union all
    select project_id, 'card', next.card_id, 'added', null, '{}', '{}', false, null
    from unknown b join next_cards next on next.board_id = b.board_id join next_groups on next_groups.group_id = next.group_id
  )`

/** Whether the version has the card: applying the plan deletes it from the template. */
const isToDelete = `exists (select from (${stateAt('card', { isWanted: 'card_id = $4' })}) newest where not is_deleted)`

/** What the project has made of the copy `c`. */
const usesOf = `array_remove(array[
    case when c.status = 'closed' then 'done' when c.status <> coalesce(base.status, 'open') then 'under_way' end,
    case when exists (
      select from comments m where m.project_id = any($3::bigint[]) and m.project_id = c.project_id and m.card_id = c.id and m.deleted_at is null)
      then 'commented' end,
    case when ${isCustomized} then 'customized' end
  ]::text[], null)`

/** The copies of a deleted card; see removeCards in apply.ts, which leaves them once a version has the card again. */
const removeThings = `
  b as (select null::bigint as project_id, true as is_live, null::integer as synced_revision where false), things as materialized (
    select c.project_id, 'card' as thing, $4::bigint as id, case when is_gone then 'removed' else 'skipped' end as change, c.master_revision as base,
      '{}'::text[] as fields, '{}'::text[] as kept, false as is_moved, case when not is_gone then 'in_template' end as reason,
      case when is_gone then ${usesOf} else '{}' end as uses
    from (
      select coalesce(last.is_deleted, m.deleted_at is not null) or ${isToDelete} as is_gone
      from master_cards m left join master_card_revisions last on last.card_id = m.id and last.revision = m.published_revision where m.id = $4
    ) card, cards c left join master_card_revisions base on base.card_id = c.master_card_id and base.revision = c.master_revision
    where c.master_card_id = $4 and c.project_id = any($3::bigint[]) and c.deleted_at is null
  )`

const countOf = (condition: string) => `count(*) filter (where thing = 'card' and ${condition})`

/** How many cards of each project have which of these, as an object. */
const countsBy = (name: string, value: string, condition: string) => `
  ${name} as (
    select project_id, json_object_agg(value, count) as counts from (
      select project_id, ${value} as value, count(*) as count from things where ${condition} group by 1, 2
    ) sums group by project_id
  )`

/** What a kind of rollout says about a thing in addition; each is an expression of its `things`. */
interface More {
  next?: string
  uses?: string
}

/** One row, so that what is read of a project and its version are of the same moment. */
const statementOf = (things: string, { next = 'null::integer', uses = "'{}'::text[]" }: More = {}) => `
  with ${things}, projects as (
    select project_id, ${countOf("change in ('added', 'returned')")} as added, ${countOf("change = 'updated' and cardinality(fields) > 0")} as updated,
      ${countOf('is_moved')} as moved, ${countOf("change = 'removed'")} as removed, ${countOf('cardinality(kept) > 0')} as kept,
      ${countOf("kept = '{used}'")} as used, ${countOf("kept = '{later_rollout}'")} as overtaken, ${countOf("change = 'skipped'")} as skipped,
      ${countOf(`cardinality(${uses}) > 0`)} as in_use, bool_or(change in ('added', 'returned', 'updated', 'removed')) as is_changed,
      left(md5(string_agg(concat_ws(' ', thing, id, change, fields, kept, is_moved, reason), ',' order by thing, id)), 16) as fingerprint
    from things group by project_id
  ), ${countsBy('kept_fields', 'unnest(kept)', "thing = 'card' and not kept && '{used,later_rollout}'")}, ${countsBy('skips', 'reason', "thing = 'card' and reason is not null")}, ${countsBy('uses', `unnest(${uses})`, `cardinality(${uses}) > 0`)}, counted as (
    select thing, id, change, base, ${next} as next, fields, kept, is_moved, reason, ${uses} as uses, count(*) as count,
      (array_agg(project_id order by project_id))[1:${mostSamples}] as samples
    from things group by thing, id, change, base, ${next}, fields, kept, is_moved, reason, ${uses}
  )
  select (
    select coalesce(json_object_agg(given.id, json_build_object(
      'outcome', case when is_changed then 'changed' when not b.is_live then 'opted_out' else 'unchanged' end,
      'added', coalesce(added, 0), 'updated', coalesce(updated, 0), 'moved', coalesce(moved, 0), 'removed', coalesce(removed, 0), 'kept', coalesce(kept, 0),
      'used', coalesce(used, 0), 'overtaken', coalesce(overtaken, 0), 'skipped', coalesce(skipped, 0),
      'kept_fields', coalesce(kept_fields.counts, '{}'), 'skips', coalesce(skips.counts, '{}'), 'in_use', coalesce(in_use, 0),
      'uses', coalesce(uses.counts, '{}'), 'version', coalesce(v.version, 0), 'synced', b.synced_revision,
      'fingerprint', coalesce(fingerprint, ''))), '{}')
    from unnest($3::bigint[]) given (id) left join b on b.project_id = given.id left join projects on projects.project_id = given.id
    left join kept_fields on kept_fields.project_id = given.id left join skips on skips.project_id = given.id
    left join uses on uses.project_id = given.id
    left join project_versions v on v.project_id = any($3::bigint[]) and v.project_id = given.id
  ) as projects, (select coalesce(json_agg(counted), '[]') from counted) as things`

/** By what a rollout does: a CTE `things` of what happens to each thing in each project. */
export const thingsOf = {
  merge: mergeThings,
  removal: removeThings,
  revert: revertThings,
  reset: resetThings,
}

const statements: typeof thingsOf = {
  merge: statementOf(thingsOf.merge),
  removal: statementOf(thingsOf.removal, { uses: 'uses' }),
  revert: statementOf(thingsOf.revert, { next: 'next' }),
  reset: statementOf(thingsOf.reset),
}

const thingsIn = (things: string) => `
  with ${things} select thing, id, change, base, array_to_json(fields) as fields, array_to_json(kept) as kept, is_moved, reason
  from things order by thing = 'card', thing = 'group', id`

const details: typeof thingsOf = {
  merge: thingsIn(thingsOf.merge),
  removal: thingsIn(thingsOf.removal),
  revert: thingsIn(thingsOf.revert),
  reset: thingsIn(thingsOf.reset),
}

export const wayOf = ({ kind }: Planned) => (kind === 'board' || kind === 'card' ? 'merge' : kind)

/** The parameters of its statements. */
export const valuesOf = (
  { kind, board_id, card_id, revision, reverts_id, reset_fields }: Planned,
  projectIds: readonly number[],
) => {
  const ids = projectIds as number[]
  if (kind === 'reset') return [board_id, revision, ids, card_id, JSON.stringify(reset_fields)]
  return kind === 'revert' ? [board_id, reverts_id, ids] : [board_id, revision, ids, card_id]
}

export interface BatchPlan {
  /** By the project's id. */
  projects: Record<string, PlannedProject>
  things: CountedThing[]
}

/** What projects with access would receive. In a transaction, whose statements find rows by hashed keys meanwhile. */
export async function planProjects(
  queries: Queries,
  what: Planned,
  projectIds: readonly number[],
): Promise<BatchPlan> {
  await findByLists(queries)
  const [plan] = await queries.sql.unsafe<BatchPlan[]>(statements[wayOf(what)], valuesOf(what, projectIds))
  return plan as BatchPlan
}

/** What one project with access would receive at this moment, thing by thing. */
export const planThings = ({ sql }: Queries, what: Planned, projectId: number): Promise<PlannedThing[]> =>
  sql.unsafe<PlannedThing[]>(details[wayOf(what)], valuesOf(what, [projectId]))
