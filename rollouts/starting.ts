// Starts a rollout: publishes what it brings, pins that version and lists the projects in batches. Called by sync, push,
// push_to_projects and delete_from_projects; a plan does the same without publishing, and waits to be applied.
import type { Card } from '#boards/card/card.ts'
import type { Database, Queries } from '#database/connect.ts'
import type { Quotas } from '#quotas/quotas.ts'
import type { Action } from '#templates/action.ts'
import { onTakenIdentifier } from '#templates/card/card.ts'
import { addTemplateCard, type NewTemplateCard } from '#templates/card/creating.ts'
import { removeTemplateCard } from '#templates/card/deleting.ts'
import { newestShown } from '#templates/coverage.ts'
import { lockBoardOf, lockMasterBoard } from '#templates/masters.ts'
import { publishCard, publishWhole } from '#templates/version/publishing.ts'
import { readVersion, stateAt, titleAt } from '#templates/version/version.ts'
import {
  type AuditedRollout,
  auditedRollout,
  deletesCard,
  isCardDeleted,
  type RolloutKind,
} from './rollout.ts'

export interface Started {
  rolloutId: number
  audited: AuditedRollout
}

/** Publishes a template as it is and starts its rollout to every project. */
export function startBoardRollout(
  db: Database,
  boardId: number,
  actorId: number,
): Promise<Started | 'no board' | 'inactive'> {
  return db.transaction(async (queries) => {
    const board = await lockMasterBoard(queries, boardId)
    if (!board) return 'no board'
    if (!board.is_active) return 'inactive'
    const revision = await publishWhole(queries, { boardId, actorId })
    const rollout = { kind: 'board', boardId, cardId: null, revision, actorId } as const
    return startRollout(queries, rollout)
  })
}

/** Publishes one template card and starts its rollout to every project. */
export function startCardRollout(
  db: Database,
  cardId: number,
  actorId: number,
): Promise<Started | 'no card' | 'inactive card' | 'inactive board'> {
  return db.transaction(async (queries) => {
    const board = await lockBoardOf(queries, 'master_cards', cardId)
    const [card] = await queries.sql<{ is_active: boolean }[]>`
      select is_active from master_cards where id = ${cardId} and deleted_at is null`
    if (!board || !card) return 'no card'
    if (!card.is_active) return 'inactive card'
    if (!board.is_active) return 'inactive board'
    const revision = await publishCard(queries, { boardId: board.id, actorId }, cardId)
    const rollout = { kind: 'card', boardId: board.id, cardId, revision, actorId } as const
    return startRollout(queries, rollout)
  })
}

/** Creates a card at the end of a template's group and starts its rollout, unless the card or its template is inactive. */
export function createAndRollOutCard(
  db: Database,
  quotas: Quotas,
  by: { groupId: number; actorId: number },
  wanted: NewTemplateCard,
): Promise<{ card: Card; rollout: Started | null } | 'no group' | 'identifier taken'> {
  const creation = db.transaction(async (queries) => {
    const created = await addTemplateCard(queries, quotas, by, wanted)
    if (created === 'no group') return created
    const { card, boardId, isActive } = created
    if (!isActive) return { card, rollout: null }
    const { actorId } = by
    const revision = await publishCard(queries, { boardId, actorId }, card.id)
    const rollout = { kind: 'card', boardId, cardId: card.id, revision, actorId } as const
    return { card, rollout: await startRollout(queries, rollout) }
  })
  return creation.catch(onTakenIdentifier)
}

/**
 * When a planned deletion begins: deletes its card from the template too, if that was planned, and pins the version without it. The newest
 * version may lack the card already, though it was restored in the template since. The caller has locked the template.
 */
