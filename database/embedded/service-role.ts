import { randomBytes } from 'node:crypto'
import type { Database } from '../connect.ts'
import type { DatabaseAddress } from '../embedded.ts'

const role = 'cardinal_service'

/** Gives the service a role that may change rows and nothing else. Migrations and the command line use the owner of the tables. */
export async function openToService(db: Database, owner: DatabaseAddress): Promise<DatabaseAddress> {
  // A new one for each start, so that it is stored nowhere.
  const password = randomBytes(32).toString('base64url')
  await db.transaction(async ({ sql }) => {
    const existing = await sql`select from pg_roles where rolname = ${role}`
    if (existing.length === 0) await sql.unsafe(`create role ${role}`)
    await sql.unsafe(`
      alter role ${role} login nosuperuser nocreatedb nocreaterole noreplication nobypassrls password '${password}';
      grant select, insert, update, delete on all tables in schema public to ${role};
      revoke insert, update, delete on schema_migrations from ${role};
      -- Entries are only added; forget_audit deletes old ones, as set by the owner of the tables.
      revoke update, delete on audit_entries from ${role};
      revoke insert, update, delete on audit_retention from ${role};
      grant usage, select on all sequences in schema public to ${role};
      -- For what a command of a newer version adds while the service runs.
      alter default privileges in schema public grant select, insert, update, delete on tables to ${role};
      alter default privileges in schema public grant usage, select on sequences to ${role}`)
  })
  return { ...owner, username: role, password }
}
