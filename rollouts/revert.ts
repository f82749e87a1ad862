// Reverts what a rollout brought: values that are still as it brought them, and cards, groups and boards that it added or brought back
// and that nobody has used since.
// planning.ts says with the same decisions what would be reverted.
import { findByLists } from '#database/by-keys.ts'
import type { Queries } from '#database/connect.ts'
import { type BoardGrowth, noteGrowth } from '#quotas/room.ts'
import { boardFields, cardFields, groupFields } from '#templates/rules.ts'
import {
  type Change,
  type ChangedGroup,
  groupAs,
  hasOnlyKept,
  nothingChanged,
  type OnlyKept,
  type TitledCard,
  titledCard,
  type UpdatedCard,
} from './apply.ts'
import { isElsewhere, isReordered, returnedFields } from './merge.ts'

const same = (names: readonly string[], copy: string) =>
  names.map((name) => `${copy}.${name} is not distinct from base.${name}`).join(' and ')
const returned = (names: readonly string[], copy: string) =>
  `${returnedFields(names, copy, false)} as fields, ${returnedFields(names, copy, true)} as kept`
const statesOf = (kind: 'board' | 'group' | 'card') => `
  base_of_${kind}s as materialized (select * from master_${kind}_revisions where board_id = $1)`
const baseOf = (kind: 'board' | 'group' | 'card', copy: string) =>
  `join base_of_${kind}s base on base.${kind}_id = ${copy}.master_${kind}_id and base.revision = ${copy}.master_revision`
/** What the copy had before; null if the rollout added it. */
const nextOf = (kind: 'board' | 'group' | 'card', copy: string) =>
  `left join base_of_${kind}s next on next.${kind}_id = ${copy}.master_${kind}_id and next.revision = ${copy}.previous_revision`

/** A card that takes no updates stays as it is, unless the rollout brought it back: then it is deleted again, since deletions do not ask for this either. */
const isOpen = (copy: string) => `(${copy}.takes_updates or ${copy}.returned_at is not null)`

/** What a removal deleted and a project restored itself is there already. */
const isNoRemoval = `not exists (select from rollouts where id = $2 and kind = 'removal')`

/**
 * What becomes of each thing that the rollout $2 of the template $1 changed in the projects $3. `base` is what it brought and `next` what was
 * there before, so that a field returns under the same condition as it is received otherwise.
 */
