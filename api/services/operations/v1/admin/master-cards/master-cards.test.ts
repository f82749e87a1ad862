import assert from 'node:assert/strict'
import test from 'node:test'
import { createMaster, present } from '#tests/master.ts'
import { sender } from '#tests/post.ts'
import { startTestService } from '#tests/service.ts'

const masters = '/services/operations/v1/admin'
const cards = `${masters}/master-cards` as const
const service = await startTestService()
const master = await createMaster(service, { projects: 0, cards: 1 })
const { admin, superadmin, groupIds, addCard } = master
const send = sender(service, superadmin.token, cards)
const missing = [0, -1, 999_999, Number.MAX_SAFE_INTEGER]

/** A group of its own with so many cards. */
async function groupOf(size: number, { boardId } = master) {
  const { group } = await admin.call(`${masters}/master-groups/create`, { board_id: boardId, title: 'x' })
  const ids: number[] = []
  for (let number = 1; number <= size; number++)
    ids.push(await addCard({ title: `${number}`, group_id: group.id }))
  return { id: group.id, ids }
}

const order = async (groupId: number) => {
  const group = present((await master.whole()).groups.find(({ id }) => id === groupId))
  assert.deepEqual(
    group.cards.map(({ position }) => position),
    group.cards.map((_, index) => index + 1),
  )
  return group.cards.map(({ id }) => id)
}

test('200 get: the card and its revisions, the newest first, with who made them', async () => {
  const other = await service.addUser({ superadmin: true })
  const id = await addCard({ title: 'One' })
  await service.client(other.token).call(`${cards}/update`, { id, title: 'Two', status: 'closed' })
  await admin.call(`${cards}/move`, { id, group_id: groupIds[1] })
  await admin.call(`${cards}/update`, { id, is_active: false })
  const { card, revisions } = await admin.call(`${cards}/get`, { id })
  assert.deepEqual([card.title, card.group_id, card.is_active], ['Two', groupIds[1], false])
  const first = present(revisions.at(-1))
  assert.deepEqual(Object.keys(first), [
    'revision',
    'group_id',
    'title',
    'description',
    'description_format',
    'short_description',
    'unique_identifier',
    'evaluation_check',
    'needs_confirmation',
    'tour_key',
    'status',
    'priority',
    'is_active',
    'is_deleted',
    'created_by',
    'created_by_name',
    'created_at',
    'version',
  ])
  assert.deepEqual(
    revisions.map((entry) => [entry.title, entry.status, entry.group_id, entry.is_active, entry.created_by]),
    [
      ['Two', 'closed', groupIds[1], false, superadmin.id],
      ['Two', 'closed', groupIds[1], true, superadmin.id],
      ['Two', 'closed', groupIds[0], true, other.id],
      ['One', 'open', groupIds[0], true, superadmin.id],
    ],
  )
  assert.deepEqual(
    revisions.map(({ revision }) => revision),
    revisions.map(({ revision }) => revision).toSorted((a, b) => b - a),
  )
  for (const unknown of missing)
    assert.equal((await admin.attempt(`${cards}/get`, { id: unknown })).status, 404)
})

test('200 update of every field; absent is left, null clears or leaves', async () => {
  const id = await addCard({ title: 'One' })
  const update = async (input: object) => (await send('/update', { id, ...input })).body.data.card
  const fields = {
    title: 'Two',
    unique_identifier: 'two',
    evaluation_check: 'check',
    tour_key: 'tour',
    short_description: 'short',
    status: 'to_check',
    is_active: false,
    priority: 'urgent',
  }
  const changed = await update({ ...fields, description: '<b>x</b><script>1</script>' })
  assert.deepEqual({ ...changed, ...fields, description: '<b>x</b>' }, changed)
  const revisions = async () => (await admin.call(`${cards}/get`, { id })).revisions.length
  const before = await revisions()
  assert.deepEqual(await update({}), changed)
  assert.deepEqual(await update(fields), changed)
  assert.deepEqual(await update({ title: null, status: null, priority: null, is_active: null }), changed)
  assert.equal(await revisions(), before)
  const nullable = ['description', 'unique_identifier', 'evaluation_check', 'tour_key', 'short_description']
  const nulls = Object.fromEntries(nullable.map((name) => [name, null]))
  const cleared = await update(nulls)
  assert.deepEqual({ ...cleared, updated_at: '' }, { ...changed, ...nulls, updated_at: '' })
  assert.equal(await revisions(), before + 1)
})

