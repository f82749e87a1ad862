import type { TestService } from './service.ts'

/** Makes it an installation that nobody has set up; links that were given out stay. */
export async function forgetEverybody({ db: { sql } }: Pick<TestService, 'db'>) {
  await sql`delete from memberships`
  await sql`delete from users`
  await sql`delete from project_versions`
  await sql`delete from projects`
}
