// Many projects and one master board, and what must be true in all of them after concurrent work.
import assert from 'node:assert/strict'
import type { Registry } from '#api/registry.ts'
import type { Calls, Client } from '#contract/client.ts'
import { recountCoverage } from '#coverage/counts.ts'
import type { Database, Queries } from '#database/connect.ts'

export const admin = '/services/operations/v1/admin'

export interface Fleet {
  boardId: number
  groupIds: number[]
  cardIds: number[]
}

/** A master board of two groups, with the cards alternating between them. */
export async function createMaster(
  superadmin: Client<Calls<Registry>>,
  { cards = 4, toolKey = null as string | null } = {},
): Promise<Fleet> {
  const { board } = await superadmin.call(`${admin}/master-boards/create`, {
    title: 'Launch',
    tool_key: toolKey,
  })
  const groupIds: number[] = []
  for (const title of ['First', 'Second'])
    groupIds.push(
      (await superadmin.call(`${admin}/master-groups/create`, { board_id: board.id, title })).group.id,
    )
  const cardIds: number[] = []
  for (let number = 0; number < cards; number++) {
    const input = { group_id: groupIds[number % 2] as number, title: `Card ${number + 1}`, tour_key: 'tour' }
    cardIds.push((await superadmin.call(`${admin}/master-cards/create`, input)).card.id)
  }
  return { boardId: board.id, groupIds, cardIds }
}

/** More than 500 projects take several batches of a rollout. */
export async function addProjects(queries: Queries, count: number, tools: string[] = []): Promise<number[]> {
  const { sql } = queries
  const rows = await sql<{ id: number }[]>`
    insert into projects (platform_id, name, tool_keys)
    select (select min(id) from platforms), 'Project ' || number, ${sql.json(tools)} from generate_series(1, ${count}) number
    returning id`
  await recountCoverage(queries)
  return rows.map(({ id }) => id)
}

/** The copies of a master card. */
export const copiesOf = ({ sql }: Queries, masterCardId: number) => sql<
  { project_id: number; id: number; title: string; master_revision: number; is_deleted: boolean }[]
>`
  select project_id, id, title, master_revision, deleted_at is not null as is_deleted from cards
  where master_card_id = ${masterCardId} order by project_id`

const violations = {
  'a live card in a deleted group': `
    select from cards c join groups g on g.project_id = c.project_id and g.id = c.group_id
    where c.deleted_at is null and g.deleted_at is not null`,
  'a live group on a deleted board': `
    select from groups g join boards b on b.project_id = g.project_id and b.id = g.board_id
    where g.deleted_at is null and b.deleted_at is not null`,
  'a copy that is newer than its master': `
    select from cards c join master_cards m on m.id = c.master_card_id where c.master_revision > m.revision
    union all select from boards b join master_boards m on m.id = b.master_board_id where b.synced_revision > m.newest_revision`,
  'a copy behind what its board has seen': `
    select from boards b join master_cards m on m.board_id = b.master_board_id
    join master_card_revisions r on r.card_id = m.id and r.revision = m.published_revision and not r.is_deleted and r.is_active
    join cards c on c.project_id = b.project_id and c.master_card_id = m.id and c.deleted_at is null
    where r.published_with <= b.synced_revision and c.master_revision <> r.revision`,
  'a card that did not arrive where its group is': `
    select from boards b join master_cards m on m.board_id = b.master_board_id
    join master_card_revisions r on r.card_id = m.id and r.revision = m.published_revision and not r.is_deleted and r.is_active
    join groups g on g.project_id = b.project_id and g.master_group_id = r.group_id and g.deleted_at is null
    where r.published_with <= b.synced_revision
      and not exists (select from cards c where c.project_id = b.project_id and c.master_card_id = m.id)`,
  // A paused one waits for a person; the demo has one.
  'a rollout that has not ended': `select from rollouts where finished_at is null and status <> 'paused'`,
  'a done rollout with something left': `
    select from rollouts p join rollout_batches b on b.rollout_id = p.id where p.status = 'done' and b.done_at is null`,
  'a project in a rollout twice': `
    select from rollout_batches b, unnest(project_ids) project group by rollout_id, project having count(*) > 1`,
}

export async function assertSound(db: Database): Promise<void> {
  for (const [what, statement] of Object.entries(violations))
    assert.equal((await db.sql.unsafe(statement)).length, 0, what)
}

/** Asserts that every given project has the board exactly as the master is now. */
export async function assertExact({ sql }: Queries, { boardId }: Fleet, projectIds: number[]): Promise<void> {
  const [row] = await sql<Record<'boards' | 'groups' | 'cards' | 'wanted_groups' | 'wanted_cards', number>[]>`
    select
      (select count(*) from boards where master_board_id = ${boardId} and project_id = any(${projectIds}::bigint[])
        and deleted_at is null) as boards,
      (select count(*) from groups g join master_groups m on m.id = g.master_group_id
        where m.board_id = ${boardId} and g.project_id = any(${projectIds}::bigint[])
          and (g.title, g.rank, g.master_revision) = (m.title, m.rank, m.revision) and g.deleted_at is null) as groups,
      (select count(*) from cards c join master_cards m on m.id = c.master_card_id
        join groups g on g.project_id = c.project_id and g.id = c.group_id and g.board_id = c.board_id
        where m.board_id = ${boardId} and c.project_id = any(${projectIds}::bigint[]) and c.deleted_at is null
          and (c.title, c.rank, c.master_revision, g.master_group_id) = (m.title, m.rank, m.revision, m.group_id)) as cards,
      (select count(*) from master_groups where board_id = ${boardId} and deleted_at is null) as wanted_groups,
      (select count(*) from master_cards where board_id = ${boardId} and deleted_at is null) as wanted_cards`
  const { boards, groups, cards, wanted_groups, wanted_cards } = row as NonNullable<typeof row>
  const count = projectIds.length
  assert.deepEqual(
    { boards, groups, cards },
    { boards: count, groups: count * wanted_groups, cards: count * wanted_cards },
  )
}
