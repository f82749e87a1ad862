// Who follows a card: its assignee, who created it, commented on it or was mentioned there, unless they have chosen otherwise. Those who mute a
// card are told nothing about it.
import { flag, record } from '#contract/schema.ts'
import type { Queries } from '#database/connect.ts'

export const following = record({ is_following: flag(), is_muted: flag() })

type Following = (typeof following)['static']

interface Asked {
  projectId: number
  cardId: number
  userId: number
}

/** $1 project, $2 card, $3 person. */
const followingStatement = `
  select coalesce(f.is_following, c.owner_id = $3 or c.created_by = $3
      or exists (select from comments m where m.project_id = $1 and m.card_id = $2 and m.user_id = $3 and m.deleted_at is null)
      or exists (select from mentions n where n.project_id = $1 and n.card_id = $2 and n.user_id = $3), false) as is_following,
    coalesce(f.is_muted, false) as is_muted
  from cards c left join card_follows f on f.project_id = $1 and f.card_id = $2 and f.user_id = $3
  where c.project_id = $1 and c.id = $2 and c.deleted_at is null`

/** Undefined if the project has no such card. */
export async function readFollowing(
  queries: Queries,
  { projectId, cardId, userId }: Asked,
): Promise<Following | undefined> {
  const [row] = await queries.run<Following>(followingStatement, [projectId, cardId, userId])
  return row
}

/** Stores what a person chooses for a card; undefined if the project has no such card. */
export async function chooseFollowing(
  queries: Queries,
  { projectId, cardId, userId }: Asked,
  { isFollowing = null, isMuted = null }: { isFollowing?: boolean | null; isMuted?: boolean | null },
): Promise<Following | undefined> {
  await queries.sql`
    insert into card_follows as chosen (project_id, card_id, user_id, is_following, is_muted)
    select project_id, id, ${userId}, ${isFollowing}::boolean, coalesce(${isMuted}::boolean, false) from cards
    where project_id = ${projectId} and id = ${cardId} and deleted_at is null
    on conflict (project_id, card_id, user_id) do update set
      is_following = coalesce(excluded.is_following, chosen.is_following),
      is_muted = coalesce(${isMuted}::boolean, chosen.is_muted)`
  return readFollowing(queries, { projectId, cardId, userId })
}
