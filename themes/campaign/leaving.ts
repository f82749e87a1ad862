import type { Database } from '#database/connect.ts'
import { reportResults } from '#evaluations/reporting.ts'

/** The check that closes the card of a campaign. */
export const checkOf = (versionId: number) => `theme:left:${versionId}`

/** Notes that projects have chosen another version than that of a campaign, and closes their cards. Called with their locks. */
export async function leaveCampaigns(db: Database, projectIds: readonly number[]): Promise<void> {
  const left = await db.sql<{ project_id: number; version_id: number; card_id: number | null }[]>`
    update theme_campaign_projects k set left_at = now() from theme_choices c
    where k.project_id = any(${projectIds as number[]}::bigint[]) and k.left_at is null and c.project_id = k.project_id
      and c.version_id <> k.version_id
    returning k.project_id, k.version_id, k.card_id`
  const carded = left.filter(({ card_id: id }) => id !== null)
  if (carded.length > 0) await reportResults(db, carded.map(passed), null)
}

export const passed = ({
  project_id: projectId,
  version_id: versionId,
}: {
  project_id: number
  version_id: number
}) => ({
  ...{ projectId, check: checkOf(versionId), passed: true, detail: null },
})
