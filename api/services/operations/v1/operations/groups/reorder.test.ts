import assert from 'node:assert/strict'
import test from 'node:test'
import { arranged } from '#boards/ordering.ts'
import { createBoard } from '#tests/board.ts'
import { post } from '#tests/post.ts'
import { startTestService } from '#tests/service.ts'

const operations = '/services/operations/v1/operations'
const path = `${operations}/groups/reorder` as const
const service = await startTestService()

type Fixture = Awaited<ReturnType<typeof createBoard>>

async function order({ admin, boardId }: Pick<Fixture, 'admin' | 'boardId'>) {
  const { board } = await admin.call(`${operations}/boards/get`, { id: boardId })
  assert.deepEqual(
    board.groups.map(({ position }) => position),
    board.groups.map((_, index) => index + 1),
  )
  return board.groups.map(({ id }) => id)
}

/** A board of as many groups as asked for. */
async function boardOf(size: number) {
  const fixture = await createBoard(service)
  const { projectId, boardId } = fixture
  await service.db.sql`
    insert into groups (project_id, board_id, title)
    select ${projectId}, ${boardId}, 'Group ' || n from generate_series(4, ${size}) n`
  return { ...fixture, groupIds: await order(fixture) }
}

const places = (ids: readonly number[]) => ids.map((id, index) => ({ id, position: index + 1 }))

async function refusal(fixture: Fixture, groups: { id: number; position: number }[]) {
  const before = await order(fixture)
  const { status, body } = await post(service, path, fixture.members.member.token, { groups })
  assert.deepEqual(await order(fixture), before)
  return { status, body }
}

test('200 with an empty list, in both versions, and the groups have the order', async () => {
  const fixture = await boardOf(3)
  for (const version of [path, path.replace('/v1/', '/v2/')]) {
    const wanted = (await order(fixture)).toReversed()
    const { status, body } = await post(service, version, fixture.members.member.token, {
      groups: places(wanted),
    })
    assert.deepEqual(
      { status, body },
      { status: 200, body: { error: false, message: 'The groups were reordered.', data: [] } },
    )
    assert.deepEqual(await order(fixture), wanted)
  }
})

test('other groups fill the remaining positions in their order', async () => {
  const fixture = await boardOf(5)
  const [a, b, c, d, e] = fixture.groupIds as [number, number, number, number, number]
  const reorder = async (...groups: [id: number, position: number][]) => {
    await fixture.member.call(path, { groups: groups.map(([id, position]) => ({ id, position })) })
    return order(fixture)
  }
  assert.deepEqual(await reorder([e, 2]), [a, e, b, c, d])
  assert.deepEqual(await reorder([a, 5], [d, 1]), [d, e, b, c, a])
  assert.deepEqual(await reorder([c, 2], [a, 2]), [d, c, a, e, b])
  assert.deepEqual(await reorder([d, 99], [b, -99]), [b, c, a, e, d])
  assert.deepEqual(await reorder([d, 1], [b, 1], [a, 1]), [d, b, a, c, e])
  assert.deepEqual(await reorder([d, Number.MAX_SAFE_INTEGER]), [b, a, c, e, d])
})

test('setting the current order is no event', async () => {
  const fixture = await boardOf(3)
  const events = () => service.db.sql`select count(*) from events where project_id = ${fixture.projectId}`
  const before = await events()
  await fixture.member.call(path, { groups: places(fixture.groupIds) })
  assert.deepEqual(await events(), before)
})

test('a reorder changes only positions', async () => {
  const fixture = await createBoard(service, { cards: 2 })
  const read = async () =>
    (await fixture.admin.call(`${operations}/boards/get`, { id: fixture.boardId })).board
  const before = await read()
  await fixture.member.call(path, { groups: places(fixture.groupIds.toReversed()) })
  const after = await read()
  assert.deepEqual(
    after.groups.map((group) => ({ ...group, position: 0 })),
    before.groups.toReversed().map((group) => ({ ...group, position: 0 })),
  )
})

test('422 for a repeated id, on each occurrence', async () => {
  const fixture = await boardOf(3)
  const [a, b] = fixture.groupIds as [number, number]
  const { status, body } = await refusal(fixture, places([b, a, b]))
  assert.equal(status, 422)
  assert.deepEqual(body, {
    message: 'The groups.0.id field has a duplicate value. (and 1 more error)',
    errors: {
      'groups.0.id': ['The groups.0.id field has a duplicate value.'],
      'groups.2.id': ['The groups.2.id field has a duplicate value.'],
    },
  })
})

test('422 for groups of two boards of the project', async () => {
  const fixture = await boardOf(3)
  const { board } = await fixture.admin.call(`${operations}/boards/create`, { title: 'Second' })
  const newGroup = async () =>
    (await fixture.admin.call(`${operations}/groups/create`, { board_id: board.id, title: 'Other' })).group.id
  const listed = [...fixture.groupIds.toReversed(), await newGroup(), await newGroup()]
  const { status, body } = await refusal(fixture, places(listed))
  assert.equal(status, 422)
  assert.deepEqual(body.errors, {
    'groups.3.id': ['The selected groups.3.id is invalid.'],
    'groups.4.id': ['The selected groups.4.id is invalid.'],
  })
})

test('422 for unknown ids, all of them at once', async () => {
  const fixture = await boardOf(4)
  const [a, b, c] = fixture.groupIds as [number, number, number]
  await fixture.admin.call(`${operations}/groups/delete`, { id: a })
  const listed = [c, a, 0, b, -1, 999_999, Number.MAX_SAFE_INTEGER]
  const { status, body } = await refusal(fixture, places(listed))
  assert.equal(status, 422)
  assert.deepEqual(Object.keys(body.errors ?? {}), [
    'groups.1.id',
    'groups.2.id',
    'groups.4.id',
    'groups.5.id',
    'groups.6.id',
  ])
  assert.deepEqual(body.errors?.['groups.1.id'], ['The selected groups.1.id is invalid.'])
})

