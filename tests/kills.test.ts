// Twenty kills of the service, its PostgreSQL and both under load; `npm run bench -- kills` has a hundred.
import assert from 'node:assert/strict'
import test from 'node:test'
import { killAgainAndAgain } from './load/storm.ts'
import { demoDirectory, serve } from './process.ts'

test('no acknowledged write is lost or done twice by 20 kills, and the service recovers by itself', async () => {
  const directory = await demoDirectory()
  const report = await killAgainAndAgain(directory, 20, async () => {
    const service = await serve({
      CARDINAL_DATA_DIR: directory,
      CARDINAL_RATE_LIMIT: '1000000',
      CARDINAL_ANONYMOUS_RATE_LIMIT: '1000000',
    })
    return { url: service.url, kill: () => service.stop('SIGKILL') }
  })
  assert.equal(report.kills.length, 20)
  // Otherwise the kills have hit nothing.
  assert.ok(
    report.acknowledged > 200 && report.repeated > 20 && report.cutRollouts > 0,
    JSON.stringify(report),
  )
  assert.ok(report.slowestMilliseconds < 10_000, `${report.slowestMilliseconds} ms`)
})
