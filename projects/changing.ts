import { assignments } from '#database/assignments.ts'
import type { Database } from '#database/connect.ts'
import { change } from '#events/change.ts'
import { recordEvent } from '#events/record.ts'
import { isTimeZone, isUnknownTimeZone, requireTimeZone } from '#identity/time-zone.ts'
import type { Language } from '#languages/known.ts'

interface Settings {
  name: string
  website_url: string | null
  /** What new members get, unless they choose. */
  language: string | null
  /** The same, and where the project's days begin for people who have none. */
  time_zone: string | null
}

interface ChangedProject extends Settings {
  id: number
  platform_id: number
}

type Wanted = { [Name in keyof Settings]?: Settings[Name] | undefined } & {
  language?: Language | null | undefined
}

/** The website's address is one that `readWebsiteUrl` has accepted. Undefined if there is no such project. */
export async function changeProject(
  db: Database,
  { projectId, actorId }: { projectId: number; actorId: number | null },
  wanted: Wanted,
): Promise<ChangedProject | 'unknown time zone' | undefined> {
  if (wanted.time_zone && !isTimeZone(wanted.time_zone)) return 'unknown time zone'
  const read = async ({ sql }: Pick<Database, 'sql'>) => {
    const [project] = await sql<ChangedProject[]>`
      select id, platform_id, name, website_url, language, time_zone from projects
      where id = ${projectId} and deleted_at is null and kind = 'customer'`
    return project
  }
  // A project that does not exist cannot be locked.
  if (!(await read(db))) return undefined
  const changing = change(db, projectId, async (queries) => {
    const before = await read(queries)
    if (!before) return undefined
    const given = Object.entries(wanted) as [keyof Settings, string | null | undefined][]
    const changed = given.filter(([name, to]) => to !== undefined && to !== before[name])
    if (changed.length === 0) return before
    const values = Object.fromEntries(changed) as Partial<Settings>
    await requireTimeZone(queries, values.time_zone ?? null)
    const written = {
      ...values,
      // Looked at soon, because nothing is known about the new address.
      ...(values.website_url !== undefined && { website_checked_at: null }),
    }
    await queries.sql`update projects set ${assignments(queries, written)} where id = ${projectId}`
    const changes = Object.fromEntries(changed.map(([name, to]) => [name, { from: before[name], to }]))
    await recordEvent(queries, { boardId: null, actorId, kind: 'project.updated', data: { changes } })
    return { ...before, ...values }
  })
  return changing.catch((error: unknown) => {
    if (isUnknownTimeZone(error)) return 'unknown time zone' as const
    throw error
  })
}
