// Brings projects up to date with a master board, in a few statements for all of them, never one per project or card.
// Called by batch.ts and new-project.ts, which lock the projects first.
import { findByKeys } from '#database/by-keys.ts'
import type { Queries } from '#database/connect.ts'
import { type Quotas, refuseGrowth, usualQuotas } from '#quotas/quotas.ts'
import { type BoardGrowth, noteGrowth, takeRoomOfMany } from '#quotas/room.ts'
import { boardFields, type CardField, cardFields, groupFields } from '#templates/rules.ts'
import {
  allCards,
  allGroups,
  changedBits,
  changedFields,
  fieldsOf,
  isBack,
  isElsewhere,
  isNews,
  isReordered,
  nextBoard,
  nextCards,
  nextGroups,
  ownFields,
} from './merge.ts'
import type { Skips } from './skips.ts'

/** What is rolled out: a board, or one card of it, at the version with this revision. */
interface RolledOut {
  boardId: number
  cardId: number | null
  revision: number
  /** Null when a project receives its templates without a rollout. */
  rolloutId: number | null
}

/** A board of a project in which something changed. */
export interface Change {
  project_id: number
  board_id: number
  /** The cards that were added, that came back after a rollout had deleted them, and that a revert took away. */
  added: TitledCard[]
  returned: TitledCard[]
  removed: TitledCard[]
  updated: UpdatedCard[]
  groups: ChangedGroup[]
  /** The fields of the board itself that changed. */
  board_fields: string[]
  /** Of a board that a revert deleted: its title, and how many cards it had. */
  deleted?: { title: string; cards: number }
}

/** With the title that it has after the rollout, or had when it was taken away. */
export interface TitledCard {
  card_id: number
  title: string
}

export const nothingChanged = () => ({
  ...{ added: [], returned: [], removed: [], updated: [], groups: [], board_fields: [] },
})

/** What a rollout of a template left as it was in a project. */
interface LeftOut {
  project_id: number
  /** The cards that kept something. */
  kept: KeptCard[]
  /** How many cards were skipped; null if nobody asked. */
  skips: Skips | null
}

/** What a rollout changed in a card, and which changes of the template it left out because the project customized the field. */
export interface UpdatedCard extends TitledCard {
  fields: CardField[]
  kept: (CardField | WhyKept)[]
  is_moved: boolean
}

/** Why a revert leaves a card that it would otherwise change. */
type WhyKept = 'used' | 'later_rollout'

interface KeptCard extends UpdatedCard {
  board_id: number
}

/** A group that a rollout added, removed or changed: its fields, or its place. */
export interface ChangedGroup {
  group_id: number
  title: string
  change: 'added' | 'removed' | 'updated'
  fields: string[]
  is_moved: boolean
}

/** A removed copy, with the title it had in its project. */
export interface Removal extends BoardGrowth {
  card_id: number
  title: string
}

const listed = (names: readonly string[], alias: string) => names.map((name) => `${alias}.${name}`).join(', ')

/** Keeps the fields that the project changed since the revision it last received; `c` is the copy. */
const merge = (names: readonly string[]) =>
  names
    .map(
      (name) =>
        `${name} = case when c.${name} is not distinct from base.${name} then next.${name} else c.${name} end`,
    )
    .join(', ')

/** True if the master changed a field and the project did not. */
const receives = (names: readonly string[]) =>
  names
    .map(
      (name) =>
        `(next.${name} is distinct from base.${name} and c.${name} is not distinct from base.${name})`,
    )
    .join(' or ')

/** A copy that only stores the new revision keeps its `updated_at`. */
const touch = (names: readonly string[], isMoved = 'false') =>
  `master_revision = next.revision, received_with = $5::bigint, previous_revision = c.master_revision, own_fields = ${ownFields(names, 'c')},
  updated_at = case when ${receives(names)} or (${isMoved}) then now() else c.updated_at end`
