import type { Queries } from '#database/connect.ts'
import type { Filter } from '#fleet/filter.ts'
import { firstPlatform } from '#projects/platform.ts'

const audiences: readonly { name: string; filter: Filter }[] = [
  { name: 'Key accounts', filter: { label: 'key account' } },
  { name: 'Pilots', filter: { label: 'pilot' } },
  { name: 'Quiet trials', filter: { subscription_status: 'trialing', inactive_for_days: 14 } },
]

export async function seedAudiences(queries: Queries, actorId: number): Promise<void> {
  const { sql } = queries
  const platformId = await firstPlatform(queries)
  await sql`
    insert into audiences (platform_id, name, filter, created_by)
    select ${platformId}, name, filter, ${actorId} from jsonb_to_recordset(${sql.json(audiences)}) as given (name text, filter jsonb)`
}
