import type { Queries } from '#database/connect.ts'

/** The platform, which comes into being with the first thing that belongs to it. */
export async function ensurePlatform({ sql }: Queries): Promise<number> {
  await sql`insert into platforms (name) select 'Cardinal' where not exists (select from platforms)`
  const [platform] = await sql<{ id: number }[]>`select min(id) as id from platforms`
  return platform?.id as number
}
