// Pauses a rollout that too many customers undo: after it reached them, a member deleted a card that it added or brought back, alone or with its
// group or board, restored one that it deleted, or changed a field that it changed. Looked at before a stage begins, and when the figures follow what
// people did (fleet/follower.ts); without figures by worker.ts.
import type { Queries } from '#database/connect.ts'
import { cardFields } from '#templates/rules.ts'

const undoable = 'c.received_with, c.previous_revision, c.returned_at, c.master_card_id, c.master_revision'

/**
 * The events `e` with which members undid what the rollout of a card `c` did; $1 the projects. Behind a fence, so that only the cards of such
 * events are read.
 */
const undoing = `
  cross join lateral (
    select ${undoable} from cards c where c.project_id = any($1::bigint[]) and c.project_id = e.project_id and c.id = e.card_id
    union all
    select ${undoable} from cards c where c.project_id = any($1::bigint[]) and c.project_id = e.project_id and c.received_with is not null
      and e.kind = 'group.deleted' and c.group_id = (e.data ->> 'group_id')::bigint
    union all
    select ${undoable} from cards c where c.project_id = any($1::bigint[]) and c.project_id = e.project_id and c.received_with is not null
      and e.kind = 'board.deleted' and c.board_id = (e.data ->> 'board_id')::bigint
    offset 0
  ) c
  left join master_card_revisions brought on brought.card_id = c.master_card_id and brought.revision = c.master_revision
  left join master_card_revisions before on before.card_id = c.master_card_id and before.revision = c.previous_revision
  where e.project_id = any($1::bigint[]) and not e.data ? 'rollout_id'
    and exists (select from memberships m where m.project_id = e.project_id and m.user_id = e.actor_id)
    and case
      when e.kind in ('card.deleted', 'group.deleted', 'board.deleted') then c.previous_revision is null or c.returned_at is not null
      when e.kind = 'card.restored' then exists (select from rollouts where id = c.received_with and kind = 'removal')
      when e.kind = 'card.updated' then c.previous_revision is not null and (${cardFields
        .map(
          (name) =>
            `(brought.${name} is distinct from before.${name} and (e.data -> 'changes' ? '${name}' or e.data -> 'texts' ? '${name}'))`,
        )
        .join(' or ')})
      else false end`

/** The events of a batch's projects since they were planned, which are few; those before the batch do not count. */
const statement = `
  select distinct e.project_id from events e ${undoing} and c.received_with = $2 and e.created_at > $3::timestamptz`

/** Only the events that the figures have not followed yet; $2 the rollouts that are watched. */
const newsStatement = `
  with e as materialized (
    select e.project_id, e.card_id, e.actor_id, e.kind, e.data
    from unnest($1::bigint[]) as given (id)
    left join project_figures f on f.project_id = any($1::bigint[]) and f.project_id = given.id
    cross join lateral (
      select * from events e where e.project_id = any($1::bigint[]) and e.project_id = given.id and e.id > coalesce(f.version, 0) offset 0
    ) e
  )
  select distinct c.received_with as id from e ${undoing} and c.received_with = any($2::bigint[])`

type Undoable = Pick<Queries, 'sql'>

interface Reached {
  changed_ids: number[]
  done_at: string
  since: string
}

/** The batches that changed projects, and since when it counts that they are undone. */
const reachedBy = ({ sql }: Undoable, rolloutId: number) => sql<Reached[]>`
  select b.changed_ids, b.done_at, greatest(b.done_at, p.undone_after) as since from rollouts p join rollout_batches b on b.rollout_id = p.id
  where p.id = ${rolloutId} and b.done_at is not null and b.changed > 0`

/** The projects of a batch that have undone the rollout since a time. */
async function undoneIn({ sql }: Undoable, rolloutId: number, ids: number[], since: string) {
  const found = await sql.unsafe<{ project_id: number }[]>(statement, [ids, rolloutId, since])
  return found.map(({ project_id: id }) => id)
}

/** In how many projects a rollout was undone; counted until there are enough. */
async function countUndone(queries: Undoable, rolloutId: number, enough: number): Promise<number> {
  let count = 0
  for (const { changed_ids: ids, since } of await reachedBy(queries, rolloutId)) {
    count += (await undoneIn(queries, rolloutId, ids, since)).length
    if (count >= enough) break
  }
  return count
}

/** The projects that have undone a rollout since it reached them, also before it was resumed. */
export async function listUndone(queries: Undoable, rolloutId: number): Promise<number[]> {
  const undone: number[] = []
  for (const { changed_ids: ids, done_at } of await reachedBy(queries, rolloutId))
    undone.push(...(await undoneIn(queries, rolloutId, ids, done_at)))
  return undone
}

/** Pauses a rollout that was undone too often; true if it does. */
export async function pauseIfUndone({ sql }: Undoable, rolloutId: number): Promise<boolean> {
  const [watched] = await sql<{ stop_after_undone: number }[]>`
    select stop_after_undone from rollouts
    where id = ${rolloutId} and finished_at is null and stop_after_undone is not null and status in ('running', 'waiting')`
  if (!watched) return false
  const { stop_after_undone: enough } = watched
  if ((await countUndone({ sql }, rolloutId, enough)) < enough) return false
  const paused = await sql`
    update rollouts set status = 'paused', pause_reason = 'undone' where id = ${rolloutId} and status in ('running', 'waiting') returning id`
  return paused.length > 0
}

const watchedRollouts = ({ sql }: Undoable) => sql<{ id: number }[]>`
  select id from rollouts where finished_at is null and stop_after_undone is not null and status in ('running', 'waiting')`

/** The rollouts that people have undone in some of these projects since the figures followed them. */
export async function undoneSince(queries: Undoable, projectIds: readonly number[]): Promise<number[]> {
  const watched = await watchedRollouts(queries)
  if (watched.length === 0) return []
  const found = await queries.sql.unsafe<{ id: number }[]>(newsStatement, [
    projectIds as number[],
    watched.map(({ id }) => id),
  ])
  return found.map(({ id }) => id)
}

/** Pauses the rollouts that were undone too often. */
export async function pauseUndone(queries: Undoable): Promise<void> {
  for (const { id } of await watchedRollouts(queries)) await pauseIfUndone(queries, id)
}
