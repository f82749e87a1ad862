// Reads that take long go to a replica, if it has everything that was written before.
import assert from 'node:assert/strict'
import test from 'node:test'
import { createBoard } from './board.ts'
import { eventually } from './process.ts'
import { inProcess, startServer } from './replicated-postgres.ts'
import { startTestService, type TestService } from './service.ts'

const operations = '/services/operations/v1/operations'

test('a search is answered by the replica, and finds what was just written, on another instance too', async () => {
  const primary = await startServer({})
  const replica = await startServer({ replicaOf: primary })
  const address = inProcess(primary.url)
  const [writing, reading] = (await Promise.all(
    [1, 2].map(() => startTestService({ replicaUrl: replica.url }, address)),
  )) as [TestService, TestService]
  const { boardId, groupIds, members } = await createBoard(writing)
  const { token } = members.member
  const reads = async () => {
    const rows = await replica.db.sql`
      select from pg_stat_activity where application_name = 'cardinal' and query like '%words%'`
    return rows.length
  }
  let number = 0
  const writeAndSearch = async () => {
    const title = `Quokka${++number}`
    const { card } = await writing
      .client(token)
      .call(`${operations}/cards/create`, { title, group_id: groupIds[0] as number })
    const { cards } = await reading.client(token).call(`${operations}/cards/search`, { query: title })
    assert.deepEqual(
      cards.map(({ id }) => id),
      [card.id],
    )
  }
  await eventually(async () => {
    await writeAndSearch()
    assert.ok((await reads()) > 0, 'the replica is not asked')
  })
  for (let i = 0; i < 50; i++) await writeAndSearch()
  await reading.client(token).call(`${operations}/activity/list`, { board_id: boardId })
  const superadmin = reading.client((await writing.addUser({ superadmin: true })).token)
  await superadmin.call('/services/operations/v1/admin/projects/list')
  await superadmin.call('/services/operations/v1/admin/overview/get')
  await superadmin.call('/services/platforms/v1/subscriptions/list-all')
  await superadmin.call('/services/platforms/v1/subscriptions/summarize')
  assert.equal(
    (await fetch(`${reading.url}/my-data`, { headers: { authorization: `Bearer ${token}` } })).status,
    200,
  )

  await replica.db.sql`select pg_wal_replay_pause()`
  for (let i = 0; i < 5; i++) await writeAndSearch()
  await replica.db.sql`select pg_wal_replay_resume()`
  await writeAndSearch()
  await replica.kill()
  for (let i = 0; i < 5; i++) await writeAndSearch()
})