/** How many earlier rollouts a copy remembers. */
const mostRemembered = 20
/** For a copy `c` that a rollout changes. If the same rollout has just brought it back, the one before is remembered already. */
const rememberRollout = `received_before = case when c.received_with is null or c.received_with = $5::bigint then c.received_before
    else (c.received_with || c.received_before)[1:${mostRemembered}] end,
  returned_at = case when c.received_with = $5::bigint then c.returned_at end`
/** The rollout that deleted the copy comes first even if it is not known, because a revert takes it from there again. */
const rememberAny = `received_before = (array[c.received_with] || c.received_before)[1:${mostRemembered}]`
const isTouched = 'c.updated_at = now() as is_changed'

/** Written so that only an index on the key fits: without statistics PostgreSQL uses one on `deleted_at is null`. */
const isLive = (alias: string) => `coalesce(${alias}.deleted_at, 'infinity') = 'infinity'`

/** The copies of the board, including deleted ones: a card that was moved out of a deleted board is still a copy. */
const copies = `select *, ctid as place from boards where project_id = any($3::bigint[]) and master_board_id = $1`

/**
 * Joins one row by its whole key. `offset 0` keeps PostgreSQL from planning it otherwise: with statistics from when there
 * were few projects, it would read the copies of all projects once for each project.
 */
const lookUp = (table: string, alias: string, key: string) =>
  `lateral (select *, ctid as place from ${table} ${alias} where ${key} offset 0) ${alias} on true`
type Kind = 'board' | 'group' | 'card'
/** The project's copy of the master's group or card, where it is wanted. */
const copyOf = (kind: Kind, alias: string, isWanted = 'true') =>
  lookUp(
    `${kind}s`,
    alias,
    `${alias}.project_id = b.project_id and ${alias}.master_${kind}_id = next.${kind}_id and ${isWanted}`,
  )
/** The master's revision that the copy last received. */
const baseOf = (kind: Kind, copy: string) =>
  lookUp(
    `master_${kind}_revisions`,
    'base',
    `base.${kind}_id = ${copy}.master_${kind}_id and base.revision = ${copy}.master_revision`,
  )
/**
 * True if the copy `c` is the one that was looked up, still there and still behind the master. It is found by its place (`ctid`), which
 * only a writer could change, and those wait for the project's lock: an update of one card is a sixth faster than by its key.
 */
const isBehind = (copy: string) =>
  `c.project_id = ${copy}.project_id and c.ctid = ${copy}.place and ${isLive('c')} and c.master_revision = base.revision
    and ${copy}.master_revision < next.revision`

const insertBoards = `
  insert into boards (project_id, master_board_id, master_revision, received_with, synced_revision, version_revision, version_with, tool_key,
    ${boardFields.join(', ')})`
const insertGroups = `
  insert into groups (project_id, board_id, master_group_id, master_revision, received_with, ${groupFields.join(', ')}, rank)`
const insertCards = `
  insert into cards (project_id, board_id, group_id, master_card_id, master_revision, received_with, card_type, ${cardFields.join(', ')},
    status, rank, sort_order)
  select g.project_id, g.board_id, g.id, next.card_id, next.revision, $5::bigint, 'template', ${listed(cardFields, 'next')},
    next.status, next.rank, next.sort_order`

/** True if the rollout covers everything: the whole board, or the only card of the only group. */
const isAll = `($4::bigint is null
  or ((select count(*) from (${allGroups}) g) = 1 and (select count(*) from (${allCards}) c) = 1))`

/** By how much the boards grew. */
const sums = 'sum(cards)::bigint as cards, sum(groups)::bigint as groups, sum(bytes)::bigint as bytes'
const grownBy = (before: string) => `0 as cards, 0 as groups, c.bytes - ${before}.bytes as bytes`

/** Of the rows that have one. */
const listOf = (value: string, isListed = `${value} is not null`) =>
  `coalesce(json_agg(${value}) filter (where ${isListed}), '[]')`

export const titledCard = `json_build_object('card_id', card_id, 'title', title)`

