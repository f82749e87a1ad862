import { dueOnDay } from '#boards/card/due.ts'
import { type Database, insideTransaction } from '#database/connect.ts'
import { deprecateVersion } from '../version/deprecating.ts'
import type { Taken } from '../version/step.ts'
import { type Campaign, readCampaign } from './campaign.ts'
import { canReplace } from './replacing.ts'

interface Wanted {
  reason: string
  replacementId: number | null
  deadline: string
  /** Started by the project that owns the theme, not by the operator. */
  isOwners: boolean
}

/** Each start adds a card in every project that uses the version, so owners have to wait. */
const hoursBetweenStarts = 1

/** Deprecates a version if it is not yet, and starts its campaign; undefined if the project has no such version. */
export function startCampaign(
  db: Database,
  taken: Taken,
  { reason, replacementId, deadline, isOwners }: Wanted,
): Promise<
  | Campaign
  | { refusal: 'version_not_approved' | 'campaign_running' | 'campaign_just_started' }
  | 'no replacement'
  | undefined
> {
  return db.transaction(async (queries) => {
    const { sql } = queries
    const [known] = await sql`
      select from theme_versions where project_id = ${taken.projectId} and id = ${taken.id}`
    if (!known) return undefined
    if (replacementId !== null && !(await canReplace(queries, { versionId: taken.id, replacementId })))
      return 'no replacement'
    const [last] = await sql<{ is_running: boolean; is_recent: boolean }[]>`
      select ended_at is null as is_running, started_at > now() - ${hoursBetweenStarts} * interval '1 hour' as is_recent
      from theme_campaigns where version_id = ${taken.id} for no key update`
    if (last?.is_running) return { refusal: 'campaign_running' }
    if (last?.is_recent && isOwners) return { refusal: 'campaign_just_started' }
    const step = await deprecateVersion(insideTransaction(db, queries), taken)
    if (!step || 'refusal' in step) return step
    // Another one may have been started while the step waited.
    const begun = await sql`
      insert into theme_campaigns as c (version_id, platform_id, reason, replacement_id, deadline, started_by, is_owners)
      select v.id, v.platform_id, ${reason}, ${replacementId}::bigint, ${dueOnDay(deadline)}::text::timestamptz, ${taken.actorId}::bigint, ${isOwners}
      from theme_versions v where v.id = ${taken.id}
      on conflict (version_id) do update set reason = excluded.reason, replacement_id = excluded.replacement_id,
        deadline = excluded.deadline, started_by = excluded.started_by, is_owners = excluded.is_owners, started_at = now(), changed_at = clock_timestamp(),
        ended_at = null, moved = 0
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