export async function deletePlannedCard(queries: Queries, rolloutId: number): Promise<void> {
  const { sql } = queries
  const [deletion] = await sql<
    { board_id: number; card_id: number; created_by: number; deletes_card: boolean; is_deleted: boolean }[]
  >`
    select board_id, card_id, created_by, ${sql.unsafe(deletesCard)} as deletes_card, ${sql.unsafe(isCardDeleted)} as is_deleted
    from rollouts p where id = ${rolloutId} and kind = 'removal'`
  if (!deletion) return
  const { board_id: boardId, card_id: cardId, created_by: actorId } = deletion
  if (deletion.deletes_card) await removeTemplateCard(queries, { id: cardId, actorId })
  if (deletion.deletes_card && !deletion.is_deleted) {
    const revision = await publishCard(queries, { boardId, actorId }, cardId)
    await sql`update rollouts set revision = ${revision}, planned_newest = ${revision} where id = ${rolloutId}`
  }
  await sql`
    update master_cards m set withdrawn_revision = greatest(m.withdrawn_revision, last.revision) from master_card_revisions last
    where m.id = ${cardId} and last.card_id = m.id and last.revision = m.published_revision and last.is_deleted`
}

/** Of a deletion, before its rollout, as it is when one is started. */
export async function lockTemplateOfDeletion(queries: Queries, rolloutId: number): Promise<void> {
  const [found] = await queries.sql<{ board_id: number }[]>`
    select board_id from rollouts where id = ${rolloutId} and kind = 'removal'`
  if (found) await lockMasterBoard(queries, found.board_id)
}

/** Deletes a template's card and starts the rollout that deletes it from the projects. Undefined if there is no such card. */
export function deleteCardEverywhere(db: Database, action: Action): Promise<Started | undefined> {
  return db.transaction(async (queries) => {
    const removed = await removeTemplateCard(queries, action)
    if (!removed) return undefined
    const { boardId } = removed
    const { id: cardId, actorId } = action
    await queries.sql`update master_cards set withdrawn_revision = revision where id = ${cardId}`
    const revision = await publishCard(queries, { boardId, actorId }, cardId)
    const rollout = { kind: 'removal', boardId, cardId, revision, actorId } as const
    return startRollout(queries, rollout)
  })
}

/**
 * Large enough that the cost of a transaction does not matter, small enough that writers in its projects hardly wait: 25,000 rows
 * made them wait 3 s, and the rollout was no faster.
 */
const maxRowsInBatch = 7_000
const mostProjectsInBatch = 500

interface NewRollout {
  kind: RolloutKind
  boardId: number
  cardId: number | null
  revision: number
  actorId: number
  /** The rollout that it reverts. */
  revertsId?: number
  /** What a reset resets. */
  resetFields?: readonly string[]
}

/** Records the rollout of the version with this revision and lists the projects. The caller has locked the master board. */
export const startRollout = (queries: Queries, rollout: NewRollout): Promise<Started> =>
  recordRollout(queries, rollout, { status: 'running', projectIds: null, course: null })

/** The stages of a rollout, when it begins, and when it stops by itself. */
export interface Course {
  /** Null for all projects at once. A stage without projects and percent has all that are left. */
  stages: Stage[] | null
  startsAt: string | null
  stopAfterFailures: number | null
  /** In how many projects somebody undid it. */
  stopAfterUndone: number | null
}

export interface Stage {
  projects?: number[] | null
  /** The audience that has these projects. */
  audience_name?: string
  percent?: number | null
  wait_minutes?: number | null
}

/** The audience and the course as they were asked for, which the plan keeps to be planned again. */
type Request = Readonly<Record<string, unknown>> | undefined

type Unplannable =
  | ('no board' | 'inactive' | 'no version' | 'no card' | 'inactive card')
  | ('no projects' | 'no projects of a stage')

/**
 * Pins a version, the newest by default, and the projects that it would go to, all by default. A card that the version does not have any
 * more would be deleted from the projects, and so would one that applying the plan deletes.
 */