export const decisions = `
  ${(['board', 'group', 'card'] as const).map(statesOf).join(', ')},
  b as materialized (
    select project_id, id, master_board_id, master_revision, previous_revision, has_own_order, received_with, own_fields, title as name,
      version_revision, version_with, previous_version_revision, synced_revision, bytes, deleted_at is null as is_live, ${boardFields.join(', ')}
    from boards where project_id = any($3::bigint[]) and master_board_id = $1
  ), g as materialized (
    select project_id, id, board_id, master_group_id, master_revision, previous_revision, received_with, own_fields, rank, bytes, is_active,
      deleted_at is null as is_live, ${groupFields.join(', ')}
    from groups where project_id = any($3::bigint[]) and master_group_id = any(array(select id from master_groups where board_id = $1))
  ), back_cards as materialized (
    select c.project_id, c.id as copy_id, c.group_id, c.board_id, c.bytes, c.master_card_id as id, base.revision as base, base.published_with, c.previous_revision,
      ${returned(cardFields, 'c')}, c.previous_revision is null or c.returned_at is not null as is_added, c.returned_at is not null as is_returned,
      case when c.returned_at is not null then c.updated_at = c.returned_at and not exists (
          select from comments m where m.project_id = any($3::bigint[]) and m.project_id = c.project_id and m.card_id = c.id
            and m.created_at > c.returned_at and m.deleted_at is null)
        else c.previous_revision is null and ${same(cardFields, 'c')} and c.status = base.status and c.owner_id is null and c.due_date is null
        and c.tag_id is null and c.snoozed_until is null and not c.is_moved and c.is_active and not exists (
          select from comments m where m.project_id = any($3::bigint[]) and m.project_id = c.project_id and m.card_id = c.id
            and m.deleted_at is null) and not exists (
          select from card_follows f where f.project_id = any($3::bigint[]) and f.project_id = c.project_id and f.card_id = c.id
            and f.is_following) end as is_removed,
      coalesce(not c.is_moved and target.is_live and ${isElsewhere}, false) as is_moved, target.id as target_id, target.board_id as target_board_id
    from cards c ${baseOf('card', 'c')} ${nextOf('card', 'c')}
    left join g target on target.project_id = c.project_id and target.master_group_id = next.group_id
    where c.project_id = any($3::bigint[]) and c.received_with = $2 and c.deleted_at is null and ${isOpen('c')} and ${isNoRemoval}
      and c.master_card_id = any(array(select id from master_cards where board_id = $1))
  ), used_groups as materialized (
    select c.project_id, c.group_id from cards c left join back_cards r on r.project_id = c.project_id and r.copy_id = c.id
    where c.project_id = any($3::bigint[]) and c.deleted_at is null and not coalesce(r.is_removed or r.is_moved, false)
    union select project_id, target_id from back_cards where is_moved
  ), back_groups as materialized (
    select g.project_id, g.id as copy_id, g.board_id, g.bytes, g.master_group_id as id, base.revision as base, base.published_with, g.previous_revision,
      ${returned(groupFields, 'g')}, g.previous_revision is null as is_added,
      g.previous_revision is null and ${same(groupFields, 'g')} and g.is_active and used.group_id is null as is_removed,
      coalesce(${isReordered}, false) as is_moved
    from g join b on b.project_id = g.project_id ${baseOf('group', 'g')} ${nextOf('group', 'g')}
    left join used_groups used on used.project_id = g.project_id and used.group_id = g.id
    where g.received_with = $2 and g.is_live
  ), used_boards as materialized (
    select distinct own.project_id, own.board_id from groups own left join back_groups r on r.project_id = own.project_id and r.copy_id = own.id
    where own.project_id = any($3::bigint[]) and own.deleted_at is null and not coalesce(r.is_removed, false)
    union select project_id, board_id from saved_views where project_id = any($3::bigint[]) and board_id is not null
  ), back_boards as materialized (
    select b.project_id, b.id as copy_id, b.bytes, b.name, base.revision as base, base.published_with, b.previous_revision,
      ${returned(boardFields, 'b')},
      b.previous_revision is null as is_added,
      b.previous_revision is null and ${same(boardFields, 'b')} and used.board_id is null as is_removed
    from b ${baseOf('board', 'b')} ${nextOf('board', 'b')}
    left join used_boards used on used.project_id = b.project_id and used.board_id = b.id
    where b.received_with = $2 and b.is_live
  )`

/** The version that a copy of the board has afterwards: the one before the rollout, or before what is reverted if others came since. */
const versionsBack = `
  taken as (${['back_cards', 'back_groups', 'back_boards']
    .map((table) => `select project_id, published_with from ${table} where is_removed or not is_added`)
    .join(' union all ')}
  ), versions_back as materialized (
    select b.project_id, b.id, case when b.version_with = $2 then coalesce(b.previous_version_revision, 0)
      else least(b.version_revision, min(taken.published_with) - 1) end as revision
    from b left join taken on taken.project_id = b.project_id
    group by b.project_id, b.id, b.version_with, b.previous_version_revision, b.version_revision
  )`

/** A thing that was added and is used, or customized since, stays. */
const changeOf = `case when is_removed then 'removed' when is_added then 'kept'
  when cardinality(fields) > 0 or is_moved then 'updated' else 'kept' end`
const keptOf = `case when is_added and not is_removed then '{used}'::text[] when is_added then '{}' else kept end`
const hasContent = 'is_added or is_moved or cardinality(fields) > 0 or cardinality(kept) > 0'
const thingsOf = (thing: string, id: string, table: string, isMoved = 'is_moved') => `
  select project_id, '${thing}' as thing, ${id} as id, ${changeOf} as change, base, case when is_added then '{}' else fields end as fields,
    ${keptOf} as kept, not is_added and is_moved as is_moved, null::text as reason, case when not is_added then previous_revision end as next
  from (select *${isMoved === 'is_moved' ? '' : `, ${isMoved} as is_moved`} from ${table}) thing where ${hasContent}`

/** Cards that the rollout changed, and a later one since. */
const overtakenCards = `
  from cards
  where project_id = any($3::bigint[]) and $2 = any(received_before) and received_with is distinct from $2 and deleted_at is null
    and master_card_id = any(array(select id from master_cards where board_id = $1))`

