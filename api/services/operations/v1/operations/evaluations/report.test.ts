import assert from 'node:assert/strict'
import test from 'node:test'
import { createChecks } from '#tests/checks.ts'
import { post } from '#tests/post.ts'
import { startTestService } from '#tests/service.ts'
import { assertSizesTrue } from '#tests/sizes.ts'

const operations = '/services/operations/v1/operations'
const path = `${operations}/evaluations/report` as const
const service = await startTestService()

/** A project with one card that has a check, and what can be done with it. */
async function scene(options: { needs_confirmation?: boolean; status?: 'open' | 'in_progress' } = {}) {
  const checks = await createChecks(service, [{ check: 'website.has_imprint', ...options }])
  const [project] = checks.receivers as [(typeof checks.receivers)[number]]
  const report = (passed: boolean, detail?: string) =>
    project.client.call(path, { check: 'website.has_imprint', passed, ...(detail && { detail }) })
  const read = () => checks.copy(project.id)
  const update = async (fields: { status: string }) =>
    project.client.call(`${operations}/cards/update`, { id: (await read()).id, ...fields })
  const events = () => service.db.sql<{ actor_id: number; data: object }[]>`
    select actor_id, data from events where project_id = ${project.id} and kind = 'card.evaluated' order by id`
  return { ...checks, project, report, read, update, events }
}

test('200 passed closes the card, failed gives it its status back; history says who and what', async () => {
  const { project, report, read, events, counts } = await scene({ status: 'in_progress' })
  assert.deepEqual(await report(true, 'Found at /imprint'), { matched: 1, changed: 1 })
  const { evaluated_at, id: _id, ...passed } = await read()
  assert.deepEqual(passed, {
    ...{ status: 'closed', evaluation_passed: true, evaluated_by: project.user.id },
    evaluation_detail: 'Found at /imprint',
  })
  assert.match(String(evaluated_at), /^20\d\d-.*Z$/)
  assert.deepEqual(await counts(), [[1, 0]])
  assert.deepEqual(await report(false), { matched: 1, changed: 1 })
  const { status, evaluation_passed, evaluation_detail } = await read()
  assert.deepEqual(
    { status, evaluation_passed, evaluation_detail },
    { status: 'in_progress', evaluation_passed: false, evaluation_detail: null },
  )
  assert.deepEqual(await counts(), [[0, 1]])
  const common = { evaluation_check: 'website.has_imprint' }
  assert.deepEqual(
    [...(await events())],
    [
      {
        actor_id: project.user.id,
        data: {
          ...common,
          passed: true,
          detail: 'Found at /imprint',
          changes: { status: { from: 'in_progress', to: 'closed' } },
        },
      },
      {
        actor_id: project.user.id,
        data: { ...common, passed: false, changes: { status: { from: 'closed', to: 'in_progress' } } },
      },
    ],
  )
  await assertSizesTrue(service.db)
})

test('200 the same result again changes nothing', async () => {
  const { report, read, events } = await scene()
  await report(true)
  const before = await read()
  assert.deepEqual(await report(true), { matched: 1, changed: 0 })
  assert.deepEqual(await read(), before)
  assert.equal((await events()).length, 1)
  assert.deepEqual(await report(true, 'Now with words'), { matched: 1, changed: 1 })
})

test('200 failed leaves what a person has closed, also after the check had closed it', async () => {
  const { report, read, update } = await scene()
  await update({ status: 'closed' })
  await report(false)
  assert.equal((await read()).status, 'closed')
  await update({ status: 'open' })
  await report(true)
  await update({ status: 'open' })
  await update({ status: 'closed' })
  await report(false)
  assert.equal((await read()).status, 'closed')
})

test('200 passed closes again what a person had reopened', async () => {
  const { report, read, update } = await scene()
  await report(true)
  await update({ status: 'blocked' })
  assert.deepEqual(await report(true), { matched: 1, changed: 1 })
  assert.equal((await read()).status, 'closed')
  await report(false)
  assert.equal((await read()).status, 'blocked')
})

test('200 where a person confirms, passed leaves the card to check, and the person closes it', async () => {
  const { report, read, update } = await scene({ needs_confirmation: true })
  await report(true)
  assert.equal((await read()).status, 'to_check')
  await report(false)
  assert.equal((await read()).status, 'open')
  await report(true)
  await update({ status: 'closed' })
  await report(true, 'Still there')
  assert.equal((await read()).status, 'closed')
  await report(false)
  assert.equal((await read()).status, 'closed')
})

test('200 without a match for an unknown check', async () => {
  const { project, read } = await scene()
  const answer = await post(service, path, project.user.token, { check: 'unknown', passed: true })
  assert.deepEqual([answer.status, answer.body.data], [200, { matched: 0, changed: 0 }])
  assert.equal((await read()).status, 'open')
})

test('200 without a match for a deleted card', async () => {
  const { admin, report, read } = await scene()
  await admin.call(`${operations}/cards/delete`, { id: (await read()).id })
  assert.deepEqual(await report(true), { matched: 0, changed: 0 })
})

test("200 in the project that is named, not in the request's; never in all", async () => {
  const checks = await createChecks(service, [{ check: 'shared.check' }], { projects: 2 })
  const [one, two] = checks.receivers as [
    (typeof checks.receivers)[number],
    (typeof checks.receivers)[number],
  ]
  const { id: userId } = one.user
  await service.db
    .sql`insert into memberships (project_id, user_id, role) values (${two.id}, ${userId}, 'member')`
  await one.client.call(path, { check: 'shared.check', project_id: two.id, passed: true })
  assert.equal((await checks.copy(one.id)).status, 'open')
  assert.equal((await checks.copy(two.id)).status, 'closed')
  const again = { check: 'shared.check', project_id: two.id, passed: false }
  const key = { 'idempotency-key': 'report' }
  for (const replayed of [null, 'true']) {
    const answer = await post(service, path, one.user.token, again, key)
    assert.deepEqual(answer.body.data, { matched: 1, changed: 1 })
    assert.equal(answer.headers.get('idempotency-replayed'), replayed)
  }
  assert.equal((await checks.copy(two.id)).status, 'open')
})

test('a result is no longer shown when the template gives the card another check', async () => {
  const { masterIds, admin, sync, report, read } = await scene()
  await report(true)
  await admin.call('/services/operations/v1/admin/master-cards/update', {
    id: masterIds[0] as number,
    evaluation_check: 'another.check',
  })
  await sync()
  const { evaluation_passed, evaluated_at, evaluated_by, evaluation_detail } = await read()
  assert.deepEqual(
    [evaluation_passed, evaluated_at, evaluated_by, evaluation_detail],
    [null, null, null, null],
  )
})

test('a rollout brings along that a person confirms', async () => {
  const { masterIds, admin, sync, report, read } = await scene()
  await admin.call('/services/operations/v1/admin/master-cards/update', {
    id: masterIds[0] as number,
    needs_confirmation: true,
  })
  await sync()
  await report(true)
  assert.equal((await read()).status, 'to_check')
})

test("v1's card keeps its keys", async () => {
  const { project, read } = await scene()
  const { body } = await post<{ card: object }>(service, `${operations}/cards/get`, project.user.token, {
    id: (await read()).id,
  })
  const names = Object.keys(body.data.card)
  const later = ['evaluation_passed', 'evaluated_at', 'evaluated_by', 'needs_confirmation']
  assert.deepEqual(
    names.filter((name) => later.includes(name)),
    [],
  )
  assert.equal(names.length, 26)
})
