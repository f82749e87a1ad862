// Pauses a rollout that too many customers undo: after it reached them, somebody deleted a card that it added or brought back, restored one that it deleted, or
// changed a field that it changed. Looked at now and then by worker.ts, and before a stage begins.
import type { Queries } from '#database/connect.ts'
import { cardFields } from '#templates/rules.ts'

/** The events of a batch's projects since they were planned, which are few; those before the batch do not count. */
const statement = `
  select distinct e.project_id from events e
  join cards c on c.project_id = any($1::bigint[]) and c.project_id = e.project_id and c.id = e.card_id and c.received_with = $2
  left join master_card_revisions brought on brought.card_id = c.master_card_id and brought.revision = c.master_revision
  left join master_card_revisions before on before.card_id = c.master_card_id and before.revision = c.previous_revision
  where e.project_id = any($1::bigint[]) and e.created_at > $3::timestamptz and e.actor_id is not null and not e.data ? 'rollout_id'
    and case e.kind
      when 'card.deleted' then c.previous_revision is null or c.returned_at is not null
      when 'card.restored' then exists (select from rollouts where id = $2 and kind = 'removal')
      when 'card.updated' then c.previous_revision is not null and (${cardFields
        .map(
          (name) =>
            `(brought.${name} is distinct from before.${name} and (e.data -> 'changes' ? '${name}' or e.data -> 'texts' ? '${name}'))`,
        )
        .join(' or ')})
      else false end`

type Undoable = Pick<Queries, 'sql'>

interface Reached {
  changed_ids: number[]
  since: string
}

/** In how many projects a rollout was undone; counted until there are enough. */
async function countUndone({ sql }: Undoable, rolloutId: number, enough: number): Promise<number> {
  const batches = await sql<Reached[]>`
    select b.changed_ids, greatest(b.done_at, p.undone_after) as since from rollouts p join rollout_batches b on b.rollout_id = p.id
    where p.id = ${rolloutId} and b.done_at is not null and b.changed > 0`
  let count = 0
  for (const { changed_ids: ids, since } of batches) {
    count += (await sql.unsafe<{ project_id: number }[]>(statement, [ids, rolloutId, since])).length
    if (count >= enough) break
  }
  return count
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

/** Pauses the rollouts that were undone too often. */
export async function pauseUndone({ sql }: Undoable): Promise<void> {
  const watched = await sql<{ id: number }[]>`
    select id from rollouts where finished_at is null and stop_after_undone is not null and status in ('running', 'waiting')`
  for (const { id } of watched) await pauseIfUndone({ sql }, id)
}
