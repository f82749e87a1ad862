// Mails to the owners of a project what became of it, so that they notice if that was a mistake, or somebody else in their name.
import type { Queries } from '#database/connect.ts'
import { shownName } from '#events/shown-name.ts'
import { mailLanguage } from '#identity/notices.ts'
import type { MailName, ValuesOf } from '#mail/catalogue.ts'
import { queueMail } from '#mail/queue.ts'

/** `valuesFor` has the name of who did it, as the owners see it. */
export async function tellOwners<Name extends MailName>(
  queries: Queries,
  { projectId, actorId }: { projectId: number; actorId: number },
  kind: Name,
  valuesFor: (actor: string) => ValuesOf<Name>,
): Promise<void> {
  const owners = await queries.sql<{ email: string; language: string | null; actor: string }[]>`
    select u.email, u.language, ${queries.sql.unsafe(shownName('m.project_id', 'actor'))} as actor
    from memberships m join users u on u.id = m.user_id and u.disabled_at is null join users actor on actor.id = ${actorId}
    where m.project_id = ${projectId} and m.role = 'owner' order by u.id`
  for (const { email, language, actor } of owners)
    await queueMail(queries, { kind, to: email, language: mailLanguage(language), values: valuesFor(actor) })
}
