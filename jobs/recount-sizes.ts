import type { Database } from '#database/connect.ts'
import type { Task } from './queue.ts'

const projectsPerStep = 100

interface Repair {
  project_id: number
  board_id: number
  cards: number
  groups: number
  bytes: number
  comment_bytes: number
}

/**
 * Counts what every board and group holds and repairs stored sizes, which should never differ. Both are read in one statement, so a
 * concurrent change is in both or in neither; the difference is added, so a later change is kept.
 */
export async function recountSizes({ sql }: Database, { log, signal }: Task): Promise<void> {
  for (let last = 0; ; ) {
    signal.throwIfAborted()
    const projects = await sql<{ id: number }[]>`
      select id from projects where id > ${last} order by id limit ${projectsPerStep}`
    const ids = projects.map(({ id }) => id)
    if (ids.length === 0) return
    last = ids.at(-1) as number
    const repaired = await sql<Repair[]>`
      with off as (
        select project_id, board_id, sum(cards)::bigint as cards, sum(groups)::bigint as groups, sum(bytes)::bigint as bytes,
          sum(comment_bytes)::bigint as comment_bytes
        from (
          select project_id, board_id, cards, groups, bytes, comment_bytes from counted_sizes(${ids}::bigint[])
          union all select project_id, board_id, -cards, -groups, -bytes, -comment_bytes from board_sizes
            where project_id = any(${ids}::bigint[])
        ) both_sides
        group by project_id, board_id
        having (sum(cards), sum(groups), sum(bytes), sum(comment_bytes)) <> (0, 0, 0, 0)
      )
      update board_sizes s set cards = s.cards + off.cards, groups = s.groups + off.groups, bytes = s.bytes + off.bytes,
        comment_bytes = s.comment_bytes + off.comment_bytes
      from off where s.project_id = off.project_id and s.board_id = off.board_id and s.project_id = any(${ids}::bigint[])
      returning off.*`
    for (const off of repaired) log.warn(off, 'the size of a board was off and is repaired')
    // A forgotten size is counted again by the next writer, so this cannot do harm to a concurrent change.
    const forgotten = await sql<{ project_id: number; group_id: number; cards: number }[]>`
      delete from group_sizes s where project_id = any(${ids}::bigint[]) and (cards, last_order) <> (
        select count(*), greatest(max(c.sort_order), s.last_order) from cards c
        where c.project_id = any(${ids}::bigint[]) and c.project_id = s.project_id and c.group_id = s.group_id and c.deleted_at is null)
      returning project_id, group_id, cards`
    for (const off of forgotten) log.warn(off, 'the size of a group was off and will be counted again')
  }
}