export function startPlan(
  db: Database,
  wanted: {
    boardId: number
    version: number | null
    cardId: number | null
    projectIds: readonly number[] | null
    /** The fields of the card that are reset, instead of a rollout of it. */
    resetFields: readonly string[] | null
    /** Whether the card is deleted from the template and the projects, instead of a rollout of it. */
    deletesCard?: boolean
    course: Course
    actorId: number
    request?: Request
  },
): Promise<Started | Unplannable> {
  const { boardId, cardId, projectIds, resetFields, deletesCard = false, course, actorId, request } = wanted
  return db.transaction(async (queries) => {
    const board = await lockMasterBoard(queries, boardId)
    if (!board) return 'no board'
    if (!board.is_active && !deletesCard) return 'inactive'
    const areMissing = async (ids: readonly number[] | null | undefined) =>
      ids != null && !(await areThere(queries, board.platform_id, ids))
    if (await areMissing(projectIds)) return 'no projects'
    for (const stage of course.stages ?? [])
      if (await areMissing(stage.projects)) return 'no projects of a stage'
    const version = await readVersion(queries, boardId, wanted.version)
    if (!version) return 'no version'
    const { revision } = version
    const kind =
      cardId === null
        ? ('board' as const)
        : deletesCard
          ? await kindOfDeletion(queries, boardId, cardId)
          : await kindOfCard(queries, { boardId, revision, cardId })
    if (kind === 'no card' || kind === 'inactive card') return kind
    if (kind === 'removal' && resetFields !== null) return 'no card'
    const rollout =
      resetFields === null
        ? { kind, boardId, cardId, revision, actorId }
        : { kind: 'reset' as const, boardId, cardId, revision, actorId, resetFields }
    const plan = { status: 'planning', projectIds, course, request } as const
    return recordRollout(queries, rollout, plan)
  })
}

/** Plans to revert an earlier rollout in the projects that it changed. */
export function startRevert(
  db: Database,
  {
    rolloutId,
    course,
    actorId,
    request,
  }: { rolloutId: number; course: Course; actorId: number; request: Request },
): Promise<Started | 'no rollout' | 'not ended' | 'a revert' | 'nothing' | 'reverted' | 'no projects'> {
  return db.transaction(async (queries) => {
    // Also of a template that was deleted since.
    const [board] = await queries.sql<{ id: number }[]>`
      select id from master_boards where id = (select board_id from rollouts where id = ${rolloutId}) for no key update`
    if (!board) return 'no rollout'
    const [reverted] = await queries.sql<
      {
        kind: RolloutKind
        card_id: number | null
        revision: number
        is_ended: boolean
        changed_ids: number[]
        reverted_ids: number[]
      }[]
    >`
      select kind, card_id, revision, finished_at is not null as is_ended, array(
        select distinct id from rollout_batches b, unnest(b.changed_ids) id where b.rollout_id = p.id) as changed_ids, array(
        select distinct project_id from rollouts revert join rollout_batches b on b.rollout_id = revert.id and b.done_at is not null, unnest(b.project_ids) project_id
        where revert.reverts_id = p.id and revert.status not in ('planning', 'planned') and not b.failures ? project_id::text) as reverted_ids
      from rollouts p where id = ${rolloutId} for share`
    if (!reverted) return 'no rollout'
    const { kind, card_id: cardId, revision, is_ended: isEnded, changed_ids: projectIds } = reverted
    if (!isEnded) return 'not ended'
    if (kind === 'revert' || kind === 'reset') return 'a revert'
    if (projectIds.length === 0) return 'nothing'
    const isReverted = new Set(reverted.reverted_ids)
    if (projectIds.every((id) => isReverted.has(id))) return 'reverted'
    const isChanged = new Set(projectIds)
    const stages = course.stages?.map((stage) => withoutOthers(stage, isChanged)) ?? null
    for (const { projects: ids } of stages ?? [])
      if (ids && (ids.length === 0 || !ids.every((id) => isChanged.has(id)))) return 'no projects'
    const rollout = {
      kind: 'revert' as const,
      boardId: board.id,
      cardId,
      revision,
      actorId,
      revertsId: rolloutId,
    }
    const plan = { status: 'planning', projectIds, course: { ...course, stages }, request } as const
    return recordRollout(queries, rollout, plan)
  })
}