export const groupAs = (change: ChangedGroup['change']) =>
  `json_build_object('group_id', group_id, 'title', title, 'change', '${change}', 'fields', fields, 'is_moved', is_moved)`

/** For projects that never had a copy, so nothing has to be merged. */
const addWhole = `
  with next_groups as materialized (${nextGroups}), next_cards as materialized (${nextCards}),
  b as (
    ${insertBoards}
    select project.id, m.id, next.revision, $5::bigint, brought.revision, brought.revision, $5::bigint, m.tool_key,
      ${listed(boardFields, 'next')}
    from unnest($3::bigint[]) project (id), master_boards m, (${nextBoard}) next,
      (select case when ${isAll} then $2::integer else 0 end as revision) brought
    where m.id = $1
    returning project_id, id, bytes
  ),
  g as (
    ${insertGroups}
    select b.project_id, b.id, next.group_id, next.revision, $5::bigint, ${listed(groupFields, 'next')}, next.rank from b, next_groups next
    returning project_id, board_id, id, master_group_id, bytes
  ),
  c as (
    ${insertCards} from g join next_cards next on next.group_id = g.master_group_id order by g.project_id, next.rank
    returning project_id, board_id, id, title, bytes
  )
  select project_id, board_id, ${sums}, ${listOf(titledCard, 'card_id is not null')} as added from (
    select project_id, id as board_id, null::bigint as card_id, null as title, 0 as cards, 0 as groups, bytes from b
    union all select project_id, board_id, null, null, 0, 1, bytes from g
    union all select project_id, board_id, id, title, 1, 0, bytes from c
  ) added group by project_id, board_id`

/** Projects that have a copy, or had one. */
const copied = `select project_id from boards where project_id = any($1::bigint[]) and master_board_id = $2 order by project_id`

/** Runs a statement that writes, and returns the boards in which it wrote, and whether it changed more than a revision there. */
const changedBy = (next: string, statement: string, { isChanged = 'is_changed', lists = '' } = {}) => `
  with b as materialized (${copies}), next as materialized (${next}), done as (${statement})
  select project_id, board_id, ${sums}, bool_or(${isChanged}) as is_changed${lists} from done group by project_id, board_id`

const updateBoards = changedBy(
  nextBoard,
  `update boards c set ${merge(boardFields)}, ${touch(boardFields)}
  from b join next on ${isNews} join ${baseOf('board', 'b')}
  where ${isBehind('b')}
  returning c.project_id, c.id as board_id, ${isTouched}, ${grownBy('b')}, ${changedFields(boardFields, 'b', false)} as fields`,
  { lists: ', to_jsonb(max(fields)) as board_fields' },
)

const updateGroups = changedBy(
  nextGroups,
  `update groups c set ${merge(groupFields)}, ${touch(groupFields, isReordered)},
    rank = case when ${isReordered} then next.rank else c.rank end
  from b join next on ${isNews} join ${copyOf('group', 'present')} join ${baseOf('group', 'present')}
  where ${isBehind('present')}
  returning c.project_id, c.board_id, ${isTouched}, ${grownBy('present')}, c.id as group_id, c.title,
    ${changedFields(groupFields, 'present', false)} as fields, ${isReordered} as is_moved`,
  { lists: `, ${listOf(groupAs('updated'), 'is_changed')} as groups_changed` },
)

/** A new group comes last if the project has ordered its groups itself. */
const addGroups = changedBy(
  nextGroups,
  `${insertGroups}
  select b.project_id, b.id, next.group_id, next.revision, $5::bigint, ${listed(groupFields, 'next')},
    case when b.has_own_order then list_end() else next.rank end
  from b join next on ${isNews} left join ${copyOf('group', 'present')}
  where ${isLive('b')} and present.id is null
  order by b.project_id, next.rank
  returning project_id, board_id, true as is_changed, 0 as cards, 1 as groups, bytes, id as group_id, title, '{}'::text[] as fields, false as is_moved`,
  { lists: `, ${listOf(groupAs('added'))} as groups_changed` },
)

