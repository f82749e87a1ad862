import assert from 'node:assert/strict'
import test from 'node:test'
import { recountEvaluations } from '#evaluations/counting.ts'
import { createChecks } from '#tests/checks.ts'
import { post } from '#tests/post.ts'
import { startTestService } from '#tests/service.ts'
import { assertSizesTrue } from '#tests/sizes.ts'

const operations = '/services/operations/v1/operations'
const path = `${operations}/evaluations/report-many` as const
const service = await startTestService()
const { signal } = new AbortController()

/** Two projects with two checks each, and a client of both. */
async function scene() {
  const checks = await createChecks(service, [{ check: 'first' }, { check: 'second' }], { projects: 2 })
  const ids = checks.receivers.map(({ id }) => id) as [number, number]
  const user = await service.addUser({ roles: { [ids[0]]: 'member', [ids[1]]: 'member' } })
  const statuses = async () => [
    (await checks.copy(ids[0], 0)).status,
    (await checks.copy(ids[0], 1)).status,
    (await checks.copy(ids[1], 0)).status,
    (await checks.copy(ids[1], 1)).status,
  ]
  return { ...checks, ids, user, client: service.client(user.token), statuses }
}

test('200 in several projects at once, with how many cards each result matched', async () => {
  const { ids, client, statuses, counts } = await scene()
  const results = [
    { check: 'first', project_id: ids[0], passed: true },
    { check: 'unknown', project_id: ids[0], passed: true },
    { check: 'second', project_id: ids[1], passed: true, detail: 'Seen' },
    { check: 'first', project_id: ids[1], passed: false },
  ]
  assert.deepEqual(await client.call(path, { results }), {
    matched: 3,
    changed: 3,
    results: results.map(({ check, project_id }) => ({
      ...{ check, project_id },
      matched: check === 'unknown' ? 0 : 1,
    })),
  })
  assert.deepEqual(await statuses(), ['closed', 'open', 'open', 'closed'])
  assert.deepEqual(await counts(), [
    [1, 1],
    [1, 0],
  ])
  await assertSizesTrue(service.db)
})

test("200 a result without a project is of the request's; of several for one check the last counts", async () => {
  const { ids, receivers, statuses } = await scene()
  const answer = await receivers[1]?.client.call(path, {
    results: [
      { check: 'first', passed: true },
      { check: 'first', project_id: ids[1], passed: false },
      { check: 'second', passed: true },
    ],
  })
  assert.deepEqual([answer?.matched, answer?.changed], [3, 2])
  assert.deepEqual(await statuses(), ['open', 'open', 'open', 'closed'])
})

test('200 results of archived projects are left out; 403 if there are no others', async () => {
  const { ids, user, client, statuses } = await scene()
  await service.db.sql`update projects set archived_at = now() where id = ${ids[0]}`
  const results = ids.map((project_id) => ({ check: 'first', project_id, passed: true }))
  // The second time the archived one is the request's project.
  const reported = [
    await client.call(path, { results }),
    await service.client(user.token, { 'x-project-id': String(ids[0]) }).call(path, {
      results: [
        { check: 'first', passed: true },
        { check: 'second', project_id: ids[1], passed: true },
      ],
    }),
  ]
  assert.deepEqual(
    reported.map((answer) => [answer.changed, ...answer.results.map(({ matched }) => matched)]),
    [
      [1, 0, 1],
      [1, 0, 1],
    ],
  )
  assert.deepEqual(await statuses(), ['open', 'open', 'closed', 'closed'])
  const refused = await post(service, path, user.token, { results: results.slice(0, 1) })
  assert.deepEqual([refused.status, refused.headers.get('x-error-code')], [403, 'project_archived'])
})

test('each project gets one version per changed card, without gaps', async () => {
  const { ids, client } = await scene()
  const versions = () => service.db.sql<{ project_id: number; version: number; events: number }[]>`
    select v.project_id, version, (select count(*) from events e where e.project_id = v.project_id) as events
    from project_versions v where project_id in ${service.db.sql(ids)} order by 1`
  const before = await versions()
  const results = ids.flatMap((project_id) => [
    { check: 'first', project_id, passed: true },
    { check: 'second', project_id, passed: true },
  ])
  await client.call(path, { results })
  assert.deepEqual(
    [...(await versions())],
    before.map((row) => ({ ...row, version: row.version + 2, events: row.events + 2 })),
  )
})

test('403 where one project is not the caller’s to work in, and nothing changes', async () => {
  const { ids, receivers, statuses } = await scene()
  const results = [
    { check: 'first', project_id: ids[0], passed: true },
    { check: 'first', project_id: ids[1], passed: true },
  ]
  const { user } = receivers[0] as (typeof receivers)[number]
  assert.equal((await post(service, path, user.token, { results })).status, 403)
  assert.deepEqual(await statuses(), ['open', 'open', 'open', 'open'])
})

test('422 for 1,001 results, and for projects that do not exist', async () => {
  const { user } = await scene()
  const many = Array.from({ length: 1_001 }, () => ({ check: 'first', passed: true }))
  const tooMany = await post(service, path, user.token, { results: many })
  assert.deepEqual(tooMany.body.errors, {
    results: ['The results field must not have more than 1000 items.'],
  })
  const results = [
    { check: 'first', passed: true },
    { check: 'first', project_id: 999_999, passed: true },
  ]
  const missing = await post(service, path, user.token, { results })
  assert.deepEqual(missing.body.errors, {
    'results.1.project_id': ['The selected results.1.project_id is invalid.'],
  })
})

test('200 for 1,000 results', async () => {
  const { ids, client, statuses } = await scene()
  const results = Array.from({ length: 1_000 }, (_, number) => ({
    ...{ check: number === 999 ? 'second' : `check-${number}`, project_id: ids[number % 2] as number },
    passed: true,
  }))
  assert.equal((await client.call(path, { results })).matched, 1)
  assert.deepEqual(await statuses(), ['open', 'open', 'open', 'closed'])
})

test('reports at the same moment in the same projects all count', async () => {
  const { ids, client, counts } = await scene()
  const inOrder = (projects: readonly number[], passed: boolean) =>
    client.call(path, { results: projects.map((project_id) => ({ check: 'first', project_id, passed })) })
  await Promise.all(
    Array.from({ length: 8 }, (_, number) =>
      inOrder(number % 2 === 0 ? ids : ids.toReversed(), number % 3 > 0),
    ),
  )
  await inOrder(ids, true)
  assert.deepEqual((await counts())[0], [2, 0])
})

test('the hourly recount corrects what deleted cards leave behind', async () => {
  const { ids, client, admin, copy, counts } = await scene()
  await client.call(path, {
    results: ids.map((project_id) => ({ check: 'first', project_id, passed: true })),
  })
  await recountEvaluations(service.db, { signal })
  assert.deepEqual((await counts())[0], [2, 0])
  await admin.call(`${operations}/cards/delete`, { id: (await copy(ids[0])).id })
  await recountEvaluations(service.db, { signal })
  assert.deepEqual((await counts())[0], [1, 0])
})
