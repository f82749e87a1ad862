import { dueOnDay } from '#boards/card/due.ts'
import type { Database } from '#database/connect.ts'
import { type Campaign, readCampaign } from './campaign.ts'

/** Moves the deadline of a campaign; the cards follow (following.ts). Undefined if the version has no campaign. */
export function changeDeadline(
  db: Database,
  versionId: number,
  deadline: string,
): Promise<Campaign | undefined> {
  return db.transaction(async (queries) => {
    await queries.sql`
      update theme_campaigns set deadline = ${dueOnDay(deadline)}::text::timestamptz where version_id = ${versionId} and ended_at is null`
    return readCampaign(queries, versionId)
  })
}