const overtaken = `
  select project_id, 'card', master_card_id, 'kept', master_revision, '{}'::text[], '{later_rollout}'::text[], false, null, null ${overtakenCards}`

/** What would be reverted, for planning.ts. */
export const revertThings = `${decisions}, things as materialized (
  ${thingsOf('template', '$1::bigint', 'back_boards', 'false')}
  union all ${thingsOf('group', 'id', 'back_groups')}
  union all ${thingsOf('card', 'id', 'back_cards')}
  union all ${overtaken}
  union all
  select project_id, 'card', master_card_id, 'skipped', master_revision, '{}', '{}', false, 'updates_stopped', null from cards
  where project_id = any($3::bigint[]) and received_with = $2 and deleted_at is null and not ${isOpen('cards')} and ${isNoRemoval}
    and master_card_id = any(array(select id from master_cards where board_id = $1))
  union all
  select project_id, 'card', master_card_id, 'skipped', master_revision, '{}', '{}', false, 'deleted', null from cards
  where project_id = any($3::bigint[]) and received_with = $2 and deleted_at is not null and deleted_at is distinct from withdrawn_at
    and master_card_id = any(array(select id from master_cards where board_id = $1))
  union all
  select c.project_id, 'card', c.master_card_id, case when own.id is not null and c.deleted_at > kept_since() then 'returned' else 'skipped' end,
    c.master_revision, '{}', '{}', false, case when own.id is null then 'no_group' when c.deleted_at <= kept_since() then 'purged' end, null
  from cards c left join groups own on own.project_id = any($3::bigint[]) and own.project_id = c.project_id and own.id = c.group_id
    and own.deleted_at is null
  where c.project_id = any($3::bigint[]) and c.received_with = $2 and c.deleted_at = c.withdrawn_at
    and c.master_card_id = any(array(select id from master_cards where board_id = $1))
)`

const backTo = (names: readonly string[]) =>
  names
    .map((name) => `${name} = case when '${name}' = any(r.fields) then next.${name} else c.${name} end`)
    .join(', ')
const forget = 'master_revision = r.previous_revision, received_with = null, previous_revision = null'
const touched = (isChanged: string) => `updated_at = case when ${isChanged} then now() else c.updated_at end`
const atVersion =
  'synced_revision = 0, version_revision = v.revision, version_with = null, previous_version_revision = null'
const copyIs = 'c.project_id = any($3::bigint[]) and c.project_id = r.project_id and c.id = r.copy_id'

/**
 * One statement, so that all decisions are of the same moment. What was added and goes to the trash loses its link to the template, so that
 * a later rollout adds it again; what goes with its group or board comes back with it ($4 is who reverts). A card that came back is deleted
 * as it was before, so that a later rollout, or the revert of its deletion, brings it back again.
 */
