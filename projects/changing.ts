import { assignments } from '#database/assignments.ts'
import type { Database } from '#database/connect.ts'
import { change } from '#events/change.ts'
import { recordEvent } from '#events/record.ts'

interface ChangedProject {
  id: number
  platform_id: number
  name: string
  website_url: string | null
}

/** The website's address is one that `readWebsiteUrl` has accepted. Undefined if there is no such project. */
export async function changeProject(
  db: Database,
  { projectId, actorId }: { projectId: number; actorId: number | null },
  wanted: { name?: string | undefined; websiteUrl?: string | null | undefined },
): Promise<ChangedProject | undefined> {
  const read = async ({ sql }: Pick<Database, 'sql'>) => {
    const [project] = await sql<ChangedProject[]>`
      select id, platform_id, name, website_url from projects
      where id = ${projectId} and deleted_at is null and kind = 'customer'`
    return project
  }
  // A project that does not exist cannot be locked.
  if (!(await read(db))) return undefined
  return change(db, projectId, async (queries) => {
    const before = (await read(queries)) as ChangedProject
    const { name = before.name, websiteUrl = before.website_url } = wanted
    const hasNewName = name !== before.name
    const hasNewWebsite = websiteUrl !== before.website_url
    if (!hasNewName && !hasNewWebsite) return before
    const values = {
      ...(hasNewName && { name }),
      // Looked at soon, because nothing is known about the new address.
      ...(hasNewWebsite && { website_url: websiteUrl, website_checked_at: null }),
    }
    await queries.sql`update projects set ${assignments(queries, values)} where id = ${projectId}`
    await recordEvent(queries, {
      boardId: null,
      actorId,
      kind: 'project.updated',
      data: {
        changes: {
          ...(hasNewName && { name: { from: before.name, to: name } }),
          ...(hasNewWebsite && { website_url: { from: before.website_url, to: websiteUrl } }),
        },
      },
    })
    return { ...before, name, website_url: websiteUrl }
  })
}