const placed = `
  from b join next on ${isNews} left join ${copyOf('card', 'present')} left join ${baseOf('card', 'present')}`

/** Projects in which cards are missing or have to move. */
const projectsToPlace = `
  with b as materialized (${copies}), next as materialized (${nextCards})
  select distinct b.project_id ${placed} where ${isElsewhere}`

/** True if the master moved the card, the project did not, and the target group still exists. */
const isMoved = `not c.is_moved and g.id is not null and g.deleted_at is null and ${isElsewhere}`

/** Moves cards to the group `g`, which is looked up only for cards that are elsewhere. */
const followingMaster = {
  isMoved,
  columns: `, board_id = case when ${isMoved} then g.board_id else c.board_id end,
      group_id = case when ${isMoved} then g.id else c.group_id end,
      rank = case when ${isMoved} then next.rank else c.rank end`,
  group: `left join ${copyOf('group', 'g', isElsewhere)}`,
  wasMoved: '(c.group_id, c.rank) is distinct from (present.group_id, present.rank)',
}

/** Sets no column of the place, because PostgreSQL keeps the indexes of columns that are set less tidy: they grow with every rollout. */
const stayingInPlace = { isMoved: 'false', columns: '', group: '', wasMoved: 'false' }

const updateCards = (isWanted: string, place: typeof followingMaster) =>
  changedBy(
    nextCards,
    `update cards c set ${merge(cardFields)}, sort_order = next.sort_order, ${rememberRollout},
      ${touch(cardFields, place.isMoved)}${place.columns}
    from b join next on ${isNews} join ${copyOf('card', 'present')} join ${baseOf('card', 'present')} ${place.group}
    where ${isBehind('present')} and c.takes_updates and ${isWanted}
    returning c.project_id, c.board_id, ${grownBy('present')}, c.id as card_id, c.title,
      ${changedBits(cardFields, 'present', false)} as fields,
      ${changedBits(cardFields, 'present', true)} as kept, ${place.wasMoved} as is_moved`,
    {
      // Not by `updated_at`, which a card that was just restored has already.
      isChanged: 'is_moved or fields > 0 or kept > 0',
      lists: `, array_agg(card_id) as card_ids, json_agg(title) as titles, array_agg(fields::bigint) as fields, array_agg(kept::bigint) as kept,
        array_agg(card_id) filter (where is_moved) as moved_ids`,
    },
  )
const updateAll = updateCards('true', followingMaster)
/** A single card is in its place in nearly every project. */
const updateInPlace = updateCards(`not ${isElsewhere}`, stayingInPlace)

const addCards = changedBy(
  nextCards,
  `${insertCards}
  from b join next on ${isNews} join ${copyOf('group', 'g')} left join ${copyOf('card', 'present')}
  where g.deleted_at is null and present.id is null
  order by g.project_id, next.rank
  returning project_id, board_id, id as card_id, title, true as is_changed, 1 as cards, 0 as groups, bytes`,
  { lists: `, ${listOf(titledCard)} as added` },
)

/** What projects still do not have after all of that, and why. */
const skippedCards = `
  with b as materialized (${copies}), next as materialized (${nextCards})
  select project_id, json_object_agg(reason, count) as skips from (
    select b.project_id, case when present.id is null then 'no_group' when ${isLive('present')} then 'updates_stopped' else 'deleted' end as reason,
      count(*) as count
    from b join next on ${isNews} left join ${copyOf('card', 'present')}
    where present.id is null or present.master_revision < next.revision group by 1, 2
  ) counted group by project_id`

const returnedCards = `select next.* from (${nextCards}) next join master_cards m on m.id = next.card_id where ${isBack}`

const groupOfCard = lookUp('groups', 'g', 'g.project_id = c.project_id and g.id = c.group_id')
const cardInThatRank = lookUp(
  'cards',
  'taken',
  `taken.project_id = c.project_id and taken.group_id = c.group_id and taken.rank = c.rank and taken.deleted_at is null`,
)
const commentsGoneWith = lookUp(
  'comments',
  'said',
  'said.project_id = c.project_id and said.card_id = c.id and said.deleted_at = c.withdrawn_at',
)

