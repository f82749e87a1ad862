// Platforms: each has its own projects, templates, themes, catalogue and superadmins. An installation starts with one.
import type { Database, Queries } from '#database/connect.ts'
import type { SuperadminOf } from '#identity/roles.ts'

interface Platform {
  id: number
  name: string
}

/** The platform of projects for which none is chosen, because there is no other. */
export async function firstPlatform({ sql }: Queries): Promise<number> {
  const [platform] = await sql<{ id: number }[]>`select min(id) as id from platforms`
  return platform?.id as number
}

export async function platformOf({ sql }: Queries, projectId: number): Promise<number> {
  const [project] = await sql<
    { platform_id: number }[]
  >`select platform_id from projects where id = ${projectId}`
  return project?.platform_id as number
}

export function listPlatforms({ sql }: Queries): Promise<Platform[]> {
  return sql<Platform[]>`select id, name from platforms order by id`
}

/** The platforms of the projects that a user can open, by name. */
export function listOpenablePlatforms(
  queries: Queries,
  { id, superadmin, superadminPlatformId }: SuperadminOf & { id: number },
): Promise<Platform[]> {
  return queries.run<Platform>(
    `select id, name from platforms where $2 or id = $3 or id in (
       select p.platform_id from memberships m join projects p on p.id = m.project_id and p.deleted_at is null
       where m.user_id = $1)
     order by lower(name), id`,
    [id, superadmin && superadminPlatformId === null, superadminPlatformId],
  )
}

/** Returns the id of the new platform. */
export function addPlatform(db: Database, name: string): Promise<number | 'name taken'> {
  return withFreeName(db, name, null, async ({ sql }) => {
    const [added] = await sql<{ id: number }[]>`insert into platforms (name) values (${name}) returning id`
    return added?.id as number
  })
}

export function renamePlatform(
  db: Database,
  id: number,
  name: string,
): Promise<'renamed' | 'no platform' | 'name taken'> {
  return withFreeName(db, name, id, async ({ sql }) => {
    const { count } = await sql`update platforms set name = ${name} where id = ${id}`
    return count > 0 ? 'renamed' : 'no platform'
  })
}

/** The lock keeps two people from giving the same name at once. */
function withFreeName<Outcome>(
  db: Database,
  name: string,
  ownId: number | null,
  work: (queries: Queries) => Promise<Outcome>,
): Promise<Outcome | 'name taken'> {
  return db.transaction(async (queries) => {
    const { sql } = queries
    await sql`lock table platforms in share row exclusive mode`
    const [taken] = await sql`
      select from platforms where lower(name) = lower(${name}) and id is distinct from ${ownId}`
    return taken ? 'name taken' : work(queries)
  })
}
