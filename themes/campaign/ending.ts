import type { Database, Queries } from '#database/connect.ts'
import { type Campaign, readCampaign } from './campaign.ts'

/** Ends a campaign and returns it as it was; undefined if the version has none. */
export function endCampaign(db: Database, versionId: number): Promise<Campaign | undefined> {
  return db.transaction(async (queries) => {
    // Waits for a batch that moves projects, which holds the row.
    await queries.sql`
      select from theme_campaigns where version_id = ${versionId} and ended_at is null for no key update`
    const campaign = await readCampaign(queries, versionId)
    await endRunning(queries, versionId)
    return campaign
  })
}

/** Ends the campaign of a version if it has one, and its move; following.ts closes the cards. */
export const endRunning = ({ sql }: Queries, versionId: number) =>
  sql`
    update theme_campaigns set ended_at = now(), moving_since = null, moving_by = null
    where version_id = ${versionId} and ended_at is null`
