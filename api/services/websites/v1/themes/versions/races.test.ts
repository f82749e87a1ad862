// Decisions that are made at the same moment, on two instances: one order of them is what happened.

import assert from 'node:assert/strict'
import test from 'node:test'
import { rounds } from '#tests/effort.ts'
import { waitingForLocks } from '#tests/lock-waits.ts'
import { startTestService } from '#tests/service.ts'
import { createTheme } from '#tests/themes.ts'

const versions = '/services/websites/v1/themes/versions'
const service = await startTestService()
const second = await startTestService({}, service.address)
const fixture = await createTheme(service)
const { addVersion, reviewer, members } = fixture

/** The kinds of a version's events since it was made, in their order. */
const history = async (id: number) =>
  (
    await service.db.sql<{ kind: string }[]>`
      select kind from events where data ->> 'version_id' = ${String(id)} order by created_at, id`
  ).map(({ kind }) => kind.replace('theme_version.', ''))

const status = async (id: number) => {
  const [row] = await service.db.sql<{ theme_status: string; approval_status: string }[]>`
    select theme_status, approval_status from theme_versions where id = ${id}`
  return row
}

test('concurrent approve and reject: one succeeds, the other gets 400', async () => {
  for (let round = 0; round < rounds(12); round++) {
    const id = await addVersion('pending')
    const results = await Promise.all(
      Array.from({ length: 4 }, (_, index) => {
        const client = (index % 2 === 0 ? service : second).client(reviewer.token)
        return index < 2
          ? client.attempt(`${versions}/approve`, { version_id: id })
          : client.attempt(`${versions}/reject`, { version_id: id, reason: `No, ${index}.` })
      }),
    )
    const [approvals, rejections] = [results.slice(0, 2), results.slice(2)].map((part) =>
      part.map((result) => result.status).sort(),
    )
    const decided = (await status(id))?.approval_status as string
    const outcomes = {
      approved: [
        [200, 200],
        [400, 400],
      ],
      rejected: [
        [400, 400],
        [200, 400],
      ],
    }
    assert.deepEqual([approvals, rejections], outcomes[decided as keyof typeof outcomes])
    assert.deepEqual(await history(id), ['created', 'submitted', decided])
  }
})

test('16 deprecations at once are one', async () => {
  const id = await addVersion('published')
  const results = await Promise.all(
    Array.from({ length: 16 }, (_, index) =>
      (index % 2 === 0 ? service : second)
        .client(members.admin.token)
        .attempt(`${versions}/deprecate`, { version_id: id }),
    ),
  )
  assert.ok(results.every((result) => result.status === 200))
  assert.equal((await history(id)).filter((word) => word === 'deprecated').length, 1)
})

test('deprecated and restored at once, many times: the history alternates and ends in the state', async () => {
  const id = await addVersion('published')
  await Promise.all(
    Array.from({ length: 24 }, (_, index) =>
      (index % 4 < 2 ? service : second)
        .client(members.admin.token)
        .call(`${versions}/${index % 2 === 0 ? 'deprecate' : 'restore'}`, { version_id: id }),
    ),
  )
  const steps = (await history(id)).slice(4)
  assert.ok(steps.length > 0)
  assert.deepEqual(
    steps,
    steps.map((_, index) => (index % 2 === 0 ? 'deprecated' : 'restored')),
  )
  assert.equal((await status(id))?.theme_status, steps.length % 2 === 0 ? 'published' : 'deprecated')
})