const statement = `
  with ${decisions}, ${versionsBack}, cards_back as (
    update cards c set ${backTo(cardFields)}, sort_order = next.sort_order, ${forget}, ${touched('r.is_moved or cardinality(r.fields) > 0')},
      board_id = case when r.is_moved then r.target_board_id else c.board_id end,
      group_id = case when r.is_moved then r.target_id else c.group_id end, rank = case when r.is_moved then next.rank else c.rank end
    from back_cards r join base_of_cards next on next.card_id = r.id and next.revision = r.previous_revision
    where ${copyIs} and not r.is_added
    returning c.project_id, c.board_id, c.id as card_id, c.title, r.fields, r.kept, r.is_moved, c.bytes - r.bytes as bytes
  ), cards_kept as (
    select c.project_id, c.board_id, c.id as card_id, c.title, '{}'::text[] as fields, '{used}'::text[] as kept, false as is_moved, 0 as bytes
    from cards c join back_cards r on ${copyIs} where r.is_added and not r.is_removed
    union all select project_id, board_id, id, title, '{}', '{later_rollout}', false, 0 ${overtakenCards}
  ), cards_gone as (
    update cards c set deleted_at = now(), withdrawn_at = now(), updated_at = now(), master_card_id = null, received_with = null,
      deleted_by = case when exists (
        select from back_groups own where own.project_id = r.project_id and own.copy_id = r.group_id and own.is_removed) then null else $4::bigint end
    from back_cards r where ${copyIs} and r.is_removed and not r.is_returned
    returning c.project_id, c.board_id, c.id as card_id, c.title, -c.bytes as bytes
  ), cards_withdrawn as (
    update cards c set ${backTo(cardFields)}, sort_order = next.sort_order, master_revision = r.previous_revision, previous_revision = null,
      board_id = case when r.is_moved then r.target_board_id else c.board_id end,
      group_id = case when r.is_moved then r.target_id else c.group_id end, rank = case when r.is_moved then next.rank else c.rank end,
      deleted_at = now(), withdrawn_at = now(), updated_at = now(), deleted_by = $4::bigint, returned_at = null,
      received_with = c.received_before[1], received_before = array[null::bigint] || c.received_before[2:]
    from back_cards r join base_of_cards next on next.card_id = r.id and next.revision = r.previous_revision
    where ${copyIs} and r.is_removed and r.is_returned
    returning c.project_id, r.board_id, c.id as card_id, c.title, -r.bytes as bytes
  ), comments_withdrawn as (
    update comments m set deleted_at = now() from back_cards r
    where m.project_id = any($3::bigint[]) and m.project_id = r.project_id and m.card_id = r.copy_id and m.deleted_at is null
      and r.is_removed and r.is_returned
    returning m.project_id, r.board_id, -octet_length(m.comment) as bytes
  ), groups_back as (
    update groups c set ${backTo(groupFields)}, ${forget}, ${touched('r.is_moved or cardinality(r.fields) > 0')},
      rank = case when r.is_moved then next.rank else c.rank end
    from back_groups r join base_of_groups next on next.group_id = r.id and next.revision = r.previous_revision
    where ${copyIs} and not r.is_added
    returning c.project_id, c.board_id, c.id as group_id, c.title, r.fields, r.is_moved, r.is_moved or cardinality(r.fields) > 0 as is_changed,
      c.bytes - r.bytes as bytes
  ), groups_gone as (
    update groups c set deleted_at = now(), withdrawn_at = now(), updated_at = now(), master_group_id = null, received_with = null,
      deleted_cards = (select count(*) from back_cards own where own.project_id = r.project_id and own.group_id = r.copy_id and own.is_removed and not own.is_returned),
      deleted_by = case when exists (
        select from back_boards own where own.project_id = r.project_id and own.copy_id = r.board_id and own.is_removed) then null else $4::bigint end
    from back_groups r where ${copyIs} and r.is_removed
    returning c.project_id, c.board_id, c.id as group_id, c.title, '{}'::text[] as fields, false as is_moved, -c.bytes as bytes
  ), boards_back as (
    update boards c set ${boardFields.map((name) => `${name} = case when '${name}' = any(r.fields) then next.${name} else c.${name} end`).join(', ')},
      ${forget}, ${touched('cardinality(r.fields) > 0')}, ${atVersion}
    from back_boards r join base_of_boards next on next.revision = r.previous_revision
      join versions_back v on v.project_id = r.project_id and v.id = r.copy_id
    where ${copyIs} and not r.is_added
    returning c.project_id, c.id as board_id, r.fields, cardinality(r.fields) > 0 as is_changed, c.bytes - r.bytes as bytes
  ), boards_gone as (
    update boards c set deleted_at = now(), withdrawn_at = now(), updated_at = now(), deleted_by = $4::bigint, master_board_id = null, received_with = null,
      deleted_cards = (select count(*) from back_cards own where own.project_id = r.project_id and own.board_id = r.copy_id and own.is_removed)
    from back_boards r where ${copyIs} and r.is_removed
    returning c.project_id, c.id as board_id, c.title, c.deleted_cards
  ), cards_free as (
    -- What a member deleted or moved elsewhere is no copy any more once the board is gone, because the template may come again as a whole.
    update cards c set master_card_id = null, received_with = null from back_boards r
    where c.project_id = any($3::bigint[]) and c.project_id = r.project_id and r.is_removed
      and c.master_card_id = any(array(select id from master_cards where board_id = $1)) and not exists (
        select from back_cards own where own.project_id = c.project_id and own.copy_id = c.id and (own.is_removed or not own.is_added))
  ), groups_free as (
    update groups c set master_group_id = null, received_with = null from back_boards r
    where c.project_id = any($3::bigint[]) and c.project_id = r.project_id and r.is_removed
      and c.master_group_id = any(array(select id from master_groups where board_id = $1)) and not exists (
        select from back_groups own where own.project_id = c.project_id and own.copy_id = c.id and (own.is_removed or not own.is_added))
  ), boards_behind as (
    update boards c set ${atVersion} from versions_back v
    where c.project_id = any($3::bigint[]) and c.project_id = v.project_id and c.id = v.id and not exists (
      select from back_boards r where r.project_id = v.project_id and (r.is_removed or not r.is_added))
  )
  select project_id, board_id, sum(cards)::bigint as cards, sum(groups)::bigint as groups, sum(bytes)::bigint as bytes,
    (select coalesce(sum(said.bytes), 0)::bigint from comments_withdrawn said where said.project_id = done.project_id and said.board_id = done.board_id) as comment_bytes,
    bool_or(is_changed) as is_changed, coalesce(json_agg(card) filter (where card is not null), '[]') as updated,
    coalesce(json_agg(removed) filter (where removed is not null), '[]') as removed, max(title) as deleted_title, max(deleted_cards) as deleted_cards,
    coalesce(json_agg(changed_group) filter (where changed_group is not null), '[]') as groups_changed, to_jsonb(coalesce(max(board_fields), '{}')) as board_fields
  from (
    select project_id, board_id, 0 as cards, 0 as groups, bytes, is_moved or cardinality(fields) > 0 as is_changed,
      case when is_moved or cardinality(fields) > 0 or cardinality(kept) > 0 then json_build_object('card_id', card_id, 'title', title, 'fields', fields, 'kept', kept, 'is_moved', is_moved) end as card,
      null::json as removed, null as title, null::integer as deleted_cards, null::json as changed_group, null::text[] as board_fields
    from (select * from cards_back union all select * from cards_kept) cards
    union all select project_id, board_id, -1, 0, bytes, true, null, ${titledCard}, null, null, null, null
      from (select * from cards_gone union all select * from cards_withdrawn) cards
    union all select project_id, board_id, 0, 0, bytes, is_changed, null, null, null, null, case when is_changed then ${groupAs('updated')} end, null
      from groups_back
    union all select project_id, board_id, 0, -1, bytes, true, null, null, null, null, ${groupAs('removed')}, null from groups_gone
    union all select project_id, board_id, 0, 0, bytes, is_changed, null, null, null, null, null, fields from boards_back
    union all select project_id, board_id, 0, 0, 0, true, null, null, title, deleted_cards, null, null from boards_gone
  ) done group by project_id, board_id order by project_id, board_id`

