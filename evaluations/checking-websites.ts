// Cardinal's own checks: a card with the check `http:/imprint` passes while that address of the project's website answers 200.
// A job of the queue (jobs/repeating.ts) looks at each website every hour.
import type { Database } from '#database/connect.ts'
import type { Log } from '../log.ts'
import { type LookOptions, look } from './look.ts'
import { type Result, reportResults } from './reporting.ts'
import { checkedAddress } from './website-address.ts'

/** Several websites at a time, so that slow ones do not hold up the others, and one address of each, so that none is flooded. */
const websitesAtOnce = 8
const roundMilliseconds = 50_000
/** Of one website in one round; the others have their turn an hour later. */
const mostChecks = 20
const websiteMilliseconds = 30_000

interface Website {
  id: number
  website_url: string
}

export async function checkWebsites(
  db: Database,
  { log, ...options }: LookOptions & { log: Log },
): Promise<void> {
  const until = performance.now() + roundMilliseconds
  // A new address is due at once; without this a project that changes its own all the time would take the turns of all others.
  const taken: number[] = []
  const work = async () => {
    while (performance.now() < until) {
      options.signal.throwIfAborted()
      const website = await takeDue(db, taken)
      if (!website) return
      taken.push(website.id)
      await checkWebsite(db, website, options).catch((error) => {
        options.signal.throwIfAborted()
        log.warn({ error, project: website.id }, 'the results of a website were not stored')
      })
    }
  }
  await Promise.all(Array.from({ length: websitesAtOnce }, work))
}

/** The website that has waited longest; its next turn is in an hour, whatever becomes of this one. */
async function takeDue({ sql }: Database, taken: number[]): Promise<Website | undefined> {
  const [website] = await sql<Website[]>`
    update projects set website_checked_at = now() where id = (
      select id from projects
      where website_url is not null and deleted_at is null and archived_at is null and kind = 'customer'
        and (website_checked_at is null or website_checked_at < now() - interval '1 hour')
        and id <> all(${taken}::bigint[])
      order by website_checked_at nulls first limit 1 for no key update skip locked)
    returning id, website_url`
  return website
}

async function checkWebsite(db: Database, { id, website_url }: Website, options: LookOptions): Promise<void> {
  const checks = await db.sql<{ check: string; has_passed: boolean }[]>`
    select evaluation_check as check,
      bool_and(coalesce(evaluated_check = evaluation_check and evaluation_passed, false)) as has_passed
    from cards where project_id = ${id} and evaluation_check like 'http:%' and deleted_at is null
    group by evaluation_check order by random() limit ${mostChecks}`
  const until = performance.now() + websiteMilliseconds
  const results: Result[] = []
  for (const { check, has_passed: hadPassed } of checks) {
    if (performance.now() > until) break
    const seen = await look(checkedAddress(website_url, check), options)
    // What passed before is not reported again, so that a card which a person has reopened stays open.
    if (!(seen.passed && hadPassed)) results.push({ projectId: id, check, ...seen })
  }
  if (results.length > 0 && (await isStillChecked(db, { id, website_url })))
    await reportResults(db, results, null)
}

/** Looking takes long enough for a project to be archived, deleted or given another address. */
async function isStillChecked({ sql }: Database, { id, website_url }: Website): Promise<boolean> {
  const found = await sql`
    select from projects where id = ${id} and website_url = ${website_url} and deleted_at is null and archived_at is null`
  return found.length > 0
}
