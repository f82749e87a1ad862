// Whom mails of the inbox go to.
import type { Queries } from '#database/connect.ts'

export interface Wanted {
  /** False sends nothing: the service has no way to. */
  canMail: boolean
  /** Accounts of the demo have addresses that do not exist, so only the outbox gets their mails. */
  includesDemo: boolean
}

export interface Recipient {
  id: number
  email: string
  language: string | null
  time_zone: string | null
  unsubscribe_key: string
}

/** Those of the people who get mails, and the projects that they belong to. */
export async function readRecipients(
  { sql }: Queries,
  userIds: number[],
  { canMail, includesDemo }: Wanted,
): Promise<{ people: Recipient[]; projectIds: number[] }> {
  if (!canMail || userIds.length === 0) return { people: [], projectIds: [] }
  await sql`
    with fresh as materialized (select id, gen_random_uuid() as key from unnest(${userIds}::bigint[]) id)
    update users u set unsubscribe_key = fresh.key from fresh where u.id = fresh.id and u.unsubscribe_key is null`
  const people = await sql<Recipient[]>`
    select id, email, language, time_zone, unsubscribe_key from users
    where id = any(${userIds}::bigint[]) and disabled_at is null and unsubscribe_key is not null
      and (${includesDemo} or not is_demo) order by id`
  const projects = await sql<{ project_id: number }[]>`
    select distinct m.project_id from memberships m join projects p on p.id = m.project_id and p.deleted_at is null and p.archived_at is null
    where m.user_id = any(${people.map(({ id }) => id)}::bigint[])`
  return { people, projectIds: projects.map(({ project_id }) => project_id) }
}
