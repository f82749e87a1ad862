// Counts projects by what they have of a template. Each project with access is in exactly one state: opted out (it deleted its
// copy), refused (the last rollout failed there), missing (it never had a copy), behind, or up to date.
import { boardFields, cardFields, groupFields } from './rules.ts'

/** `thing` is a thing of the template `m`, `now` its state in the newest version. */
export const publishedThings = (kind: 'board' | 'group' | 'card') => `
  master_${kind}s thing join master_${kind}_revisions now on now.${kind}_id = thing.id and now.revision = thing.published_revision
  where thing.${kind === 'board' ? 'id' : 'board_id'} = m.id and not now.is_deleted`

/**
 * The revision of the newest version that changed the template `m` itself, one of its groups or an active card; later ones bring
 * projects nothing new.
 */
export const newestShown = `coalesce(greatest(
  (select max(now.published_with) from ${publishedThings('board')}),
  (select max(now.published_with) from ${publishedThings('group')}),
  (select max(now.published_with) from ${publishedThings('card')} and now.is_active)), 0)`

/**
 * True if a part of the newest version of `m` differs from what copies of an earlier one have received. What was changed and
 * changed back is the same, and so is a card that was deleted or inactive for a while.
 */
const newsOf = (kind: 'board' | 'group' | 'card', content: readonly string[], rules = noRules) => `exists (
  select from ${publishedThings(kind)} and now.published_with > ${rules.received} and ${rules.isShown('now')} and not exists (
      select from (
        select * from master_${kind}_revisions before
        where before.${kind}_id = thing.id and before.published_with <= ${rules.received} order by before.published_with desc limit 1
      ) seen where not seen.is_deleted and ${rules.isShown('seen')} and ${rules.isHeld}
        and ${content.map((name) => `seen.${name} is not distinct from now.${name}`).join(' and ')}))`

const noRules = { received: 'synced_revision', isShown: (_alias: string) => 'true', isHeld: 'true' }
/**
 * A card that was rolled out alone was received with that version. Inactive cards are not rolled out. A card that was deleted in
 * every project is no longer there.
 */
const cardRules = {
  received: 'greatest(synced_revision, thing.rolled_out_revision)',
  isShown: (alias: string) => `${alias}.is_active`,
  isHeld: 'seen.revision > thing.withdrawn_revision',
}

/** Compares the `synced_revision` of a live copy with its master board `m`. */
export const isBehind = `(case when synced_revision >= ${newestShown} then false else
  ${newsOf('board', boardFields)} or ${newsOf('group', [...groupFields, 'rank'])}
  or ${newsOf('card', [...cardFields, 'group_id', 'rank'], cardRules)} end)`

/** `p` is what has the products. */
const hasAccess = '(m.tool_key is null or p.tool_keys ? m.tool_key)'

/**
 * Common table expressions for `coverageTables`, of the wanted masters `m`, from the kept counts (coverage/counts.ts). Copies at the same
 * version are compared with the newest once, so the cost does not grow with the projects.
 */
export const coverageOf = (isWanted: string) => `
  copies as materialized (
    select m.id as master_board_id, p.synced_revision, p.is_deleted, ${hasAccess} as has_access, p.is_refused, sum(p.count)::bigint as count
    from coverage_counts p join master_boards m on m.id = p.master_board_id where ${isWanted} group by 1, 2, 3, 4, 5
  )`

const sum = (condition: string) => `coalesce(sum(count) filter (where ${condition}), 0)::bigint`

/** How many projects have the master board `m`, with or without access. */
export const projectsWith = `(
  select coalesce(sum(p.count), 0)::bigint from coverage_counts p
  where p.master_board_id = m.id and not p.is_deleted and p.synced_revision is not null)`

/** `held` and `reach` of the master board `m`, for `coverageColumns`. */
export const coverageTables = `
  left join lateral (
    select ${sum('not is_deleted')} as projects_count, ${sum('has_access and not is_deleted')} as covered_count,
      ${sum('has_access and is_deleted')} as opted_out_count,
      ${sum('has_access and not is_deleted and is_refused')} as refused_count,
      ${sum('has_access and not is_deleted and not is_refused and is_behind')} as behind_count
    from (
      select copies.*, not is_deleted and ${isBehind} as is_behind from copies
      where copies.master_board_id = m.id and synced_revision is not null
    ) compared
  ) held on true
  left join lateral (
    select (select coalesce(sum(p.count), 0)::bigint from coverage_counts p
      where p.master_board_id is null and p.platform_id = m.platform_id and ${hasAccess})
      as access_count,
      (select ${sum('has_access')} from copies where copies.master_board_id = m.id and synced_revision is null) as refused_count
  ) reach on true`

export const coverageColumns = `
  held.projects_count, reach.access_count, held.covered_count,
  held.covered_count - held.refused_count - held.behind_count as up_to_date_count, held.behind_count,
  reach.access_count - held.covered_count - held.opted_out_count - reach.refused_count as missing_count,
  held.refused_count + reach.refused_count as refused_count, held.opted_out_count`