/** Of an audience only the projects that the rollout is about; other ones that a stage names are a mistake. */
const withoutOthers = (stage: Stage, isWanted: ReadonlySet<number>): Stage =>
  stage.audience_name === undefined
    ? stage
    : { ...stage, projects: (stage.projects ?? []).filter((id) => isWanted.has(id)) }

/** Whether all of these are projects that templates of the platform can reach. */
async function areThere(
  { sql }: Queries,
  platformId: number,
  projectIds: readonly number[],
): Promise<boolean> {
  const ids = [...new Set(projectIds)]
  const found = await sql`
    select from projects where id = any(${ids}::bigint[]) and platform_id = ${platformId} and kind = 'customer' and deleted_at is null
      and archived_at is null`
  return ids.length > 0 && found.length === ids.length
}

/** The projects of an audience may be many, and are in the batches. */
const storedStage = ({ projects, ...stage }: Stage) =>
  stage.audience_name === undefined ? { ...stage, projects } : stage

/** Also of a card that no version has: no project has it either. */
async function kindOfDeletion(
  { sql }: Queries,
  boardId: number,
  cardId: number,
): Promise<'removal' | 'no card'> {
  const found = await sql`select from master_cards where id = ${cardId} and board_id = ${boardId}`
  return found.length > 0 ? 'removal' : 'no card'
}

/** What a rollout of the card at the version with this revision is. */
async function kindOfCard(
  queries: Queries,
  { boardId, revision, cardId }: { boardId: number; revision: number; cardId: number },
): Promise<'card' | 'removal' | 'no card' | 'inactive card'> {
  const [card] = await queries.run<{ is_active: boolean; is_deleted: boolean }>(
    `select is_active, is_deleted from (${stateAt('card', { isWanted: 'card_id = $3' })}) state`,
    [boardId, revision, cardId],
  )
  if (!card) return 'no card'
  if (card.is_deleted) return 'removal'
  return card.is_active ? 'card' : 'inactive card'
}

