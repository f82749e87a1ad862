import assert from 'node:assert/strict'
import test, { after } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { pino } from 'pino'
import { connect } from '#database/connect.ts'
import { createTestDatabase } from '#tests/postgres.ts'
import { eventually } from '#tests/process.ts'
import { type JobKind, type JobOutcome, startJobs } from './queue.ts'
import { addJob, mostAttempts, readBacklog, retryJob } from './table.ts'

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
  { kind: string; attempts: number; error: string | null; is_dead: boolean; seconds: number | null }[]
>`select kind, attempts, error, dead_at is not null as is_dead, round(extract(epoch from nullif(run_at, 'infinity') - now()))::int as seconds
  from jobs order by id`

test('each job is done by one of two instances and then removed', async () => {
  const done: unknown[] = []
  for (let number = 0; number < 100; number++) await addJob(db, { kind: 'once', input: { number } })
  const work = async (_db: unknown, { input }: { input: unknown }) => {
    await delay(5)
    done.push((input as { number: number }).number)
  }
  await working({ once: { work } }, async () => assert.equal((await jobs()).length, 0), instances)
  assert.deepEqual(
    done.toSorted((a, b) => Number(a) - Number(b)),
    Array.from({ length: 100 }, (_, number) => number),
  )
})

test('a job that fails is tried again later and later, is dead after its last attempt, and can be retried', async () => {
  const work = () => Promise.reject(new Error('no luck'))
  await addJob(db, { kind: 'bad' })
  const first = await working({ bad: { work } }, async () =>
    assert.equal((await jobs())[0]?.error, 'no luck'),
  )
  assert.deepEqual(
    (await jobs()).map(({ seconds, ...job }) => [
      job.attempts,
      job.is_dead,
      (seconds ?? 0) > 25 && (seconds ?? 0) <= 30,
    ]),
    [[1, false, true]],
  )
  assert.deepEqual(
    first.log.map(({ job, attempt, level, msg }) => [job, attempt, level, msg]),
    [['bad', 1, 40, 'a job failed and will be tried again']],
  )
  await sql`update jobs set run_at = now()`
  await working({ bad: { work } }, async () => assert.equal((await jobs())[0]?.attempts, 2))
  assert.ok(Number((await jobs())[0]?.seconds) > 30)
  await sql`update jobs set run_at = now(), attempts = ${mostAttempts - 1}`
  const last = await working({ bad: { work } }, async () =>
    assert.equal((await readBacklog(db, []))?.dead, 1),
  )
  assert.deepEqual(
    [last.outcomes, last.log.map(({ job, level, msg }) => [job, level, msg])],
    [['dead'], [['bad', 50, 'a job is dead: see cardinal jobs']]],
  )
  const [dead] = await sql<{ id: number }[]>`select id from jobs where run_at = 'infinity'`
  assert.equal(await retryJob(db, dead?.id ?? 0), true)
  await working({ bad: { work: async () => {} } }, async () => assert.equal((await jobs()).length, 0))
  assert.equal(await retryJob(db, dead?.id ?? 0), false)
})

test('a repeating job is scheduled again after it was done or died, across restarts', async () => {
  let count = 0
  const kinds = { hourly: { work: async () => void count++, everySeconds: 3_600 } }
  const isLater = async () => assert.ok(Number((await jobs())[0]?.seconds) > 3_500)
  await working(kinds, isLater, instances)
  await working(kinds, isLater)
  assert.equal(count, 1)
  const broken = { hourly: { work: () => Promise.reject(new Error('no luck')), everySeconds: 3_600 } }
  await sql`update jobs set run_at = now(), attempts = ${mostAttempts - 1}`
  await working(broken, async () => assert.equal((await readBacklog(db, ['hourly']))?.dead, 1))
  await isLater()
  await sql`update jobs set run_at = now()`
  await working(kinds, async () => assert.equal((await readBacklog(db, ['hourly']))?.dead, 0))
  assert.equal(count, 2)
  await sql`delete from jobs`
  const often = { often: { ...broken.hourly, everySeconds: 3 } }
  await sql`insert into jobs (kind, repeats, attempts) values ('often', true, 4)`
  await working(often, async () => assert.equal((await jobs())[0]?.error, 'no luck'))
  assert.ok(Number((await jobs())[0]?.seconds) <= 60)
  await sql`delete from jobs`
})

