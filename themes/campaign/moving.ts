// Moves the projects of a campaign to its replacement, a batch at a time. The batch holds the campaign's row, so stopping the move
// waits for it, and nothing moves after the answer.
import { type Database, insideTransaction, type Queries } from '#database/connect.ts'
import { changesOfMany } from '#events/change.ts'
import { recordEvents } from '#events/record.ts'
import { type Campaign, readCampaign } from './campaign.ts'
import { leaveCampaigns } from './leaving.ts'

const projectsAtOnce = 50
/** Then other jobs have their turn. */
const longestMilliseconds = 20_000

/** Undefined if the version has no campaign. */
export function startMoving(
  db: Database,
  versionId: number,
  actorId: number,
): Promise<Campaign | { refusal: 'no_replacement' } | undefined> {
  return db.transaction(async (queries) => {
    const campaign = await lockCampaign(queries, versionId)
    if (!campaign) return undefined
    if (!(await isPublished(queries, campaign.replacement_id))) return { refusal: 'no_replacement' }
    await queries.sql`
      update theme_campaigns set moving_by = ${actorId}, moving_since = coalesce(moving_since, now()) where version_id = ${versionId}`
    return readCampaign(queries, versionId)
  })
}

export function stopMoving(db: Database, versionId: number): Promise<Campaign | undefined> {
  return db.transaction(async (queries) => {
    if (!(await lockCampaign(queries, versionId))) return undefined
    await endMove(queries, versionId)
    return readCampaign(queries, versionId)
  })
}

const endMove = ({ sql }: Queries, versionId: number) =>
  sql`update theme_campaigns set moving_since = null, moving_by = null where version_id = ${versionId}`

interface Locked {
  replacement_id: number | null
  moving_by: number | null
}

async function lockCampaign({ sql }: Queries, versionId: number): Promise<Locked | undefined> {
  const [campaign] = await sql<Locked[]>`
    select replacement_id, moving_by from theme_campaigns where version_id = ${versionId} and ended_at is null for no key update`
  return campaign
}

async function isPublished({ sql }: Queries, versionId: number | null): Promise<boolean> {
  const found = await sql`
    select from theme_versions v join projects owner on owner.id = v.project_id and owner.deleted_at is null
    where v.id = ${versionId} and v.theme_status = 'published' for share of v`
  return found.length > 0
}

export async function moveProjects(db: Database, { signal }: { signal: AbortSignal }): Promise<void> {
  const until = performance.now() + longestMilliseconds
  const wanted = await db.sql<{ version_id: number }[]>`
    select version_id from theme_campaigns where moving_since is not null and ended_at is null order by moving_since`
  for (const { version_id: versionId } of wanted)
    while (performance.now() < until && (await moveBatch(db, versionId))) signal.throwIfAborted()
}

/** False if nothing is left to move, or the move was stopped. */
function moveBatch(db: Database, versionId: number): Promise<boolean> {
  return db.transaction(async (queries) => {
    const { sql } = queries
    const campaign = await lockCampaign(queries, versionId)
    if (!campaign || campaign.moving_by === null) return false
    const { replacement_id: replacementId, moving_by: actorId } = campaign
    const staying = await sql<{ project_id: number }[]>`
      select k.project_id from theme_campaign_projects k
      join projects p on p.id = k.project_id and p.deleted_at is null and p.archived_at is null
      where k.version_id = ${versionId} and k.left_at is null order by k.project_id limit ${projectsAtOnce}`
    if (staying.length === 0 || !(await isPublished(queries, replacementId))) {
      await endMove(queries, versionId)
      return false
    }
    const ids = staying.map(({ project_id: id }) => id)
    const changes = await changesOfMany(queries, ids)
    const moved = await sql<{ project_id: number; theme_name: string; version: string }[]>`
      update theme_choices c set version_id = v.id, chosen_by = ${actorId}, chosen_at = now()
      from theme_versions v join themes t on t.project_id = v.project_id and t.id = v.theme_id
      where c.project_id = any(${ids}::bigint[]) and c.version_id = ${versionId} and v.id = ${replacementId}
        and exists (select from projects p where p.id = c.project_id and p.archived_at is null)
      returning c.project_id, t.name as theme_name, v.version`
    await recordEvents(
      changes,
      moved.map(({ project_id: projectId, theme_name, version }) => ({
        ...{ projectId, boardId: null, actorId, kind: 'theme_version.chosen' as const },
        data: { version_id: replacementId as number, theme_name, version },
      })),
    )
    await leaveCampaigns(insideTransaction(db, queries), ids)
    await sql`update theme_campaigns set moved = moved + ${moved.length} where version_id = ${versionId}`
    return true
  })
}
