import assert from 'node:assert/strict'
import test, { after, afterEach } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { pino } from 'pino'
import { connect } from '#database/connect.ts'
import { createTestDatabase } from '#tests/postgres.ts'
import { eventually } from '#tests/process.ts'
import { type JobKind, type JobOutcome, startJobs } from './queue.ts'
import { mostAttempts, readBacklog, retryJob } from './table.ts'

const database = await createTestDatabase()
const instances = [
  connect(database.address, { connections: 4 }),
  connect(database.address, { connections: 4 }),
] as const
const [db] = instances
const { sql } = db
after(async () => {
  for (const instance of instances) await instance.end()
  await database.drop()
})
afterEach(() => sql`delete from jobs`)

const everySeconds = 3_600

/** Runs the given kinds, on both instances or on the first, until the check passes. */
async function working(
  kinds: Record<string, JobKind>,
  check: () => Promise<void> | void,
  on: readonly (typeof db)[] = [db],
) {
  const lines: string[] = []
  const outcomes: JobOutcome[] = []
  const log = pino({ base: null }, { write: (line) => void lines.push(line) })
  const options = { log, onOutcome: (_kind: string, outcome: JobOutcome) => void outcomes.push(outcome) }
  const running = on.map((instance) => startJobs(instance, kinds, options))
  try {
    await eventually(check, 15_000)
  } finally {
    await Promise.all(running.map((jobs) => jobs.stop()))
  }
  return { outcomes, log: lines.map((line) => JSON.parse(line)) }
}

const jobs = () => sql<
  { kind: string; attempts: number; error: string | null; is_dead: boolean; seconds: number }[]
>`select kind, attempts, error, dead_at is not null as is_dead, round(extract(epoch from run_at - now()))::int as seconds
  from jobs order by id`

const allLater = async () => assert.ok((await jobs()).every(({ seconds }) => seconds > everySeconds - 100))

test('each job is done by one of two instances, and then at its next time, across restarts', async () => {
  const done: string[] = []
  const names = Array.from({ length: 50 }, (_, number) => `job ${number}`)
  const work = (name: string) => async () => {
    await delay(5)
    done.push(name)
  }
  const kinds = Object.fromEntries(names.map((name) => [name, { work: work(name), everySeconds }]))
  const areDone = async () => {
    assert.equal((await jobs()).length, names.length)
    await allLater()
  }
  await working(kinds, areDone, instances)
  await working(kinds, areDone)
  assert.deepEqual(done.sort(), names.sort())
})

test('a job that fails is tried again later and later, is dead after its last attempt until its next time, and can be retried', async () => {
  const bad = { work: () => Promise.reject(new Error('no luck')), everySeconds }
  const first = await working({ bad }, async () => assert.equal((await jobs())[0]?.error, 'no luck'))
  const [failed] = await jobs()
  assert.deepEqual([failed?.attempts, failed?.is_dead], [1, false])
  assert.ok(Number(failed?.seconds) > 25 && Number(failed?.seconds) <= 30)
  assert.deepEqual(
    first.log.map(({ job, attempt, level, msg }) => [job, attempt, level, msg]),
    [['bad', 1, 40, 'a job failed and will be tried again']],
  )
  await sql`update jobs set run_at = now()`
  await working({ bad }, async () => assert.equal((await jobs())[0]?.attempts, 2))
  assert.ok(Number((await jobs())[0]?.seconds) > 30)
  await sql`update jobs set run_at = now(), attempts = ${mostAttempts - 1}`
  const last = await working({ bad }, async () => assert.equal((await readBacklog(db, ['bad']))?.dead, 1))
  assert.deepEqual(
    [last.outcomes, last.log.map(({ job, level, msg }) => [job, level, msg])],
    [['dead'], [['bad', 50, 'a job is dead: see cardinal jobs']]],
  )
  await allLater()
  const [dead] = await sql<{ id: number }[]>`select id from jobs`
  assert.equal(await retryJob(db, dead?.id ?? 0), true)
  await working({ bad: { work: async () => {}, everySeconds } }, allLater)
  assert.equal((await readBacklog(db, ['bad']))?.dead, 0)
  assert.equal(await retryJob(db, 999_999), false)
})

