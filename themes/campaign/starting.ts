import { dueOnDay } from '#boards/card/due.ts'
import { type Database, insideTransaction } from '#database/connect.ts'
import { deprecateVersion } from '../version/deprecating.ts'
import type { Taken } from '../version/step.ts'
import { type Campaign, readCampaign } from './campaign.ts'

interface Wanted {
  reason: string
  replacementId: number | null
  deadline: string
}

/** Deprecates a version if it is not yet, and starts its campaign; undefined if the project has no such version. */
export function startCampaign(
  db: Database,
  taken: Taken,
  { reason, replacementId, deadline }: Wanted,
): Promise<
  Campaign | { refusal: 'version_not_approved' | 'campaign_running' } | 'no replacement' | undefined
> {
  return db.transaction(async (queries) => {
    const { sql } = queries
    const [known] = await sql`
      select from theme_versions where project_id = ${taken.projectId} and id = ${taken.id}`
    if (!known) return undefined
    // Shared, so that the replacement is not deprecated at the same moment.
    const [replacement] = await sql`
      select from theme_versions v join projects owner on owner.id = v.project_id and owner.deleted_at is null
      where v.id = ${replacementId} and v.id <> ${taken.id} and v.theme_status = 'published'
        and v.platform_id = (select platform_id from theme_versions where id = ${taken.id}) for share of v`
    if (replacementId !== null && !replacement) return 'no replacement'
    const [running] = await sql`
      select from theme_campaigns where version_id = ${taken.id} and ended_at is null for no key update`
    if (running) return { refusal: 'campaign_running' }
    const step = await deprecateVersion(insideTransaction(db, queries), taken)
    if (!step || 'refusal' in step) return step
    // Another one may have been started while the step waited.
    const begun = await sql`
      insert into theme_campaigns as c (version_id, platform_id, reason, replacement_id, deadline, started_by)
      select v.id, v.platform_id, ${reason}, ${replacementId}::bigint, ${dueOnDay(deadline)}::text::timestamptz, ${taken.actorId}::bigint
      from theme_versions v where v.id = ${taken.id}
      on conflict (version_id) do update set reason = excluded.reason, replacement_id = excluded.replacement_id,
        deadline = excluded.deadline, started_by = excluded.started_by, started_at = now(), ended_at = null, moved = 0
      where c.ended_at is not null returning c.version_id`
    if (begun.length === 0) return { refusal: 'campaign_running' }
    await sql`
      insert into theme_campaign_projects as k (project_id, version_id)
      select c.project_id, c.version_id from theme_choices c where c.version_id = ${taken.id} order by c.project_id
      on conflict (project_id, version_id) do update set told_at = null, card_id = null, reminders = 0, left_at = null
      where k.left_at is not null`
    return (await readCampaign(queries, taken.id)) as Campaign
  })
}
