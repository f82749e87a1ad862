import { dueOnDay } from '#boards/card/due.ts'
import { assignments } from '#database/assignments.ts'
import type { Database } from '#database/connect.ts'
import { type Campaign, readCampaign } from './campaign.ts'
import { canReplace } from './replacing.ts'

/** What is undefined stays. */
interface Wanted {
  reason?: string | undefined
  /** Null for none. */
  replacementId?: number | null | undefined
  deadline?: string | undefined
}

/** Changes a campaign; the cards follow (following.ts), and so does a move. Undefined if the version has none. */
export function changeCampaign(
  db: Database,
  versionId: number,
  { reason, replacementId, deadline }: Wanted,
): Promise<Campaign | 'no replacement' | undefined> {
  return db.transaction(async (queries) => {
    const { sql } = queries
    // Before the campaign, in the same order as when one starts.
    if (replacementId != null && !(await canReplace(queries, { versionId, replacementId })))
      return 'no replacement'
    const values = {
      ...(reason !== undefined && { reason }),
      ...(replacementId !== undefined && { replacement_id: replacementId }),
      ...(deadline !== undefined && { deadline: sql`${dueOnDay(deadline)}::text::timestamptz` }),
      changed_at: sql`clock_timestamp()`,
    }
    await sql`
      update theme_campaigns set ${assignments(queries, values)} where version_id = ${versionId} and ended_at is null`
    return readCampaign(queries, versionId)
  })
}
