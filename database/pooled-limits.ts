// Time limits for connections through a pooler, which refuses them at the start of a connection. Called by cli/open-database.ts.
import { type Database, usualLimits } from './connect.ts'
import { quoted } from './copy.ts'

const settings = {
  statement_timeout: usualLimits.statement,
  lock_timeout: usualLimits.lockWait,
  idle_in_transaction_session_timeout: usualLimits.idleInTransaction,
}

/** Sets these limits for the role unless they are set already; new connections of the pooler inherit them. */
export async function keepLimits(db: Database): Promise<void> {
  await db.transaction(async ({ sql }) => {
    await sql`select pg_advisory_xact_lock(hashtext('cardinal limits'))`
    const [row] = await sql<{ role: string; name: string; settings: string[] }[]>`
      select current_user::text as role, d.datname::text as name,
        (select coalesce(json_agg(split_part(one, '=', 1)), '[]') from pg_db_role_setting s, unnest(s.setconfig) one
          where s.setdatabase = d.oid and s.setrole = current_user::regrole) as settings
      from pg_database d where d.datname = current_database()`
    if (!row) return
    for (const [name, seconds] of Object.entries(settings))
      if (!row.settings.includes(name))
        await sql.unsafe(
          `alter role ${quoted(row.role)} in database ${quoted(row.name)} set ${name} = '${seconds}s'`,
        )
  })
}
