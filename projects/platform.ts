import type { Queries } from '#database/connect.ts'

/** Returns the platform, which is created when it is first needed. */
export async function ensurePlatform({ sql }: Queries): Promise<number> {
  await sql`insert into platforms (name) select 'Cardinal' where not exists (select from platforms)`
  const [platform] = await sql<{ id: number }[]>`select min(id) as id from platforms`
  return platform?.id as number
}
