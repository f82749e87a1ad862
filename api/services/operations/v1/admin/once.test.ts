// Idempotency-Key on work that outlasts its request: what was begun is kept, and the same call again waits for the same work.
import assert from 'node:assert/strict'
import test from 'node:test'
import { createMaster, type MasterFixture, present } from '#tests/master.ts'
import { type Answer, sender } from '#tests/post.ts'
import { eventually } from '#tests/process.ts'
import { startTestService } from '#tests/service.ts'

const masters = '/services/operations/v1/admin'
const service = await startTestService()
const { sql } = service.db
const superadmin = await service.addUser({ superadmin: true })
const send = sender(service, superadmin.token, masters)

const keyed = (path: string, input: object, key: string) => send(path, input, { 'idempotency-key': key })
const isReplay = ({ headers }: Answer<unknown>) => headers.get('idempotency-replayed') === 'true'
const countRollouts = async ({ boardId }: MasterFixture) =>
  (await sql`select from rollouts where board_id = ${boardId}`).length

interface Case {
  name: string
  path: string
  input: (master: MasterFixture) => object
  data: object
}

const cases: Case[] = [
  {
    name: 'sync',
    path: '/master-boards/sync',
    input: ({ boardId }) => ({ board_id: boardId }),
    data: { synced_count: 2 },
  },
  {
    name: 'push',
    path: '/master-cards/push',
    input: ({ cardIds }) => ({ card_id: cardIds[0] }),
    data: { projects_updated: '2' },
  },
  {
    name: 'create with push_to_projects',
    path: '/master-cards/create',
    input: ({ groupIds }) => ({ group_id: groupIds[0], title: 'Once', push_to_projects: true }),
    data: { projects_updated: '2' },
  },
]

async function holdToOnce(master: MasterFixture, answers: Answer<Record<string, unknown>>[], wanted: object) {
  const [first] = answers as [Answer<Record<string, unknown>>]
  assert.deepEqual({ ...first.body.data, ...wanted }, first.body.data)
  for (const answer of answers) {
    assert.equal(answer.text, first.text)
    assert.equal(answer.status, first.status)
  }
  assert.equal(answers.filter(isReplay).length, answers.length - 1)
  assert.equal(await countRollouts(master), 1)
  const cards = await sql`select from master_cards where board_id = ${master.boardId} and title = 'Once'`
  assert.ok(cards.length <= 1)
}

for (const { name, path, input, data } of cases) {
  test(`${name}: the same key again gives the same answer and does it once`, async () => {
    const master = await createMaster(service, { projects: 2 })
    const call = () => keyed(path, input(master), `${name} again`)
    const answers = [await call(), await call(), await call()]
    await holdToOnce(master, answers, data)
    assert.deepEqual(answers.map(isReplay), [false, true, true])
  })

  test(`${name}: a second call while the first still works waits for the same work`, async () => {
    const master = await createMaster(service, { projects: 2 })
    const call = () => keyed(path, input(master), `${name} at once`)
    const { calls } = await service.db.transaction(async (queries) => {
      await queries.sql`select lock_project(${present(master.projects[1]).id})`
      const first = call()
      await eventually(async () => assert.equal(await countRollouts(master), 1))
      const second = call()
      await eventually(async () => {
        const kept = await sql`select from idempotency_keys where key = ${`${name} at once`}`
        assert.equal(kept.length, 1)
      })
      return { calls: [first, second] }
    })
    await holdToOnce(master, await Promise.all(calls), data)
  })

  test(`${name}: of eight at once one begins it; the others get its answer, or 400 while it begins`, async () => {
    const master = await createMaster(service, { projects: 2 })
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => keyed(path, input(master), `${name} eight`)),
    )
    const refused = answers.filter(({ status }) => status === 400)
    for (const { body } of refused) assert.match(body.message, /still running/)
    const done = answers.filter(({ status }) => status !== 400)
    await holdToOnce(master, done, data)
  })

  test(`422 ${name}: the key with another request; nothing is begun`, async () => {
    const master = await createMaster(service, { projects: 2 })
    await keyed('/master-boards/update', { id: master.boardId, title: 'x' }, `${name} taken`)
    const { status, body } = await keyed(path, input(master), `${name} taken`)
    assert.deepEqual([status, Object.keys(body.errors ?? {})], [422, ['idempotency_key']])
    assert.equal(await countRollouts(master), 0)
  })
}