interface Reverted extends BoardGrowth {
  is_changed: boolean
  updated: UpdatedCard[]
  removed: TitledCard[]
  /** The title of a board that was deleted, and how many cards it had. */
  deleted_title: string | null
  deleted_cards: number | null
  groups_changed: ChangedGroup[]
  board_fields: string[]
}

/** Reverts a rollout in projects that are locked, and returns the boards that changed and the cards that only kept something. */
export async function revertCopies(
  queries: Queries,
  { boardId, revertsId, actorId }: { boardId: number; revertsId: number; actorId: number },
  projectIds: number[],
): Promise<{ changes: Change[]; onlyKept: OnlyKept[] }> {
  await findByLists(queries)
  const done = await queries.sql.unsafe<Reverted[]>(statement, [boardId, revertsId, projectIds, actorId])
  const deleted = done.filter((board) => board.deleted_title !== null)
  await noteGrowth(
    queries,
    done.filter((board) => board.deleted_title === null),
  )
  await queries.sql`
    delete from board_sizes where project_id = any(${deleted.map((board) => board.project_id)}::bigint[])
      and board_id = any(${deleted.map((board) => board.board_id)}::bigint[])`
  const onlyKept = done.flatMap(({ project_id, board_id, updated }) =>
    updated.filter(hasOnlyKept).map((card) => ({ project_id, board_id, ...card })),
  )
  const changes = done
    .filter((board) => board.is_changed)
    .map(({ deleted_title: title, deleted_cards: count, groups_changed: groups, ...board }) => {
      const { project_id, board_id, removed, board_fields } = board
      const updated = board.updated.filter((card) => !hasOnlyKept(card))
      return {
        ...{ project_id, board_id, ...nothingChanged(), removed, updated, groups, board_fields },
        ...(title !== null && { deleted: { title, cards: count ?? 0 } }),
      }
    })
  return { changes, onlyKept }
}
