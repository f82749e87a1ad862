import assert from 'node:assert/strict'
import test from 'node:test'
import { newToken } from '#identity/tokens.ts'
import { createBoard } from '#tests/board.ts'
import { waitingForLocks } from '#tests/lock-waits.ts'
import { post } from '#tests/post.ts'
import { eventually, within } from '#tests/process.ts'
import { password, startTestService } from '#tests/service.ts'
import { createTrial } from '#tests/subscription.ts'

const service = await startTestService()
const operations = '/services/operations/v1/operations'

test('200 a sign-in does not wait for calls of another kind by strangers, however many wait for the database', async () => {
  const { email } = await service.addUser()
  const { links } = await service.db.transaction(async ({ sql }) => {
    await sql`lock table invitations in access exclusive mode`
    const links = Array.from({ length: 4 }, () =>
      post(service, '/services/identity/v1/invitations/look-up', '', { token: `1.${newToken()}` }),
    )
    await eventually(async () => {
      const waiting = await service.db.sql`
        select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like '%i.token_hash%'`
      assert.ok(waiting.length > 0)
    })
    await within(3000, service.client().call('/v1/authenticate', { email, password }))
    return { links }
  })
  for (const { status } of await Promise.all(links)) assert.equal(status, 404)
})

test('429 if others hold the lock of the project for too long; nothing is done, and the caller may try again', async () => {
  const { projectId, groupIds, members, boardId } = await createBoard(service)
  const trial = await createTrial(service)
  const create = { title: 'Late', group_id: groupIds[0] }
  const { token } = members.member
  const calls = () => [
    post(service, `${operations}/cards/create`, token, create),
    post(service, `${operations.replace('/v1/', '/v2/')}/cards/create`, token, create),
    post(service, `${operations}/tags/create`, token, { name: 'Late' }, { 'idempotency-key': 'late' }),
    post(service, '/services/platforms/v1/subscriptions/upgrade-trial', trial.owner.token, {
      plan: 'pro',
      period: 'month',
      product: 'website',
    }),
  ]
  const [first, second, third, fourth] = await service.db.transaction(async ({ sql }) => {
    await sql`
      insert into project_versions values (${trial.projectId}, 0), (${projectId}, 0)
      on conflict (project_id) do update set version = project_versions.version`
    const waiting = calls()
    await waitingForLocks(service.db, waiting.length)
    return Promise.all(waiting)
  })
  const busy = { error: true, message: 'Too Many Attempts.' }
  for (const answer of [first, third, fourth]) assert.deepEqual([answer?.status, answer?.body], [429, busy])
  assert.deepEqual([second?.status, second?.body], [429, { ...busy, code: 'server_busy' }])
  for (const { headers } of [first, second, third, fourth] as { headers: Headers }[]) {
    assert.equal(headers.get('x-error-code'), 'server_busy')
    assert.equal(headers.get('retry-after'), '2')
    assert.match(headers.get('x-ratelimit-remaining') ?? '', /^\d+$/)
  }
  const done = await service.db
    .sql`select from cards where project_id = ${projectId} and board_id = ${boardId}`
  assert.equal(done.length, 0)
  const again = await Promise.all(calls())
  assert.deepEqual(
    again.map(({ status }) => status),
    [201, 201, 201, 200],
  )
})
