// The statements on the table `jobs`, for jobs/queue.ts and the command line.
import type { Queries } from '#database/connect.ts'

export interface TakenJob {
  id: number
  kind: string
  /** Including this one. */
  attempts: number
  holder: string
}

/** The jobs of a killed instance become free after this time. */
const leaseSeconds = 10
export const mostAttempts = 8
const firstRetrySeconds = 30
/** A job that failed waits no longer than this or its usual time, so that mails are sent soon after a long outage. */
const longestRetrySeconds = 60
/** Clocks are often set back by less than this. */
const slackSeconds = 60

/** A kind of job that an instance can do. */
interface KnownKind {
  name: string
  every_seconds: number
}

/** Adds the jobs, due at once; existing ones keep their time. */
export async function addJobs({ sql }: Queries, kinds: string[]): Promise<void> {
  await sql`
    insert into jobs (kind) select kind from json_array_elements_text(${JSON.stringify(kinds)}::text::json) kind
    on conflict (kind) do nothing`
}

/**
 * Takes the job that has been due longest. After the clock was set back, a job can seem to wait or to be held for longer than is possible;
 * it is taken as well.
 */
export async function takeJob({ sql }: Queries, kinds: KnownKind[]): Promise<TakenJob | undefined> {
  const [job] = await sql<TakenJob[]>`
    update jobs set attempts = attempts + 1, holder = gen_random_uuid(),
      taken_until = now() + make_interval(secs => ${leaseSeconds})
    where id = (
      select id from jobs due
      join json_to_recordset(${JSON.stringify(kinds)}::text::json) as known (name text, every_seconds integer) on known.name = due.kind
      where (run_at <= now() or run_at < 'infinity' and run_at > now() + make_interval(secs => ${slackSeconds} + case attempts
          when 0 then known.every_seconds else ${firstRetrySeconds} * 2 ^ (attempts - 1) end))
        and (taken_until is null or taken_until not between now() and now() + make_interval(secs => ${leaseSeconds + slackSeconds}))
      order by run_at limit 1 for update of due skip locked)
    returning id, kind, attempts, holder`
  return job
}

/** A job that waits for its next time is due now. One that has failed keeps its time. */
export async function hurryJob({ sql }: Queries, kind: string): Promise<void> {
  await sql`
    update jobs set run_at = now() where kind = ${kind} and attempts = 0 and taken_until is null and run_at > now()`
}

/** Renews the leases of this instance's jobs, and returns the jobs that it still holds. */
export async function keepJobs({ sql }: Queries, holders: string[]): Promise<Set<string>> {
  const kept = await sql<{ holder: string }[]>`
    update jobs set taken_until = now() + make_interval(secs => ${leaseSeconds})
    where holder in (select json_array_elements_text(${JSON.stringify(holders)}::text::json)::uuid) returning holder`
  return new Set(kept.map(({ holder }) => holder))
}

export async function finishJob({ sql }: Queries, { id, holder }: TakenJob, everySeconds: number) {
  await sql`
    update jobs set run_at = now() + make_interval(secs => ${everySeconds}), attempts = 0, taken_until = null, holder = null,
      error = null, dead_at = null
    where id = ${id} and holder = ${holder}`
}

/**
 * The next attempt comes after 30 s, 1 min, 2 min and so on, or as soon as the job's usual time. After the last one the job is dead, and
 * waits for its next time.
 */
export async function failJob({ sql }: Queries, job: TakenJob, error: string, everySeconds: number) {
  const isDead = job.attempts >= mostAttempts
  const retrySeconds = Math.min(
    firstRetrySeconds * 2 ** (job.attempts - 1),
    Math.max(everySeconds, longestRetrySeconds),
  )
  await sql`
    update jobs set run_at = now() + make_interval(secs => ${isDead ? everySeconds : retrySeconds}),
      attempts = ${isDead ? 0 : job.attempts}, taken_until = null, holder = null, error = ${error.slice(0, 1_000)},
      dead_at = case when ${isDead} then now() else dead_at end
    where id = ${job.id} and holder = ${job.holder}`
  return isDead
}

/** Returns a job when the instance stops: the attempt does not count, and another instance may take it at once. */
export async function returnJob({ sql }: Queries, { id, holder }: TakenJob): Promise<void> {
  await sql`
    update jobs set attempts = attempts - 1, taken_until = null, holder = null where id = ${id} and holder = ${holder}`
}

interface Backlog {
  dead: number
  /** Jobs whose time has come, and how long the first of them has waited. */
  due: number
  late_seconds: number
}

/** Of these kinds: nobody does a job any more that was turned off, and its row stays. */
export async function readBacklog({ sql }: Queries, kinds: readonly string[]): Promise<Backlog | undefined> {
  const [row] = await sql<Backlog[]>`
    select count(*) filter (where dead_at is not null) as dead,
      count(*) filter (where run_at <= now() and coalesce(taken_until <= now(), true)) as due,
      coalesce(extract(epoch from now() - min(run_at) filter (where run_at <= now() and coalesce(taken_until <= now(), true))), 0)::float as late_seconds
    from jobs where kind in (select json_array_elements_text(${JSON.stringify(kinds)}::text::json))`
  return row
}

export interface ListedJob {
  id: number
  kind: string
  attempts: number
  state: 'running' | 'waiting' | 'dead'
  run_at: string
  dead_at: string | null
  error: string | null
}

/** Dead jobs first. */
export const listJobs = ({ sql }: Queries) => sql<ListedJob[]>`
  select id, kind, attempts, error, dead_at, run_at,
    case when taken_until > now() then 'running' when dead_at is not null then 'dead' else 'waiting' end as state
  from jobs order by dead_at nulls last, run_at, id`

/** Makes a job due at once with all its attempts; false if there is no such job, or if it is running. */
export async function retryJob({ sql }: Queries, id: number): Promise<boolean> {
  const retried = await sql`
    update jobs set run_at = now(), attempts = 0, dead_at = null
    where id = ${id} and (taken_until is null or taken_until < now()) returning id`
  return retried.length > 0
}
