import { connect, type Database } from '#database/connect.ts'
import type { DatabaseAddress } from '#database/embedded.ts'
import { newToken, sha256 } from '#identity/tokens.ts'

/** A project of the bench: one member with a token, one board. */
export interface Scene {
  token: string
  projectId: number
  boardId: number
  groupIds: number[]
  cardIds: number[]
}

/** Adds projects with a board each directly to the database. */
export async function addScenes(
  address: DatabaseAddress,
  size: { projects: number; groups: number; cardsPerGroup: number },
): Promise<Scene[]> {
  const db = connect(address, { connections: 1 })
  try {
    await db.sql`set statement_timeout = 0`
    const [{ first, last } = { first: 0, last: 0 }] = await insertProjects(db, size)
    await db.sql`analyze`
    const ids = Array.from({ length: Math.min(20, last - first + 1) }, (_, index) => first + index)
    return await Promise.all(ids.map((id) => readScene(db, id)))
  } finally {
    await db.end()
  }
}

/** Does now what PostgreSQL would otherwise do beside the measurement: vacuum new rows and write them to their files. */
export async function settle(address: DatabaseAddress): Promise<void> {
  const db = connect(address, { connections: 1 })
  try {
    await db.sql`set statement_timeout = 0`
    await db.sql`vacuum analyze`
    await db.sql`checkpoint`
  } finally {
    await db.end()
  }
}

async function insertProjects(
  { sql }: Database,
  size: { projects: number; groups: number; cardsPerGroup: number },
) {
  await sql`create temporary table added as
    with added as (
      insert into projects (platform_id, name)
      select (select min(id) from platforms), 'Bench ' || number from generate_series(1, ${size.projects}::int) number
      returning id
    ) select id from added`
  await sql`
    insert into boards (project_id, title) select id, 'Board' from added`
  await sql`
    insert into groups (project_id, board_id, title)
    select b.project_id, b.id, 'Group ' || number from boards b join added on added.id = b.project_id,
      generate_series(1, ${size.groups}::int) number order by b.project_id, number`
  await sql`
    insert into cards (project_id, board_id, group_id, title, description, sort_order, due_date)
    select g.project_id, g.board_id, g.id, 'Card ' || number, '<p>Some words about what is to be done, and by when.</p>',
      number, now() + interval '30 days'
    from groups g join added on added.id = g.project_id, generate_series(1, ${size.cardsPerGroup}::int) number
    order by g.project_id, g.id, number`
  await sql`insert into project_versions select id, 0 from added`
  await sql`insert into board_sizes select * from counted_sizes(array(select id from added))`
  return sql<{ first: number; last: number }[]>`select min(id) as first, max(id) as last from added`
}

/** Adds another member to a project of the bench and returns their token. */
export async function addMember(address: DatabaseAddress, projectId: number, name: string): Promise<string> {
  const db = connect(address, { connections: 1 })
  try {
    return await insertMember(db, projectId, name)
  } finally {
    await db.end()
  }
}

async function insertMember({ sql }: Database, projectId: number, name: string): Promise<string> {
  const token = newToken()
  const [user] = await sql<{ id: number }[]>`
    insert into users (email, name, password_hash, default_project_id)
    values (${`${name}-${projectId}@example.test`}, 'Bench', '', ${projectId}) returning id`
  const userId = user?.id as number
  await sql`insert into memberships (project_id, user_id, role) values (${projectId}, ${userId}, 'member')`
  await sql`
    insert into sessions (token_hash, user_id, carrier, second_factor, address, user_agent, expires_at)
    values (${sha256(token)}, ${userId}, 'bearer', false, '127.0.0.1', 'bench', now() + interval '1 day')`
  return token
}

async function readScene(db: Database, projectId: number): Promise<Scene> {
  const { sql } = db
  const token = await insertMember(db, projectId, 'bench')
  const [board] = await sql<{ id: number }[]>`select id from boards where project_id = ${projectId}`
  const groups = await sql<
    { id: number }[]
  >`select id from groups where project_id = ${projectId} order by rank`
  const cards = await sql<
    { id: number }[]
  >`select id from cards where project_id = ${projectId} order by rank`
  return {
    token,
    projectId,
    boardId: board?.id as number,
    groupIds: groups.map(({ id }) => id),
    cardIds: cards.map(({ id }) => id),
  }
}