/** Copies `c` that a rollout deleted and whose group still exists. */
const goneCopies = (from: string) => `
  select c.project_id, c.id, c.withdrawn_at, c.deleted_at > kept_since() as is_kept,
    taken.id is null and row_number() over (partition by c.project_id, c.group_id, c.rank order by c.id) = 1 as is_free
  from ${from} join ${groupOfCard} left join ${cardInThatRank}
  where c.deleted_at = c.withdrawn_at and g.deleted_at is null`

/** Restores the copies `gone` with their comments, at their old rank or last in their group if that rank is taken. */
const restoreGone = (others: string) => `
  c as (
    update cards c set deleted_at = null, deleted_by = null, updated_at = now(), ${others}
      rank = case when is_free then rank else list_end() end, is_moved = is_moved or not is_free
    from gone where c.project_id = gone.project_id and c.id = gone.id and is_kept
    returning c.project_id, c.board_id, c.id, c.title, c.bytes, c.withdrawn_at
  ), m as (
    update comments m set deleted_at = null from c join ${commentsGoneWith}
    where m.project_id = said.project_id and m.id = said.id
    returning c.project_id, c.board_id, m.comment
  )
  select project_id, board_id, ${sums}, sum(comment_bytes)::bigint as comment_bytes, ${listOf(titledCard, 'card_id is not null')} as returned from (
    select project_id, board_id, id as card_id, title, 1 as cards, 0 as groups, bytes, 0 as comment_bytes from c
    union all select project_id, board_id, null, null, 0, 0, 0, octet_length(comment) from m
  ) restored group by project_id, board_id`

/** The row of a purged copy loses its link to the master, so that a new card is added. */
const restoreCards = `
  with b as materialized (${copies}), next as materialized (${returnedCards}),
  gone as materialized (${goneCopies(`b join next on ${isNews} join ${copyOf('card', 'c')}`)}), purged as (
    update cards c set master_card_id = null from gone
    where c.project_id = gone.project_id and c.id = gone.id and not is_kept
  ), ${restoreGone(`received_with = $5::bigint, ${rememberAny}, previous_revision = c.master_revision, returned_at = now(),`)}`

/** The copies that the removal $2 of the card $3 deleted in the projects $1; they forget it. */
const restoreRemoved = `
  with project as (select unnest($1::bigint[]) as id), gone as materialized (${goneCopies(
    `project join ${lookUp('cards', 'c', 'c.project_id = project.id and c.master_card_id = $3 and c.received_with = $2')}`,
  )}), ${restoreGone('received_with = c.received_before[1], received_before = c.received_before[2:],')}`

/** Brings back what a removal deleted, where a project still has it in its trash. */
export async function bringBackRemoved(
  queries: Queries,
  { cardId, rolloutId }: { cardId: number; rolloutId: number },
  projectIds: number[],
  quotas: Quotas,
): Promise<Change[]> {
  await findByKeys(queries)
  const restored = await queries.sql.unsafe<(BoardGrowth & { returned: TitledCard[] })[]>(restoreRemoved, [
    projectIds,
    rolloutId,
    cardId,
  ])
  await takeRoomOfMany(queries, quotas, restored)
  return restored.map(({ project_id, board_id, returned }) => ({
    ...{ project_id, board_id, ...nothingChanged(), returned },
  }))
}

const newChange = (project_id: number, board_id: number): Change => ({
  ...{ project_id, board_id, ...nothingChanged() },
})

const markSynced = `update boards set synced_revision = $2, version_revision = greatest(version_revision, $2),
    version_with = case when version_revision < $2 then $4::bigint else version_with end,
    previous_version_revision = case when version_revision < $2 then version_revision else previous_version_revision end
  where project_id = any($1::bigint[]) and master_board_id = $3 and synced_revision < $2`

