import assert from 'node:assert/strict'
import test from 'node:test'
import { createMaster, present } from '#tests/master.ts'
import { sender } from '#tests/post.ts'
import { startTestService } from '#tests/service.ts'

const masters = '/services/operations/v1/admin'
const service = await startTestService()
const superadmin = await service.addUser({ superadmin: true })
const admin = service.client(superadmin.token)
const send = sender(service, superadmin.token, `${masters}/master-groups/reorder`)

async function boardOf(size: number) {
  const { board } = await admin.call(`${masters}/master-boards/create`, { title: 'x' })
  const ids: number[] = []
  for (let number = 1; number <= size; number++)
    ids.push(
      (await admin.call(`${masters}/master-groups/create`, { board_id: board.id, title: `${number}` })).group
        .id,
    )
  return { boardId: board.id, ids }
}

async function order(id: number) {
  const { board } = await admin.call(`${masters}/master-boards/get`, { id })
  assert.deepEqual(
    board.groups.map(({ position }) => position),
    board.groups.map((_, index) => index + 1),
  )
  return board.groups.map((group) => group.id)
}

const places = (ids: readonly number[]) => ids.map((id, index) => ({ id, position: index + 1 }))
const reorder = (board_id: number, groups: { id: number; position: number }[]) =>
  send('', { board_id, groups })

async function refusal(board_id: number, groups: unknown) {
  const before = await admin.call(`${masters}/master-boards/get`, { id: board_id })
  const { status, body } = await send('', { board_id, groups })
  assert.deepEqual(await admin.call(`${masters}/master-boards/get`, { id: board_id }), before)
  assert.equal(status, 422)
  return body.errors
}

test('200 with an empty list, and the groups have the order', async () => {
  const { boardId, ids } = await boardOf(3)
  const { status, body } = await reorder(boardId, places(ids.toReversed()))
  assert.deepEqual(
    { status, body },
    { status: 200, body: { error: false, message: 'The template groups were reordered.', data: [] } },
  )
  assert.deepEqual(await order(boardId), ids.toReversed())
})

test('places are taken in ascending order, ties as listed, clamped; the unlisted fill the rest', async () => {
  const { boardId, ids } = await boardOf(5)
  const [a, b, c, d, e] = ids as [number, number, number, number, number]
  const after = async (...groups: [id: number, position: number][]) => {
    const answer = await reorder(
      boardId,
      groups.map(([id, position]) => ({ id, position })),
    )
    assert.equal(answer.status, 200)
    return order(boardId)
  }
  assert.deepEqual(await after([e, 2]), [a, e, b, c, d])
  assert.deepEqual(await after([a, 5], [d, 1]), [d, e, b, c, a])
  assert.deepEqual(await after([c, 2], [a, 2]), [d, c, a, e, b])
  assert.deepEqual(await after([d, 99], [b, -99]), [b, c, a, e, d])
  assert.deepEqual(await after([d, Number.MAX_SAFE_INTEGER]), [b, c, a, e, d])
})

test('an order that the groups have already is no change', async () => {
  const { boardId, ids } = await boardOf(3)
  const before = await admin.call(`${masters}/master-boards/get`, { id: boardId })
  assert.equal((await reorder(boardId, places(ids))).status, 200)
  assert.deepEqual(await admin.call(`${masters}/master-boards/get`, { id: boardId }), before)
})

test('422 for a board that is not there, an id that stands twice, foreign and unknown groups', async () => {
  const { boardId, ids } = await boardOf(3)
  const other = await boardOf(1)
  const [a, b, c] = ids as [number, number, number]
  for (const unknown of [0, -1, 999_999, Number.MAX_SAFE_INTEGER]) {
    const { status, body } = await reorder(unknown, places(ids))
    assert.equal(status, 422)
    assert.deepEqual(body, {
      message: 'The selected board id is invalid.',
      errors: { board_id: ['The selected board id is invalid.'] },
    })
  }
  assert.deepEqual(await refusal(boardId, places([b, a, b])), {
    'groups.0.id': ['The groups.0.id field has a duplicate value.'],
    'groups.2.id': ['The groups.2.id field has a duplicate value.'],
  })
  await admin.call(`${masters}/master-groups/delete`, { id: c })
  assert.deepEqual(Object.keys((await refusal(boardId, places([b, present(other.ids[0]), a, c, 0]))) ?? {}), [
    'groups.1.id',
    'groups.3.id',
    'groups.4.id',
  ])
  const copies = await createMaster(service, { projects: 1 })
  await copies.sync()
  const copy = await copies.copyIn(present(copies.projects[0]))
  assert.deepEqual(await refusal(copies.boardId, places([present(copy.groups[0]).id])), {
    'groups.0.id': ['The selected groups.0.id is invalid.'],
  })
})

test('422 for no entries, too many, and entries that are none', async () => {
  const { boardId, ids } = await boardOf(1)
  assert.deepEqual(await refusal(boardId, []), { groups: ['The groups field is required.'] })
  assert.deepEqual(await refusal(boardId, places(Array.from({ length: 1001 }, (_, index) => index))), {
    groups: ['The groups field must not have more than 1000 items.'],
  })
  assert.deepEqual(await refusal(boardId, [{ id: ids[0] }, { id: '7', position: 1.5 }]), {
    'groups.1.id': ['The groups.1.id field must be an integer.'],
    'groups.0.position': ['The groups.0.position field is required.'],
    'groups.1.position': ['The groups.1.position field must be an integer.'],
  })
})

test('16 reorders in parallel end in exactly one of the orders asked for', async () => {
  const { boardId, ids } = await boardOf(6)
  const wanted = Array.from({ length: 16 }, (_, index) => {
    const start = index % 6
    const turned = [...ids.slice(start), ...ids.slice(0, start)]
    return index < 6 ? turned : turned.toReversed()
  })
  const results = await Promise.all(wanted.map((list) => reorder(boardId, places(list))))
  assert.deepEqual(new Set(results.map(({ status }) => status)), new Set([200]))
  const final = String(await order(boardId))
  assert.ok(wanted.map(String).includes(final), `${final} is none of ${wanted.join(' | ')}`)
})

test('an order that is turned around 60 times between two neighbours always holds, also where room runs out', async () => {
  const { boardId, ids } = await boardOf(4)
  const [a, b, c, d] = ids as [number, number, number, number]
  for (let round = 0; round < 60; round++) {
    const middle = round % 2 === 0 ? [c, b] : [b, c]
    assert.equal((await reorder(boardId, places([a, ...middle, d]))).status, 200)
    assert.deepEqual(await order(boardId), [a, ...middle, d])
  }
})