test('403 for a group of another project wherever it stands, and nothing changes in either', async () => {
  const fixture = await boardOf(3)
  const other = await boardOf(3)
  const foreign = other.groupIds[2] as number
  for (const place of [0, 1, 3]) {
    const { status, body } = await refusal(
      fixture,
      places(fixture.groupIds.toReversed().toSpliced(place, 0, foreign)),
    )
    assert.deepEqual(
      { status, body },
      { status: 403, body: { error: true, message: 'This action is unauthorized.' } },
    )
  }
  assert.deepEqual(await order(other), other.groupIds)
  // Missing things are judged before what may not be touched.
  for (const ids of [
    [foreign, 999_999],
    [999_999, foreign],
  ])
    assert.equal((await refusal(fixture, places(ids))).status, 422)
})

test('403 for groups of a project where the caller only reads, 200 where the caller works, whatever X-Project-Id says', async () => {
  const fixture = await boardOf(3)
  const other = await boardOf(3)
  const { token } = await service.addUser({
    roles: { [other.projectId]: 'member', [fixture.projectId]: 'viewer' },
  })
  for (const projectId of [fixture.projectId, other.projectId]) {
    const client = service.client(token, { 'x-project-id': String(projectId) })
    assert.equal((await client.attempt(path, { groups: places(fixture.groupIds.toReversed()) })).status, 403)
    const wanted = (await order(other)).toReversed()
    assert.equal((await client.attempt(path, { groups: places(wanted) })).status, 200)
    assert.deepEqual(await order(other), wanted)
  }
  assert.deepEqual(await order(fixture), fixture.groupIds)
})

test('422 for no entries, too many, and invalid ones', async () => {
  const { members, groupIds } = await boardOf(3)
  const errors = async (groups: unknown) => {
    const { status, body } = await post(service, path, members.member.token, { groups } as object)
    assert.equal(status, 422)
    return body.errors
  }
  assert.deepEqual(await errors([]), { groups: ['The groups field is required.'] })
  assert.deepEqual(await errors({}), { groups: ['The groups field must be an array.'] })
  assert.deepEqual(await errors(places(Array.from({ length: 1001 }, (_, index) => index))), {
    groups: ['The groups field must not have more than 1000 items.'],
  })
  assert.deepEqual(await errors([5, { id: groupIds[0], position: null }, { id: '7', position: 1.5 }]), {
    'groups.0': ['The groups.0 field must be an array.'],
    'groups.0.id': ['The groups.0.id field is required.'],
    'groups.2.id': ['The groups.2.id field must be an integer.'],
    'groups.0.position': ['The groups.0.position field is required.'],
    'groups.1.position': ['The groups.1.position field is required.'],
    'groups.2.position': ['The groups.2.position field must be an integer.'],
  })
})

test('200 for 1,000 groups at once', async () => {
  const fixture = await boardOf(1000)
  const wanted = fixture.groupIds.toReversed()
  await fixture.member.call(path, { groups: places(wanted) })
  assert.deepEqual(await order(fixture), wanted)
})

test('16 reorders in parallel end in exactly one of the orders asked for', async () => {
  const fixture = await boardOf(6)
  const { member, groupIds } = fixture
  const wanted = Array.from({ length: 16 }, (_, index) =>
    groupIds.toSorted((a, b) => ((a * (index + 3)) % 7) - ((b * (index + 3)) % 7) || a - b).toSpliced(0, 0),
  ).map((ids, index) => [...ids.slice(index % 6), ...ids.slice(0, index % 6)])
  const results = await Promise.all(wanted.map((ids) => member.attempt(path, { groups: places(ids) })))
  assert.deepEqual(new Set(results.map(({ status }) => status)), new Set([200]))
  const final = String(await order(fixture))
  assert.ok(wanted.map(String).includes(final), `${final} is none of ${wanted.join(' | ')}`)
})

test('reorders of single groups at the same time give what they give one after the other', async () => {
  const fixture = await boardOf(6)
  for (let round = 0; round < 6; round++) {
    const before = await order(fixture)
    const [one, two] = [
      [{ id: before[0] as number, position: 6 }],
      [{ id: before[1] as number, position: 5 }],
    ]
    await Promise.all([one, two].map((groups) => fixture.member.call(path, { groups })))
    const sequences = [arranged(arranged(before, one), two), arranged(arranged(before, two), one)]
    const final = String(await order(fixture))
    assert.ok(sequences.map(String).includes(final), `${final} is none of ${sequences.join(' | ')}`)
  }
})

test('groups made and deleted while others are reordered leave a dense list', async () => {
  const fixture = await boardOf(6)
  const { admin, member, groupIds, boardId } = fixture
  const deleted = groupIds[5] as number
  const results = await Promise.all([
    ...Array.from({ length: 8 }, (_, index) =>
      member.attempt(path, {
        groups: places(index % 2 ? groupIds.slice(0, 5) : groupIds.slice(0, 5).toReversed()),
      }),
    ),
    ...[1, 2, 3, 4].map((n) =>
      admin.attempt(`${operations}/groups/create`, { board_id: boardId, title: `New ${n}` }),
    ),
    admin.attempt(`${operations}/groups/delete`, { id: deleted }),
  ])
  assert.deepEqual(new Set(results.map(({ status }) => status)), new Set([200, 201]))
  const ids = await order(fixture)
  assert.equal(ids.length, 9)
  assert.ok(!ids.includes(deleted))
})
