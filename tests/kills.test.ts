// Kills of the service, its PostgreSQL and both under load; `npm run bench -- kills` has a hundred.
import assert from 'node:assert/strict'
import test from 'node:test'
import { killAgainAndAgain } from './load/storm.ts'
import { demoDirectory, serve } from './process.ts'

const count = 20

test(`no acknowledged write is lost or done twice by ${count} kills, and the service recovers by itself`, async () => {
  const directory = await demoDirectory()
  const report = await killAgainAndAgain(directory, count, async () => {
    const service = await serve({
      CARDINAL_DATA_DIR: directory,
      CARDINAL_RATE_LIMIT: '1000000',
      CARDINAL_ANONYMOUS_RATE_LIMIT: '1000000',
    })
    return { url: service.url, kill: () => service.stop('SIGKILL') }
  })
  assert.ok(report.kills.length >= count)
  // Otherwise the kills have hit nothing.
  assert.ok(
    report.acknowledged > 10 * count && report.repeated > count && report.cutRollouts >= 1,
    JSON.stringify(report),
  )
  assert.ok(report.slowestMilliseconds < 10_000, `${report.slowestMilliseconds} ms`)
})
