import type { Queries } from './connect.ts'

const projectsAtOnce = 1_000

type Read<Row> = (projectIds: number[]) => Promise<readonly Row[]>

/** Reads from tenant tables for all projects that are not deleted, some at a time: each statement names its projects, like every other one. */
export const inAllProjects = <Row>(queries: Queries, read: Read<Row>): Promise<Row[]> =>
  inProjects(queries, read, { withArchived: true })

/** The same without archived projects, which nobody is told about. */
export const inActiveProjects = <Row>(queries: Queries, read: Read<Row>): Promise<Row[]> =>
  inProjects(queries, read, { withArchived: false })

async function inProjects<Row>(
  { sql }: Queries,
  read: Read<Row>,
  { withArchived }: { withArchived: boolean },
): Promise<Row[]> {
  const rows: Row[] = []
  for (let last = 0; ; ) {
    const projects = await sql<{ id: number }[]>`
      select id from projects where id > ${last} and deleted_at is null and (${withArchived} or archived_at is null)
      order by id limit ${projectsAtOnce}`
    const ids = projects.map(({ id }) => id)
    if (ids.length > 0) rows.push(...(await read(ids)))
    if (ids.length < projectsAtOnce) return rows
    last = ids.at(-1) as number
  }
}