test('404 and 422 update', async () => {
  const id = await addCard({ title: 'x' })
  await send('/update', { id, unique_identifier: 'mine' })
  const other = await addCard({ title: 'x' })
  const taken = await send('/update', { id: other, unique_identifier: 'mine', title: 'Not written' })
  assert.equal(taken.status, 422)
  assert.deepEqual(taken.body.errors, {
    unique_identifier: ['The unique identifier has already been taken.'],
  })
  assert.equal((await admin.call(`${cards}/get`, { id: other })).card.title, 'x')
  assert.equal((await send('/update', { id, unique_identifier: 'mine' })).status, 200)
  const { body } = await send('/update', {
    id,
    title: '',
    unique_identifier: 'x'.repeat(101),
    evaluation_check: 'x'.repeat(101),
    tour_key: 'x'.repeat(101),
    status: 'done',
    priority: 'x',
  })
  assert.deepEqual(Object.keys(body.errors ?? {}), [
    'title',
    'unique_identifier',
    'evaluation_check',
    'tour_key',
    'status',
    'priority',
  ])
  const markup = await send('/update', { id, description: '<b>'.repeat(5001) })
  assert.deepEqual(Object.keys(markup.body.errors ?? {}), ['description'])
  for (const unknown of missing)
    assert.equal((await send('/update', { id: unknown, title: 'x' })).status, 404)
})

test('200 move within the group: to the place, clamped, and without one to the end', async () => {
  const { id: groupId, ids } = await groupOf(4)
  const [a, b, c, d] = ids as [number, number, number, number]
  const after = async (id: number, position?: number | null) => {
    const { card } = await admin.call(`${cards}/move`, { id, ...(position !== undefined && { position }) })
    const list = await order(groupId)
    assert.equal(card.position, list.indexOf(id) + 1)
    return list
  }
  assert.deepEqual(await after(d, 1), [d, a, b, c])
  assert.deepEqual(await after(d, 3), [a, b, d, c])
  assert.deepEqual(await after(a, 99), [b, d, c, a])
  assert.deepEqual(await after(c, -5), [c, b, d, a])
  assert.deepEqual(await after(c), [b, d, a, c])
  assert.deepEqual(await after(b, null), [d, a, c, b])
})

test('a move to where the card is already is no revision; a move is one of that card alone', async () => {
  const { ids } = await groupOf(3)
  const [a, b, c] = ids as [number, number, number]
  const counts = () =>
    Promise.all(ids.map(async (id) => (await admin.call(`${cards}/get`, { id })).revisions.length))
  for (const [id, position] of [
    [a, 1],
    [a, 0],
    [b, 2],
    [c, 3],
    [c, 99],
  ] as const)
    await admin.call(`${cards}/move`, { id, position })
  await admin.call(`${cards}/move`, { id: c })
  assert.deepEqual(await counts(), [1, 1, 1])
  await admin.call(`${cards}/move`, { id: c, position: 1 })
  assert.deepEqual(await counts(), [1, 1, 2])
})

test('200 move to another group; 422 to one that is not there or of another board; 404 no card', async () => {
  const [one, two] = [await groupOf(2), await groupOf(2)]
  const [a] = one.ids as [number]
  const { card } = await admin.call(`${cards}/move`, { id: a, group_id: two.id, position: 2 })
  assert.deepEqual([card.group_id, card.position], [two.id, 2])
  assert.deepEqual(await order(two.id), [two.ids[0], a, two.ids[1]])
  assert.deepEqual(await order(one.id), [one.ids[1]])
  const elsewhere = await createMaster(service, { projects: 0 })
  const before = await master.whole()
  for (const group_id of [...missing, elsewhere.groupIds[0]]) {
    const { status, body } = await send('/move', { id: a, group_id })
    assert.equal(status, 422)
    assert.deepEqual(body.errors, { group_id: ['The selected group id is invalid.'] })
  }
  assert.deepEqual(await master.whole(), before)
  for (const id of missing) assert.equal((await send('/move', { id })).status, 404)
})

test('cards swapped 60 times between two neighbours always have the order, also where room runs out', async () => {
  const { id: groupId, ids } = await groupOf(4)
  const [a, b, c, d] = ids as [number, number, number, number]
  for (let round = 0; round < 60; round++) {
    const [first, second] = round % 2 === 0 ? [c, b] : [b, c]
    await admin.call(`${cards}/move`, { id: first, position: 2 })
    assert.deepEqual(await order(groupId), [a, first, second, d])
  }
})

test('20 moves at once leave each card in one place', async () => {
  const { id: groupId, ids } = await groupOf(5)
  const results = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      admin.attempt(`${cards}/move`, { id: present(ids[index % 5]), position: (index * 3) % 5 }),
    ),
  )
  assert.deepEqual(new Set(results.map(({ status }) => status)), new Set([200]))
  assert.deepEqual((await order(groupId)).toSorted(), ids.toSorted())
})

