import type { Queries } from './connect.ts'

const projectsAtOnce = 1_000

/** Reads from tenant tables for all projects that are not deleted, some at a time: each statement names its projects, like every other one. */
export async function inAllProjects<Row>(
  { sql }: Queries,
  read: (projectIds: number[]) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const rows: Row[] = []
  for (let last = 0; ; ) {
    const projects = await sql<{ id: number }[]>`
      select id from projects where id > ${last} and deleted_at is null order by id limit ${projectsAtOnce}`
    const ids = projects.map(({ id }) => id)
    if (ids.length > 0) rows.push(...(await read(ids)))
    if (ids.length < projectsAtOnce) return rows
    last = ids.at(-1) as number
  }
}
