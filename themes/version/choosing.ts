import { type Database, insideTransaction, type Queries } from '#database/connect.ts'
import { change } from '#events/change.ts'
import { recordEvent } from '#events/record.ts'
import { may, type Role, type Superadmin } from '#identity/roles.ts'
import { leaveCampaigns } from '../campaign/leaving.ts'
import type { State } from './lifecycle.ts'
import { type OfferedVersion, offeredColumns, versionsWithThemes } from './version.ts'

interface Choice {
  projectId: number
  versionId: number
  user: Superadmin & { id: number }
}

/** Makes a project use a published version instead of its current one, or says why it cannot. */
export function chooseVersion(
  db: Database,
  { projectId, versionId, user }: Choice,
): Promise<
  { version: OfferedVersion } | { refusal: `version_${'draft' | 'deprecated'}` } | 'missing' | 'forbidden'
> {
  return change(db, projectId, async (queries) => {
    const { sql, run } = queries
    // Locked, so that the response is about this choice and not a concurrent one.
    const [present] = await sql<{ version_id: number }[]>`
      select version_id from theme_choices where project_id = ${projectId} for update`
    const [wanted] = await run<Candidate>(lockStatement, [versionId, projectId, user.id])
    if (!wanted) return 'missing'
    const isKnown = wanted.published_at !== null || may(user, wanted.role, 'read')
    if (!wanted.is_of_platform || !isKnown) return 'forbidden'
    const chosen = async () => (await readChosen(queries, projectId)) as OfferedVersion
    if (present?.version_id === versionId) return { version: await chosen() }
    if (wanted.theme_status !== 'published') return { refusal: `version_${wanted.theme_status}` }
    const changed = await run(chooseStatement, [projectId, versionId, user.id])
    const version = await chosen()
    if (changed.length > 0) {
      const data = { version_id: versionId, theme_name: version.theme_name, version: version.version }
      const event = { projectId, boardId: null, actorId: user.id, data }
      await recordEvent(queries, { ...event, kind: 'theme_version.chosen' })
      await leaveCampaigns(insideTransaction(db, queries), [projectId])
    }
    return { version }
  })
}

export async function readChosen(queries: Queries, projectId: number): Promise<OfferedVersion | undefined> {
  const [chosen] = await queries.run<OfferedVersion>(
    `select ${offeredColumns} from theme_choices c
     join ${versionsWithThemes} on v.id = c.version_id
     join projects owner on owner.id = v.project_id
     where c.project_id = $1`,
    [projectId],
  )
  return chosen
}

interface Candidate extends State {
  is_of_platform: boolean
  /** The user's role in the project that owns the theme. */
  role: Role | null
}

/** A shared lock: several projects can choose at once, while a deprecation waits for them, and they for it. */
const lockStatement = `
  select v.theme_status, v.approval_status, v.published_at, owner.platform_id = mine.platform_id as is_of_platform, m.role
  from theme_versions v
  join projects owner on owner.id = v.project_id and owner.deleted_at is null
  join projects mine on mine.id = $2
  left join memberships m on m.project_id = v.project_id and m.user_id = $3
  where v.id = $1 for share of v`

const chooseStatement = `
  insert into theme_choices as present (project_id, version_id, chosen_by) values ($1, $2, $3)
  on conflict (project_id) do update set version_id = excluded.version_id, chosen_by = excluded.chosen_by, chosen_at = now()
  where present.version_id <> excluded.version_id
  returning version_id`