test('a job that repeats often is tried again after a minute at most', async () => {
  await sql`insert into jobs (kind, attempts) values ('often', 4)`
  const often = { work: () => Promise.reject(new Error('no luck')), everySeconds: 3 }
  await working({ often }, async () => assert.equal((await jobs())[0]?.error, 'no luck'))
  assert.ok(Number((await jobs())[0]?.seconds) <= 60)
})

test('an attempt ends at its time limit', async () => {
  const work = (_db: unknown, { signal }: { signal: AbortSignal }) => delay(60_000, undefined, { signal })
  await working({ slow: { work, limitSeconds: 0.1, everySeconds } }, async () =>
    assert.equal((await jobs())[0]?.error, 'took longer than 0.1 seconds'),
  )
})

test('a job is notified when the service stops, and another instance may do it at once', async () => {
  let ended: unknown
  const work = (_db: unknown, { signal }: { signal: AbortSignal }) =>
    delay(60_000, undefined, { signal }).catch((error) => {
      ended = error.cause
      throw error
    })
  await working({ long: { work, everySeconds } }, async () => assert.equal((await jobs())[0]?.attempts, 1))
  assert.match(String(ended), /the service stops/)
  assert.deepEqual(
    (await jobs()).map(({ attempts, error }) => [attempts, error]),
    [[0, null]],
  )
  await working({ long: { work: async () => {}, everySeconds } }, allLater, [instances[1]])
})

test('a job that has lost its instance too often is dead without another attempt', async () => {
  await sql`
    insert into jobs (kind, attempts, holder, taken_until)
    values ('killer', ${mostAttempts}, gen_random_uuid(), now() - interval '1 second')`
  let count = 0
  await working({ killer: { work: async () => void count++, everySeconds } }, async () =>
    assert.equal((await readBacklog(db, ['killer']))?.dead, 1),
  )
  assert.equal(count, 0)
  assert.equal((await jobs())[0]?.error, 'every instance that worked on it was killed')
})

test('jobs that wait since before the clock went back an hour run at once, and others at their time', async () => {
  await sql`
    insert into jobs (kind, attempts, run_at, taken_until, holder) values
      ('repeated', 0, now() + interval '1 hour 30 seconds', null, null),
      ('failed once', 1, now() + interval '1 hour 30 seconds', null, null),
      ('running elsewhere', 1, now(), now() + interval '1 hour 10 seconds', gen_random_uuid()),
      ('failed often', 7, now() + interval '30 minutes', null, null),
      ('held elsewhere', 1, now(), now() + interval '9 seconds', gen_random_uuid())`
  const ran = new Set<string>()
  const kinds = Object.fromEntries(
    (await jobs()).map(({ kind }) => [kind, { work: async () => void ran.add(kind), everySeconds: 30 }]),
  )
  await working(kinds, () =>
    assert.deepEqual([...ran].sort(), ['failed once', 'repeated', 'running elsewhere']),
  )
})

test('a job that is hurried runs now; after a failure it waits for its next attempt', async () => {
  let count = 0
  const work = async () => {
    if (++count === 3) throw new Error('no luck')
  }
  const log = pino({ base: null }, { write: () => {} })
  const running = startJobs(db, { hourly: { work, everySeconds: 3600 } }, { log })
  const waits = async () => assert.ok(((await jobs())[0]?.seconds ?? 0) > 20)
  try {
    for (const expected of [1, 2, 3]) {
      await eventually(() => assert.equal(count, expected))
      await eventually(waits)
      running.hurry('hourly')
    }
    await delay(300)
    assert.equal(count, 3)
    await waits()
  } finally {
    await running.stop()
  }
})