test('an attempt ends at its time limit', async () => {
  await addJob(db, { kind: 'slow' })
  const work = (_db: unknown, { signal }: { signal: AbortSignal }) => delay(60_000, undefined, { signal })
  await working({ slow: { work, limitSeconds: 0.1 } }, async () =>
    assert.equal((await jobs())[0]?.error, 'took longer than 0.1 seconds'),
  )
  await sql`delete from jobs`
})

test('a job is notified when the service stops, and another instance may do it at once', async () => {
  await addJob(db, { kind: 'long' })
  let ended: unknown
  const work = (_db: unknown, { signal }: { signal: AbortSignal }) =>
    delay(60_000, undefined, { signal }).catch((error) => {
      ended = error.cause
      throw error
    })
  await working({ long: { work } }, async () => assert.equal((await jobs())[0]?.attempts, 1))
  assert.match(String(ended), /the service stops/)
  assert.deepEqual(
    (await jobs()).map(({ attempts, error }) => [attempts, error]),
    [[0, null]],
  )
  await working({ long: { work: async () => {} } }, async () => assert.equal((await jobs()).length, 0), [
    instances[1],
  ])
})

test('a tenant has one job at a time, so that others do not wait for all of its work', async () => {
  const order: string[] = []
  const release = Promise.withResolvers<void>()
  for (const tenant of ['project 1', 'project 1', 'project 1', 'project 2', null])
    await addJob(db, { kind: 'work', input: { tenant }, tenant })
  const work = async (_db: unknown, { input }: { input: unknown }) => {
    const { tenant } = input as { tenant: string | null }
    order.push(String(tenant))
    if (tenant === 'project 1') await release.promise
  }
  await working({ work: { work } }, async () => {
    if (order.length === 3) release.resolve()
    assert.equal((await jobs()).length, 0)
  })
  // Several work at a time, so their order is by chance.
  assert.deepEqual(order.slice(0, 3).sort(), ['null', 'project 1', 'project 2'])
})

test('a job that has lost its instance too often is dead without another attempt', async () => {
  await addJob(db, { kind: 'killer' })
  await sql`
    update jobs set attempts = ${mostAttempts}, holder = gen_random_uuid(), taken_until = now() - interval '1 second'`
  let count = 0
  await working({ killer: { work: async () => void count++ } }, async () =>
    assert.equal((await readBacklog(db, []))?.dead, 1),
  )
  assert.equal(count, 0)
  assert.equal((await jobs())[0]?.error, 'every instance that worked on it was killed')
  await sql`delete from jobs`
})

test('jobs that wait since before the clock went back an hour run at once, and others at their time', async () => {
  const ran = new Set<unknown>()
  const note = async (_db: unknown, { input }: { input: unknown }) =>
    void (typeof input === 'string' && ran.add(input))
  const late = { work: note }
  await sql`
    insert into jobs (kind, input, attempts, run_at, taken_until, holder) values
      ('late', '"repeated"', 0, now() + interval '1 hour 30 seconds', null, null),
      ('late', '"failed once"', 1, now() + interval '1 hour 30 seconds', null, null),
      ('late', '"running elsewhere"', 1, now(), now() + interval '1 hour 10 seconds', gen_random_uuid()),
      ('late', '"failed often"', 7, now() + interval '30 minutes', null, null),
      ('late', '"held elsewhere"', 1, now(), now() + interval '9 seconds', gen_random_uuid()),
      ('late', '"dead"', 8, 'infinity', null, null)`
  const due = ['failed once', 'repeated', 'running elsewhere']
  await working({ late: { ...late, everySeconds: 30 } }, () => assert.deepEqual([...ran].sort(), due))
  await sql`delete from jobs`
})

test('a repeating job that is hurried runs now; after a failure it waits for its next attempt', async () => {
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
  await sql`delete from jobs`
})
