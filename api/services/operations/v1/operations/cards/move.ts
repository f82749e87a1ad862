import { operation } from '#api/operation.ts'
import { integer, optional, record } from '#contract/schema.ts'
import type { Queries } from '#database/connect.ts'
import { inProjectOf, inProjectOfOrElse } from '#identity/in-project.ts'
import { card, readCard } from './card.ts'

export default operation({
  path: '/services/operations/v1/operations/cards/move',
  summary: 'Move a card to a place of its group or of another one; without a place, to the end',
  audience: 'work',
  input: { id: integer(), group_id: optional(integer()), position: optional(integer()) },
  success: 200,
  message: 'The card was moved.',
  output: record({ card }),
  failures: [403, 404, 422],
  writes: true,
  async handle({ input: { id, group_id: groupId = null, position = null }, caller, db, live, http, fail }) {
    const missingGroup = () => fail(422, { group_id: ['The selected group id is invalid.'] })
    const attempt = (projectId: number) =>
      db.transaction(async (queries) => {
        const outcome = await moveCard(queries, { projectId, id, groupId, position, actorId: caller.id })
        if (outcome === 'no card') return undefined
        if (outcome !== 'moved') return outcome
        live.announce(http, projectId)
        return readCard(queries, projectId, id)
      })
    const moved = await inProjectOf(
      { db, caller, permission: 'work', kind: 'cards', id },
      fail,
      async ({ projectId }) => {
        // Another move came between the locks of list and card; both are free again, so that none waits for the other.
        for (;;) {
          const outcome = await attempt(projectId)
          if (outcome !== 'elsewhere') return outcome
        }
      },
    )
    if (moved !== 'no group') return { card: moved }
    // A group of a project that is not the caller's is refused as such; any other is no group of this project.
    await inProjectOfOrElse(
      { db, caller, permission: 'work', kind: 'groups', id: groupId as number },
      fail,
      async () => undefined,
      missingGroup,
    )
    throw missingGroup()
  },
})

interface Move {
  projectId: number
  id: number
  /** Null: the card's own group. */
  groupId: number | null
  /** Null: the end. */
  position: number | null
  actorId: number
}

/**
 * Locks the target list and the card, then takes the middle between the new neighbours. Neither the source list nor any
 * other card is touched, unless there is no room left between the two.
 */
async function moveCard(
  queries: Queries,
  { projectId, id, groupId, position, actorId }: Move,
): Promise<'moved' | 'no card' | 'no group' | 'elsewhere'> {
  const [[group], [card]] = await Promise.all([
    queries.run<{ id: number }>(
      `select id from groups where project_id = $1 and deleted_at is null
       and id = coalesce($2, (select group_id from cards where project_id = $1 and id = $3)) for no key update`,
      [projectId, groupId, id],
    ),
    queries.run<{ group_id: number }>(
      'select group_id from cards where project_id = $1 and id = $2 and deleted_at is null for no key update',
      [projectId, id],
    ),
  ])
  if (!card) return 'no card'
  if (groupId === null && group?.id !== card.group_id) return 'elsewhere'
  if (!group) return 'no group'
  const values = [projectId, group.id, id, position, actorId]
  if ((await queries.run(moveStatement, values)).length > 0) return 'moved'
  await respace(queries, projectId, group.id)
  await queries.run(moveStatement, values)
  return 'moved'
}

/**
 * No row where the neighbours are next to each other. A move to another board is news for both. Ranks from here are odd and
 * those of list_end() even, so that none is taken which a card that is being created has and does not show yet.
 */
const moveStatement = `
  with near as (
    select rank from cards where project_id = $1 and group_id = $2 and id <> $3 and deleted_at is null
    order by rank offset greatest($4::bigint - 2, 0) limit case when $4 <= 1 then 1 when $4 is null then 0 else 2 end
  ),
  target as (
    select case
      when $4 <= 1 then coalesce((min(rank) - 1048576) | 1, list_end())
      when count(*) < 2 then list_end()
      when max(rank) - min(rank) > 2 then (min(rank) + (max(rank) - min(rank)) / 2) | 1
    end as rank from near
  ),
  source as (select board_id, group_id from cards where project_id = $1 and id = $3),
  moved as (
    update cards set group_id = $2, board_id = g.board_id, rank = target.rank, updated_at = now()
    from target, groups g
    where cards.project_id = $1 and cards.id = $3 and target.rank is not null and g.project_id = $1 and g.id = $2
    returning cards.board_id
  ),
  event as (
    insert into events (project_id, board_id, card_id, actor_id, kind, data)
    select $1, concerned.board_id, $3, $5, 'card.moved',
      jsonb_build_object('from_group_id', source.group_id, 'group_id', $2::bigint, 'position', $4::bigint)
    from source, lateral (select moved.board_id from moved union select source.board_id from moved) concerned
  )
  select from moved`

/** Fresh ranks in the present order, for deleted cards too: they may return. The stronger lock keeps new ones out meanwhile. */
async function respace({ sql }: Queries, projectId: number, groupId: number) {
  await sql`select from groups where project_id = ${projectId} and id = ${groupId} for update`
  await sql`
    update cards set rank = fresh.rank
    from (select id, list_end() as rank from (
      select id from cards where project_id = ${projectId} and group_id = ${groupId} order by rank
    ) ordered) fresh
    where cards.project_id = ${projectId} and cards.id = fresh.id`
}
