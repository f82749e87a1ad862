// What a board has for one person; the board itself is the same for everyone and is kept in memory.
import { flag, integer, list, record } from '#contract/schema.ts'
import type { Queries } from '#database/connect.ts'
import { isSinceJoining } from '../comment/reading.ts'
import { isOnBoard } from '../group/archiving.ts'

export const personal = record({
  groups: list(
    record({
      group_id: integer({ about: 'The id of the group.' }),
      is_collapsed: flag({ about: 'True if you collapsed it, false if you expanded it.' }),
    }),
    {
      about: 'Only groups that you collapsed or expanded; `is_collapsed` of the group holds for the others.',
    },
  ),
  cards: list(
    record({
      card_id: integer({ about: 'The id of the card.' }),
      comments_count: integer({ about: 'How many comments it has.' }),
      unread_count: integer({
        about:
          'How many of them you have not read; your own, and those from before you joined, count as read.',
      }),
    }),
    { about: 'Only cards with comments.' },
  ),
})

type Personal = (typeof personal)['static']

const personalStatement = `
  select
    (select coalesce(json_agg(own), '[]') from (
      select w.group_id, w.is_collapsed from collapsed_groups w
      join groups g on g.project_id = $1 and g.id = w.group_id and g.board_id = $2 and g.deleted_at is null
      where w.project_id = $1 and w.user_id = $3 order by w.group_id
    ) own) as groups,
    (select coalesce(json_agg(commented), '[]') from (
      select m.card_id, count(*) as comments_count,
        count(*) filter (where m.user_id <> $3 and r.comment_id is null and ${isSinceJoining('m', '$3')}) as unread_count
      from cards c
      join comments m on m.project_id = $1 and m.card_id = c.id and m.deleted_at is null
      left join comment_reads r on r.project_id = $1 and r.comment_id = m.id and r.user_id = $3
      where c.project_id = $1 and c.board_id = $2 and c.deleted_at is null and ${isOnBoard('c')}
      group by m.card_id order by m.card_id
    ) commented) as cards
  from boards b where b.project_id = $1 and b.id = $2 and b.deleted_at is null`

/** Undefined if the project has no such board. */
export async function readPersonal(
  queries: Queries,
  { projectId, boardId, userId }: { projectId: number; boardId: number; userId: number },
): Promise<Personal | undefined> {
  const [row] = await queries.run<Personal>(personalStatement, [projectId, boardId, userId])
  return row
}