async function recordRollout(
  queries: Queries,
  { kind, boardId, cardId, revision, actorId, revertsId, resetFields }: NewRollout,
  {
    status,
    projectIds,
    course,
    request,
  }: {
    status: 'planning' | 'running'
    projectIds: readonly number[] | null
    course: Course | null
    request?: Request
  },
): Promise<Started> {
  const { sql } = queries
  const chosen = projectIds as number[] | null
  const stages = course?.stages ?? null
  const isWhole =
    stages === null || stages.some(({ projects: ids, percent }) => !ids && (percent ?? 100) === 100)
  const [started] = await sql<{ id: number; cards: number }[]>`
    insert into rollouts (kind, platform_id, board_id, card_id, revision, title, template_title, created_by, status, is_partial, planned_newest,
      stages, starts_at, started_at, stop_after_failures, stop_after_undone, reverts_id, reset_fields, request)
    select ${kind}, m.platform_id, m.id, ${cardId}, ${revision}, coalesce(card.title, template.title), template.title, ${actorId}, ${status},
      ${chosen !== null || !isWhole}, case when ${status} = 'planning' then (select max(v.revision) from template_versions v where v.board_id = m.id) end,
      ${stages && JSON.stringify(stages.map(storedStage))}::text::jsonb, ${course?.startsAt ?? null}::text::timestamptz, case when ${status} = 'running' then now() end, ${course?.stopAfterFailures ?? null}::integer,
      ${course?.stopAfterUndone ?? null}::integer,
      ${revertsId ?? null}::bigint, ${resetFields ? JSON.stringify(resetFields) : null}::text::jsonb,
      ${request ? JSON.stringify(request) : null}::text::jsonb
    from master_boards m
    join lateral (select ${sql.unsafe(titleAt('board', `${revision}`))} as title from master_boards thing where thing.id = m.id) template on true
    left join lateral (select ${sql.unsafe(titleAt('card', `${revision}`))} as title from master_cards thing where thing.id = ${cardId}) card on true
    where m.id = ${boardId}
    returning id, (select count(*) from master_cards where board_id = ${boardId} and deleted_at is null) as cards`
  const { id, cards } = started as { id: number; cards: number }
  const perProject = kind === 'board' ? Math.max(cards, 1) : 1
  const size = Math.min(Math.max(Math.floor(maxRowsInBatch / perProject), 1), mostProjectsInBatch)
  const { stageOf, shareOf, named } = stagesIn({ sql }, stages)
  // A copy that has received the version, even one that changes nothing in projects, is left out. A deletion goes to every project, because a rollout that is still
  // running may bring the card to a project that does not have it yet.
  await sql`
    insert into rollout_batches (rollout_id, stage, number, project_ids, no_access_ids, opted_out_ids, done_at)
    select ${id}, stage, row_number() over (order by stage, min(project_id)), array_agg(project_id order by project_id),
      case state when 'no access' then array_agg(project_id order by project_id) else '{}' end,
      case state when 'opted out' then array_agg(project_id order by project_id) else '{}' end,
      case state when 'open' then null else now() end
    from (
      select project_id, state, stage, (row_number() over (partition by state, stage order by project_id) - 1) / ${size}::int as part
      from (
        select project_id, state, ${stageOf} as stage from (
        select projects.*, named.stage as named_stage, ${shareOf} as share from (
        select p.id as project_id, case
          when ${kind === 'removal' || kind === 'revert'} then 'open'
          when m.tool_key is not null and not p.tool_keys ? m.tool_key then 'no access'
          when ${kind === 'card' || kind === 'reset'} or copy.synced_revision < newest or copy.version_revision < ${revision}
            or copy.id is null or refusal.project_id is not null then 'open'
          when copy.deleted_at is not null then 'opted out'
          else 'up to date' end as state
        from master_boards m cross join lateral (select ${sql.unsafe(newestShown)} as newest offset 0) shown
        join projects p on p.platform_id = m.platform_id and p.kind = 'customer' and p.deleted_at is null
          and p.archived_at is null
          ${chosen === null ? sql`` : sql`and p.id = any(${chosen}::bigint[])`}
        left join boards copy on copy.project_id = p.id and copy.master_board_id = m.id
        left join rollout_refusals refusal on refusal.project_id = p.id and refusal.master_board_id = m.id
        where m.id = ${boardId}
        ) projects left join ${named} on named.id = projects.project_id
        ) shared
      ) staged where stage is not null
    ) parts group by state, stage, part`
  return { rolloutId: id, audited: (await auditedRollout(queries, id)) as AuditedRollout }
}

/**
 * The stage of a project: the first that names it, or the last one with a share, since the shares are known only when it is known which projects
 * change (closing.ts). What is done already is in the first one, and a project that is in no stage is left out.
 */
function stagesIn({ sql }: Pick<Queries, 'sql'>, stages: readonly Stage[] | null) {
  const numbered = (stages ?? [{}]).map((stage, index) => ({ ...stage, number: index + 1 }))
  const pairs = numbered.flatMap(({ projects: ids, number }) => (ids ?? []).map((id) => ({ id, number })))
  const shares = numbered.filter(({ projects: ids }) => !ids)
  const largest = Math.max(0, ...shares.map(({ percent }) => percent ?? 100))
  return {
    named: sql`(
      select id, min(number) as stage
      from unnest(${pairs.map(({ id }) => id)}::bigint[], ${pairs.map(({ number }) => number)}::bigint[]) as pairs (id, number) group by id
    ) named`,
    // Ordering all projects takes longer than finding them, so it is left out where the last share is everything.
    shareOf:
      largest === 100
        ? sql`100`
        : sql`100.0 * row_number() over (partition by state order by named.stage is null, hashint8(project_id))
            / count(*) over (partition by state)`,
    stageOf: sql`
      case when state <> 'open' then 1 when named_stage is not null then named_stage
        when share <= ${largest}::bigint then ${shares.at(-1)?.number ?? null}::bigint end`,
  }
}
