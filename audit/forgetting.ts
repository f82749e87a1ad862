import type { Database, Queries } from '#database/connect.ts'

const atATime = 5_000

/** Sets how long entries are kept, with the role that owns the tables. */
export async function keepAudit({ sql }: Queries, days: number): Promise<void> {
  await sql`update audit_retention set days = ${days} where days <> ${days}`
}

/** Deletes the entries that are older than the log is kept. */
export async function forgetAudit({ sql }: Database): Promise<void> {
  for (;;) {
    const [forgotten] = await sql<{ count: number }[]>`select forget_audit(${atATime}) as count`
    if ((forgotten?.count ?? 0) < atATime) return
  }
}
