// Every call that waits for its rollout says when somebody cancels or pauses the rollout, or the service stops.
import assert from 'node:assert/strict'
import test from 'node:test'
import { waitingCount } from '#tests/lock-waits.ts'
import { createMaster, present } from '#tests/master.ts'
import { eventually } from '#tests/process.ts'
import { startTestService, type TestService } from '#tests/service.ts'
import { addProjects } from '#tests/templates/fleet.ts'

const masters = '/services/operations/v1/admin'

/** Locks projects until it is told to let go. */
async function hold({ db }: TestService, projectIds: number[]) {
  const { promise: untilRelease, resolve: letGo } = Promise.withResolvers<void>()
  const { promise: isHeld, resolve: begin } = Promise.withResolvers<void>()
  const holding = db.transaction(async ({ sql }) => {
    await sql`select lock_project(id) from unnest(${projectIds}::bigint[]) id order by id`
    begin()
    await untilRelease
  })
  await isHeld
  return async () => {
    letGo()
    await holding
  }
}

/**
 * Five calls, each of which waits for a rollout of three batches with a held project in each. A rollout works on two at a time, so there is always one that it has
 * not begun, however long the projects are held.
 */
async function startHeldCalls(service: TestService) {
  const { admin, boardId, groupIds, cardIds, toolKey } = await createMaster(service, { projects: 0 })
  const ids = await addProjects(service.db, 1_100, [toolKey])
  const held = [present(ids[0]), present(ids[500]), present(ids[1_000])]
  const rollouts = async () => (await admin.call(`${masters}/rollouts/list`, { board_id: boardId })).rollouts
  const cancel = (id: number) => admin.call(`${masters}/rollouts/cancel`, { id })
  const sync = () => admin.attempt(`${masters}/master-boards/sync`, { board_id: boardId })

  const letGo = await hold(service, held)
  const interrupted = sync()
  await eventually(async () => assert.equal(await waitingCount(service.db), 2))
  const { id: canceledId } = present((await rollouts())[0])
  await cancel(canceledId)
  await letGo()
  await interrupted

  const release = await hold(service, held)
  const [first, second] = cardIds as [number, number]
  const card = { group_id: groupIds[0], title: 'New', push_to_projects: true }
  const retry = () => admin.attempt(`${masters}/rollouts/retry`, { id: canceledId })
  const calls = [
    sync(),
    admin.attempt(`${masters}/master-cards/create`, card),
    admin.attempt(`${masters}/master-cards/delete`, { id: first, delete_from_projects: true }),
    admin.attempt(`${masters}/master-cards/push`, { card_id: second }),
    retry(),
  ]
  const running = await eventually(async () => {
    const found = (await rollouts()).filter(({ status }) => status === 'running')
    assert.equal(found.length, calls.length)
    return found
  })
  return {
    retry,
    cancelAll: () => Promise.all(running.map(({ id }) => cancel(id))),
    pauseAll: () => Promise.all(running.map(({ id }) => admin.call(`${masters}/rollouts/pause`, { id }))),
    async codes() {
      await release()
      const answers = await Promise.all(calls)
      return answers.map((answer) => [answer.status, answer.ok ? 'ok' : answer.code])
    },
  }
}

test('400 rollout_canceled for every call whose rollout is canceled, and rollout_running for another retry', async () => {
  const { retry, cancelAll, codes } = await startHeldCalls(await startTestService())
  const again = await retry()
  assert.deepEqual([again.status, !again.ok && again.code], [400, 'rollout_running'])
  await cancelAll()
  assert.deepEqual(await codes(), Array(5).fill([400, 'rollout_canceled']))
})

test('400 rollout_paused for every call whose rollout is paused, except a retry, which answers with the rollout', async () => {
  const { pauseAll, codes } = await startHeldCalls(await startTestService())
  await pauseAll()
  assert.deepEqual(await codes(), [...Array(4).fill([400, 'rollout_paused']), [200, 'ok']])
})

test('400 service_stopping for every call that waits when the service stops', async () => {
  const service = await startTestService()
  const { codes } = await startHeldCalls(service)
  const stopped = service.stop()
  assert.deepEqual(await codes(), Array(5).fill([400, 'service_stopping']))
  await stopped
})