test('200 restore brings a deleted card back to its place, with a revision for each step', async () => {
  const { id: groupId, ids } = await groupOf(3)
  const [a, b, c] = ids as [number, number, number]
  await send('/delete', { id: a })
  const added = await addCard({ title: 'added meanwhile', group_id: groupId })
  const { status, body } = await send('/restore', { id: a })
  assert.equal(status, 200)
  assert.deepEqual([body.data.card.position, body.data.card.deleted_at], [1, null])
  assert.deepEqual(await order(groupId), [a, b, c, added])
  const { revisions } = await admin.call(`${cards}/get`, { id: a })
  assert.deepEqual(
    revisions.map(({ is_deleted }) => is_deleted),
    [false, true, false],
  )
  const again = await send('/restore', { id: a })
  assert.deepEqual([again.status, again.body.message], [400, 'This template card is not deleted.'])
  for (const id of missing) assert.equal((await send('/restore', { id })).status, 404)
})

test('200 restore: the place is between the cards that it was between, also after the list was written anew', async () => {
  const { id: groupId, ids } = await groupOf(7)
  const [a, b, c, d, e, f, g] = ids as [number, number, number, number, number, number, number]
  const rankOf = async (id: number) =>
    (await service.db.sql<{ rank: number }[]>`select rank from master_cards where id = ${id}`)[0]?.rank
  const before = await rankOf(a)
  for (const id of [a, b, g]) await send('/delete', { id })
  await send('/restore', { id: a })
  // Until there is no room left after the card before them.
  for (let turn = 0; (await rankOf(a)) === before; turn++)
    await admin.call(`${cards}/move`, { id: turn % 2 === 0 ? e : d, position: 3 })
  const [, , third, fourth] = (await order(groupId)) as [number, number, number, number]
  await send('/restore', { id: g })
  await send('/restore', { id: b })
  assert.deepEqual(await order(groupId), [a, b, c, third, fourth, f, g])
})

test("200 delete, sync, restore, sync: the order in the projects is as it was, and nothing of it is the project's own", async () => {
  const fixture = await createMaster(service, { projects: 2, cards: 4 })
  const [second, third] = fixture.cardIds.slice(1) as [number, number]
  const orders = () =>
    Promise.all(
      fixture.projects.map(async (project) =>
        present((await fixture.copyIn(project)).groups[0]).cards.map((card) => card.master_card_id),
      ),
    )
  await fixture.sync()
  const before = await orders()
  assert.deepEqual(before, [fixture.cardIds, fixture.cardIds])
  await send('/delete', { id: second })
  await send('/delete', { id: third })
  await fixture.sync()
  assert.deepEqual(await orders(), before)
  for (const id of [third, second]) assert.equal((await send('/restore', { id })).status, 200)
  const events = await Promise.all(fixture.projects.map((project) => project.countEvents()))
  await fixture.sync()
  assert.deepEqual(await orders(), before)
  assert.deepEqual(await Promise.all(fixture.projects.map((project) => project.countEvents())), events)
  const moved = await service.db.sql`
    select from cards where project_id = any(${fixture.projects.map(({ id }) => id)}::bigint[]) and is_moved`
  assert.equal(moved.length, 0)
})

test('400 restore where another card has its unique identifier now', async () => {
  const id = await addCard({ title: 'x' })
  await send('/update', { id, unique_identifier: 'given away' })
  await send('/delete', { id })
  const other = await addCard({ title: 'x' })
  await send('/update', { id: other, unique_identifier: 'given away' })
  const { status, body } = await send('/restore', { id })
  assert.deepEqual(
    [status, body.message],
    [400, 'Another template card now has this unique identifier; change that card first.'],
  )
  assert.equal((await send('/get', { id })).status, 404)
})

test('copies that stayed follow a restored master again', async () => {
  const fixture = await createMaster(service, { projects: 1, cards: 2 })
  await fixture.sync()
  const id = present(fixture.cardIds[0])
  const project = present(fixture.projects[0])
  await send('/delete', { id })
  await send('/restore', { id })
  await send('/update', { id, title: 'New' })
  assert.equal(await fixture.push(id), 1)
  assert.equal(present(await project.cardOf(id)).title, 'New')
})

test('200 get: revisions come in pages, which end early where the texts are long; 422 on a cursor that is none', async () => {
  const id = await addCard({ title: 'Long' })
  for (let number = 1; number <= 6; number++)
    await admin.call(`${cards}/update`, { id, short_description: `${number}${'😀'.repeat(65_000)}` })
  const numbers: (string | undefined)[][] = []
  for (let cursor: string | null = null; ; ) {
    const page: Awaited<ReturnType<typeof readPage>> = await readPage(id, cursor)
    numbers.push(page.revisions.map(({ short_description: text }) => text?.[0]))
    cursor = page.next_cursor
    if (cursor === null) break
  }
  assert.deepEqual(numbers, [
    ['6', '5', '4', '3'],
    ['2', '1', undefined],
  ])
  assert.equal((await admin.attempt(`${cards}/get`, { id, cursor: 'x' })).status, 422)
})

const readPage = (id: number, cursor: string | null) => admin.call(`${cards}/get`, { id, cursor })
