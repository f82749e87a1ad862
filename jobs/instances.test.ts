// Jobs in services that run as separate processes.
import assert from 'node:assert/strict'
import test from 'node:test'
import { eventually, networkDatabase, run, serve } from '#tests/process.ts'

test('a job whose instance is killed in the middle is done by another one', async () => {
  const { url, db } = await networkDatabase()
  await db.transaction(async ({ sql }) => {
    await sql`lock table sessions in access exclusive mode`
    const killed = await serve({ DATABASE_URL: url })
    await eventually(async () => {
      const taken = await sql`select from jobs where kind = 'sweepExpired' and holder is not null`
      assert.equal(taken.length, 1)
    })
    killed.child.kill('SIGKILL')
    await killed.ended
    assert.deepEqual(
      [...(await sql`select attempts from jobs where kind = 'sweepExpired' and holder is not null`)],
      [{ attempts: 1 }],
    )
  })
  const other = await serve({ DATABASE_URL: url })
  const stateOf = async () => [
    ...(await db.sql`
      select holder is null as is_free, attempts, error, run_at > now() + interval '50 minutes' as is_later
      from jobs where kind = 'sweepExpired'`),
  ]
  await eventually(
    async () =>
      assert.deepEqual(await stateOf(), [{ is_free: true, attempts: 0, error: null, is_later: true }]),
    20_000,
  )
  assert.equal(await other.stop(), 0)
})

test('dead jobs are seen in the metrics and on the command line, and retried there', async () => {
  const { url, db } = await networkDatabase()
  const environment = { DATABASE_URL: url }
  const service = await serve(environment)
  const [job] = await eventually(async () => {
    const found = await db.sql<{ id: number }[]>`
      update jobs set run_at = now() + interval '1 hour', dead_at = now(), error = 'refused'
      where kind = 'forgetAudit' and holder is null returning id`
    assert.equal(found.length, 1)
    return found
  })
  const id = String(job?.id)
  // Left by a service that made backups; this one makes none.
  await db.sql`
    insert into jobs (kind, run_at, dead_at, error) values ('backUp', now() - interval '1 year', now(), 'disk full')`
  const metrics = await eventually(async () => {
    const text = await (await fetch(`${service.url}/metrics`)).text()
    assert.match(text, /^cardinal_jobs_total\{job="recountSizes",outcome="done"\} 1$/m)
    return text
  })
  assert.match(metrics, /^cardinal_jobs_dead 1$/m)
  assert.ok(Number(/^cardinal_jobs_late_seconds (.+)$/m.exec(metrics)?.[1]) < 86_400)
  await db.sql`delete from jobs where kind = 'backUp'`
  const listed = await run(['jobs'], environment)
  const [first, ...others] = listed.stdout.trim().split('\n')
  assert.match(first as string, new RegExp(`^${id}  forgetAudit  dead since \\S+Z: refused$`))
  const all = await db.sql`select from jobs`
  assert.equal(others.length, all.length - 1)
  for (const line of others) assert.match(line, /^\d+ {2}\w+ {2}(due at \S+Z|running, attempt 1)$/)
  assert.deepEqual(await run(['jobs', 'retry', id], environment), {
    code: 0,
    stdout: `Job ${id} is due now.\n`,
    stderr: '',
  })
  await eventually(async () =>
    assert.deepEqual(
      [
        ...(await db.sql`select attempts, dead_at, error, run_at > now() as is_later from jobs where id = ${id}`),
      ],
      [{ attempts: 0, dead_at: null, error: null, is_later: true }],
    ),
  )
  assert.match(
    await fetch(`${service.url}/metrics`).then((answer) => answer.text()),
    /^cardinal_jobs_dead 0$/m,
  )
  assert.deepEqual(await run(['jobs', 'retry', '99'], environment), {
    code: 1,
    stdout: '',
    stderr: 'There is no job 99 that is waiting or dead. Run "cardinal jobs" to list them.\n',
  })
  assert.equal((await run(['jobs', 'retry', 'mail'], environment)).code, 1)
  assert.equal(await service.stop(), 0)
})
