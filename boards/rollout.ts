import { keepingCoverage } from '#coverage/counts.ts'
import type { Queries } from '#database/connect.ts'

interface Copies {
  boardIds?: number[]
  groupIds?: number[]
  cardIds?: number[]
}

/** Called when copies take part in rollouts again, such as after a restore. */
export const compareAtNextRollout = (queries: Queries, projectId: number, copies: Copies): Promise<unknown> =>
  keepingCoverage(queries, { projectIds: [projectId], boardId: null }, () =>
    findLacking(queries, projectId, copies),
  )

/** The boards of the project that came from templates, or from this one. */
export async function copiedBoards(
  { sql }: Queries,
  projectId: number,
  templateId: number | null = null,
): Promise<number[]> {
  const boards = await sql<{ id: number }[]>`
    select id from boards where project_id = ${projectId} and master_board_id is not null and deleted_at is null
      and (${templateId}::bigint is null or master_board_id = ${templateId})`
  return boards.map(({ id }) => id)
}

/**
 * If the copy of a board lacks something that was published, it goes back to the version before, and the next rollout compares all of it. The row is
 * written even if it lacks nothing: its lock makes a rollout that runs at the same time wait, or be waited for. The caller keeps the coverage.
 */
export const findLacking = (
  queries: Queries,
  projectId: number,
  { boardIds = [], groupIds = [], cardIds = [] }: Copies,
): Promise<unknown> =>
  queries.sql`
    update boards b set synced_revision = case when lacking.since is null then b.synced_revision else 0 end,
      version_revision = least(b.version_revision, lacking.since - 1),
      version_with = case when lacking.since <= b.version_revision then null else b.version_with end
    from (
      select copy.id, (${firstLacking(queries, projectId)}) as since from boards copy where copy.project_id = ${projectId} and (
        copy.id = any(${boardIds}::bigint[]) or copy.master_board_id in (
          select m.board_id from groups g join master_groups m on m.id = g.master_group_id
          where g.project_id = ${projectId} and g.id = any(${groupIds}::bigint[])
          union select m.board_id from cards c join master_cards m on m.id = c.master_card_id
          where c.project_id = ${projectId} and c.id = any(${cardIds}::bigint[]) and m.published_revision > c.master_revision
          union select m.board_id from cards c join master_cards m on m.id = c.master_card_id
          where c.project_id = ${projectId} and c.group_id = any(${groupIds}::bigint[])
            and c.deleted_at = c.withdrawn_at)) offset 0
    ) lacking where b.project_id = ${projectId} and b.id = lacking.id`

/** For a board `copy`: the first version with something that rollouts would bring to it and that it has not received; null if there is none. */
const firstLacking = ({ sql }: Queries, projectId: number) => sql`
  select min(published_with) from (
    select later.published_with from master_board_revisions later
    where later.board_id = copy.master_board_id and later.revision > copy.master_revision
    union all
    select later.published_with from master_groups m
    join master_group_revisions newest on newest.group_id = m.id and newest.revision = m.published_revision and not newest.is_deleted
    join master_group_revisions later on later.group_id = m.id and not later.is_deleted
    left join groups g on g.project_id = ${projectId} and g.master_group_id = m.id
    where m.board_id = copy.master_board_id and g.deleted_at is null and later.revision > coalesce(g.master_revision, 0)
    union all
    select later.published_with from master_cards m
    join master_card_revisions newest
      on newest.card_id = m.id and newest.revision = m.published_revision and newest.is_active and not newest.is_deleted
    join master_card_revisions later on later.card_id = m.id and later.is_active and not later.is_deleted
    left join cards c on c.project_id = ${projectId} and c.master_card_id = m.id
    left join groups g on g.project_id = ${projectId} and g.master_group_id = newest.group_id
    where m.board_id = copy.master_board_id and case
      when c.deleted_at is null and c.id is not null then c.takes_updates and later.revision > c.master_revision
      when c.id is null or c.deleted_at = c.withdrawn_at then later.revision > m.withdrawn_revision and g.deleted_at is null end
  ) later`