interface Found extends BoardGrowth {
  is_changed?: boolean
  added?: TitledCard[]
  returned?: TitledCard[]
  /** Of each card that was updated, the fields as bits. */
  card_ids?: number[]
  titles?: string[]
  fields?: number[]
  kept?: number[]
  moved_ids?: number[] | null
  groups_changed?: ChangedGroup[]
  board_fields?: string[]
}

const updatedIn = ({
  card_ids,
  titles = [],
  fields = [],
  kept = [],
  moved_ids,
}: Found): UpdatedCard[] | undefined =>
  card_ids
    ?.map((card_id, index) => ({
      card_id,
      title: titles[index] ?? '',
      fields: fieldsOf(cardFields, fields[index] ?? 0),
      kept: fieldsOf(cardFields, kept[index] ?? 0),
      is_moved: moved_ids?.includes(card_id) ?? false,
    }))
    .sort((a, b) => a.card_id - b.card_id)

/** A card that stayed as it was. */
export interface OnlyKept extends KeptCard {
  project_id: number
}

/** True if the project customized everything that the template changed. */
export const hasOnlyKept = ({ fields, is_moved }: UpdatedCard): boolean => !is_moved && fields.length === 0

/** Statements are not prepared (`unsafe`): a cached plan may date from when the tables were small, so each batch plans again. */
export async function apply(
  queries: Queries,
  { boardId, cardId, revision, rolloutId }: RolledOut,
  projectIds: number[],
  { quotas = usualQuotas, isSkippedWanted = false } = {},
): Promise<{ changes: Change[]; onlyKept: OnlyKept[]; leftOut: LeftOut[] }> {
  const { sql } = queries
  const changes = new Map<number, Change>()
  const kept = new Map<number, KeptCard[]>()
  let skipped: { project_id: number; skips: Skips }[] = []
  const growths: BoardGrowth[] = []
  const collect = async (
    statement: string,
    ids: readonly number[],
    others: (number | null)[] = [rolloutId],
  ) => {
    const found = await sql.unsafe<Found[]>(statement, [
      boardId,
      revision,
      ids as number[],
      cardId,
      ...others,
    ])
    for (const row of found) {
      const { project_id, board_id, cards, groups, bytes, comment_bytes = 0, added = [], returned = [] } = row
      const { groups_changed = [], board_fields = [] } = row
      if (row.is_changed === false) continue
      growths.push({ project_id, board_id, cards, groups, bytes, comment_bytes })
      const all = updatedIn(row)
      const keptHere = (all ?? []).flatMap((card) => (card.kept.length > 0 ? [{ ...card, board_id }] : []))
      if (keptHere.length > 0) kept.set(project_id, [...(kept.get(project_id) ?? []), ...keptHere])
      const updated = all?.filter((card) => !hasOnlyKept(card))
      // A board may have only such cards.
      if (updated?.length === 0) continue
      const change = changes.get(board_id) ?? newChange(project_id, board_id)
      change.added.push(...added)
      change.returned.push(...returned)
      change.updated.push(...(updated ?? []))
      change.groups.push(...groups_changed)
      change.board_fields.push(...board_fields)
      changes.set(board_id, change)
    }
    return new Set(found.map((row) => row.project_id))
  }
  const idsBy = async (statement: string, values: (number | number[] | null)[]) =>
    (await sql.unsafe<{ project_id: number }[]>(statement, values)).map((row) => row.project_id)

  await findByKeys(queries)
  const known = await idsBy(copied, [projectIds, boardId])
  const isKnown = new Set(known)
  const unknown = projectIds.filter((id) => !isKnown.has(id))
  if (unknown.length > 0) await refuseMoreBoards()
  if (unknown.length > 0) await collect(addWhole, unknown)
  if (known.length > 0) await bringForward()
  await takeRoomOfMany(queries, quotas, growths)
  const skipsOf = new Map(skipped.map(({ project_id, skips }) => [project_id, skips]))
  return {
    changes: [...changes.values()],
    onlyKept: [...kept].flatMap(([project_id, cards]) =>
      cards.filter(hasOnlyKept).map((card) => ({ project_id, ...card })),
    ),
    leftOut: [...new Set([...kept.keys(), ...skipsOf.keys()])].map((id) => ({
      ...{ project_id: id, kept: kept.get(id) ?? [], skips: skipsOf.get(id) ?? null },
    })),
  }

  async function refuseMoreBoards() {
    const full = await sql<{ count: number }[]>`
      select count(*) from boards where project_id = any(${unknown}::bigint[]) and deleted_at is null
      group by project_id having count(*) >= ${quotas.boardsPerProject}`
    for (const { count } of full)
      refuseGrowth(quotas, 'boardsPerProject', { before: count, after: count + 1 })
  }

  /** Whether a card was ever deleted in every project. Rarely so, and looking costs less than planning the statement that restores. */
  async function wasAnyWithdrawn() {
    const withdrawn = await sql`
      select from master_cards where board_id = ${boardId} and withdrawn_revision > 0 and (${cardId}::bigint is null or id = ${cardId}) limit 1`
    return withdrawn.length > 0
  }

  async function bringForward() {
    if (cardId === null) await collect(updateBoards, known)
    if (cardId === null) await collect(updateGroups, known)
    if (await wasAnyWithdrawn()) await collect(restoreCards, known)
    const inPlace = cardId === null ? new Set() : await collect(updateInPlace, known)
    const others = known.filter((id) => !inPlace.has(id))
    if (others.length === 0) return
    const placing =
      cardId === null ? known : await idsBy(projectsToPlace, [boardId, revision, others, cardId])
    if (placing.length > 0) await collect(addGroups, placing)
    await collect(updateAll, others)
    // Last, because a card that was just added needs no merge.
    if (placing.length > 0) await collect(addCards, placing)
    if (isSkippedWanted)
      skipped = await sql.unsafe<typeof skipped>(skippedCards, [boardId, revision, others, cardId])
    if (cardId === null) await sql.unsafe(markSynced, [known, revision, boardId, rolloutId])
  }
}

