import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import test from 'node:test'
import { startTestService } from '#tests/service.ts'
import { seedDemo } from '../demo/seed.ts'
import { runExamples } from './record-examples.ts'

const service = await startTestService()

test('the examples of the reference succeed in its order on a fresh demo, with the values it shows', async () => {
  await seedDemo(service.db)
  const shown = JSON.parse(await readFile(new URL('../docs/examples.json', import.meta.url), 'utf8'))
  assert.deepEqual(await runExamples(service.fetch), shown)
})
