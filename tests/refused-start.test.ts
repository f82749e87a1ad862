import assert from 'node:assert/strict'
import test from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { recordedLog, startTestService } from './service.ts'

test('a start on a port in use leaves nothing behind that would complain later', async () => {
  const service = await startTestService()
  const { log, lines } = recordedLog()
  const port = Number(new URL(service.url).port)
  await assert.rejects(startTestService({ port }, service.address, log), /is in use/)
  // Longer than the rollout worker waits before it looks for abandoned rollouts.
  await wait(1500)
  assert.deepEqual(lines, [])
})