/**
 * Deletes the copies of a deleted master card and their comments with one timestamp, so that restoring a card restores its comments.
 * It stops once a version has the card again, because a rollout may have brought it back already.
 */
const removeCards = `
  with c as (
    update cards c set deleted_at = now(), withdrawn_at = now(), deleted_by = $3, received_with = $4, updated_at = now(),
      ${rememberAny}
    from (
      select unnest($1::bigint[]) as id from master_cards m
      left join master_card_revisions last on last.card_id = m.id and last.revision = m.published_revision
      where m.id = $2 and coalesce(last.is_deleted, m.deleted_at is not null)
    ) project
      join ${lookUp('cards', 'present', 'present.project_id = project.id and present.master_card_id = $2')}
    where c.project_id = present.project_id and c.id = present.id and ${isLive('c')}
    returning c.project_id, c.board_id, c.id as card_id, c.title, c.bytes
  ), m as (
    update comments m set deleted_at = now() from c
    where m.project_id = c.project_id and m.card_id = c.card_id and m.deleted_at is null
    returning c.project_id, c.board_id, c.card_id, m.comment
  )
  select project_id, board_id, card_id, max(title) as title, ${sums}, sum(comment_bytes)::bigint as comment_bytes from (
    select project_id, board_id, card_id, title, -1 as cards, 0 as groups, -bytes as bytes, 0 as comment_bytes from c
    union all select project_id, board_id, card_id, null, 0, 0, 0, -octet_length(comment) from m
  ) removed group by project_id, board_id, card_id`

export async function removeCopies(
  queries: Queries,
  cardId: number,
  projectIds: number[],
  { rolloutId, actorId }: { rolloutId: number; actorId: number },
): Promise<Removal[]> {
  await findByKeys(queries)
  const removed = await queries.sql.unsafe<Removal[]>(removeCards, [projectIds, cardId, actorId, rolloutId])
  await noteGrowth(queries, removed)
  return removed
}