test('delete with delete_from_projects: the same key again is 200, not 404', async () => {
  const master = await createMaster(service, { projects: 1 })
  await master.sync()
  const input = { id: master.cardIds[0], delete_from_projects: true }
  const answers = [
    await keyed('/master-cards/delete', input, 'delete'),
    await keyed('/master-cards/delete', input, 'delete'),
  ]
  assert.deepEqual(
    answers.map((answer) => [answer.status, isReplay(answer), answer.text]),
    [
      [200, false, answers[0]?.text],
      [200, true, answers[0]?.text],
    ],
  )
  assert.equal((await keyed('/master-cards/delete', input, 'another')).status, 404)
})

test('what was refused keeps nothing: the key is free once it can succeed', async () => {
  const master = await createMaster(service, { projects: 1 })
  const input = { card_id: master.cardIds[0] }
  await send('/master-cards/update', { id: master.cardIds[0], is_active: false })
  assert.equal((await keyed('/master-cards/push', input, 'refused')).status, 400)
  await send('/master-cards/update', { id: master.cardIds[0], is_active: true })
  const answer = await keyed('/master-cards/push', input, 'refused')
  assert.deepEqual(
    [answer.status, isReplay(answer), answer.body.data],
    [200, false, { projects_updated: '1' }],
  )
})

test('a taken unique_identifier is 422 with a key too, and the key stays free', async () => {
  const master = await createMaster(service, { projects: 1 })
  const input = { group_id: master.groupIds[0], title: 'x', unique_identifier: 'kept once' }
  assert.equal((await send('/master-cards/create', input)).status, 201)
  const taken = await keyed('/master-cards/create', input, 'identifier')
  assert.deepEqual([taken.status, Object.keys(taken.body.errors ?? {})], [422, ['unique_identifier']])
  const free = await keyed('/master-cards/create', { ...input, unique_identifier: 'free' }, 'identifier')
  assert.deepEqual([free.status, isReplay(free)], [201, false])
})

test('500 and nothing is begun when the key cannot be kept', async () => {
  const master = await createMaster(service, { projects: 1 })
  await sql.unsafe(`alter table idempotency_keys add constraint broken check (key <> 'broken')`)
  const before = await master.whole()
  for (const { path, input } of cases) assert.equal((await keyed(path, input(master), 'broken')).status, 500)
  await sql.unsafe('alter table idempotency_keys drop constraint broken')
  assert.deepEqual(await master.whole(), before)
  assert.equal(await countRollouts(master), 0)
})

test('a call whose service stopped in the middle finds the work done when it is repeated elsewhere', async () => {
  const master = await createMaster(service, { projects: 2 })
  const dying = await startTestService({}, service.address)
  const input = { board_id: master.boardId }
  const call = (on: typeof service) =>
    sender(on, superadmin.token, masters)('/master-boards/sync', input, { 'idempotency-key': 'stopped' })
  const { first } = await service.db.transaction(async (queries) => {
    await queries.sql`select lock_project(${present(master.projects[1]).id})`
    const started = call(dying)
    await eventually(async () => assert.equal(await countRollouts(master), 1))
    return { first: started }
  })
  await Promise.allSettled([first, dying.stop()])
  const again = await call(service)
  assert.deepEqual([again.status, isReplay(again), again.body.data.synced_count], [200, true, 2])
  assert.equal(await countRollouts(master), 1)
})