test('concurrent deprecate and choose: a choice succeeds before the deprecation and gets 400 after it', async () => {
  const customers = await Promise.all(
    Array.from({ length: 6 }, async () => {
      const projectId = await service.addProject()
      return { projectId, ...(await service.addUser({ roles: { [projectId]: 'admin' } })) }
    }),
  )
  const seen = new Set<number>()
  for (let round = 0; round < rounds(12); round++) {
    const id = await addVersion('published')
    const choose = customers.map(({ token }, index) =>
      (index % 2 === 0 ? service : second).client(token).attempt(`${versions}/choose`, { version_id: id }),
    )
    // Every other time the deprecation comes after the first choice: else it can be first every time.
    if (round % 2 === 0) await Promise.race(choose)
    const deprecate = second.client(members.admin.token).attempt(`${versions}/deprecate`, { version_id: id })
    const [deprecated, ...chosen] = await Promise.all([deprecate, ...choose])
    assert.equal(deprecated.status, 200)
    for (const { status } of chosen) seen.add(status)
    const users = await service.db.sql<{ project_id: number }[]>`
      select project_id from theme_choices where version_id = ${id} order by 1`
    assert.deepEqual(
      users.map(({ project_id: projectId }) => projectId),
      customers
        .filter((_, index) => chosen[index]?.status === 200)
        .map(({ projectId }) => projectId)
        .sort((a, b) => a - b),
    )
    assert.ok(chosen.every(({ status }) => status === 200 || status === 400))
    const order = await history(id)
    assert.ok(!order.slice(order.indexOf('deprecated')).includes('chosen'), String(order))
  }
  assert.ok(seen.has(200), 'no choice was ever in time')
})

test('a choice waits for the deprecation that is being made, and is then refused', async () => {
  const id = await addVersion('published')
  const projectId = await service.addProject()
  const { token } = await service.addUser({ roles: { [projectId]: 'admin' } })
  const { answer } = await service.db.transaction(async ({ sql }) => {
    await sql`
      update theme_versions set theme_status = 'deprecated', deprecated_at = now() where id = ${id}`
    const answer = service.client(token).attempt(`${versions}/choose`, { version_id: id })
    await waitingForLocks(service.db, 1)
    return { answer }
  })
  assert.equal((await answer).status, 400)
  assert.equal((await service.db.sql`select from theme_choices where project_id = ${projectId}`).length, 0)
})

test('a deprecation waits for the choice that is being made', async () => {
  const id = await addVersion('published')
  const projectId = await service.addProject()
  const { token } = await service.addUser({ roles: { [projectId]: 'admin' } })
  const client = service.client(token)
  const { choice, deprecation } = await service.db.transaction(async ({ sql }) => {
    // Holds the choice after it has looked at the version.
    await sql`select from projects where id = ${id} for update`
    const choice = client.attempt(`${versions}/choose`, { version_id: id })
    await waitingForLocks(service.db, 1)
    const deprecation = fixture.admin.attempt(`${versions}/deprecate`, { version_id: id })
    await waitingForLocks(service.db, 2)
    return { choice, deprecation }
  })
  assert.deepEqual([(await choice).status, (await deprecation).status], [200, 200])
  assert.deepEqual((await history(id)).slice(-2), ['chosen', 'deprecated'])
})

test('one project chooses many versions at once: it has one of them, and each answer names what was asked for', async () => {
  const ids = [await addVersion('published'), await addVersion('published'), await addVersion('published')]
  const projectId = await service.addProject()
  const { token } = await service.addUser({ roles: { [projectId]: 'admin' } })
  const asked = Array.from({ length: 24 }, (_, index) => ids[index % 3] as number)
  const results = await Promise.all(
    asked.map((version_id, index) =>
      (index % 2 === 0 ? service : second).client(token).call(`${versions}/choose`, { version_id }),
    ),
  )
  assert.deepEqual(
    results.map(({ version }) => version.version_id),
    asked,
  )
  const rows = await service.db.sql<{ version_id: number }[]>`
    select version_id from theme_choices where project_id = ${projectId}`
  const steps = await service.db.sql<{ id: number }[]>`
    select (data ->> 'version_id')::bigint as id from events where project_id = ${projectId} order by events.id`
  assert.equal(rows.length, 1)
  assert.equal(steps.at(-1)?.id, rows[0]?.version_id)
  assert.ok(steps.every(({ id }, index) => id !== steps[index + 1]?.id))
})
