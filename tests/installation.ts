import type { TestService } from './service.ts'

/** Deletes all users, as before the setup; existing setup links stay. */
export async function forgetEverybody({ db: { sql } }: Pick<TestService, 'db'>) {
  await sql`delete from memberships`
  await sql`delete from users`
  await sql`delete from project_versions`
  await sql`delete from project_figures`
  await sql`delete from projects`
}
