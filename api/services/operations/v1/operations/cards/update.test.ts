import assert from 'node:assert/strict'
import test from 'node:test'
import { createBoard } from '#tests/board.ts'
import { inV1 } from '#tests/in-v1.ts'
import { sender } from '#tests/post.ts'
import { startTestService } from '#tests/service.ts'

const operations = '/services/operations/v1/operations'
const update = `${operations}/cards/update`
const service = await startTestService()
const { projectId, members, member, boardId, groupIds } = await createBoard(service)
const other = await createBoard(service, { cards: 1 })
const send = sender(service, members.member.token, operations)
const { tag } = await member.call(`${operations}/tags/create`, { name: 'Tag' })

async function newCard() {
  const { card } = await member.call(`${operations}/cards/create`, {
    title: 'Title',
    description: '<p>Text</p>',
    group_id: groupIds[0] as number,
    status: 'blocked',
    owner_id: members.member.id,
    tag_id: tag.id,
    due_date: '2030-01-31',
    priority: 'high',
  })
  return card
}

const eventsOf = async (card_id: number) =>
  (await member.call(`${operations}/activity/list`, { board_id: boardId, card_id })).activity

test('200 a due date has no time until one is set without due_is_date', async () => {
  const { id } = await newCard()
  const day = '2099-05-06T23:59:59.999Z'
  const change = async (fields: { due_date?: string | null; due_is_date?: boolean | null }) => {
    const { card } = await member.call(update, { id, ...fields })
    const [event] = await eventsOf(id)
    const changes = event?.data['changes'] as { due_is_date?: unknown } | undefined
    return [card.due_date, card.due_is_date, changes?.due_is_date]
  }
  const given = { from: false, to: true }
  const taken = { from: true, to: false }
  assert.deepEqual(await change({ due_date: '2099-05-06', due_is_date: true }), [day, true, given])
  // The same date, as a client sends that does not know of due_is_date, is no change; nor is null.
  assert.deepEqual(await change({ due_date: day }), [day, true, given])
  assert.deepEqual(await change({ due_is_date: null }), [day, true, given])
  // Another day is not a time, which the event says too.
  assert.deepEqual(await change({ due_date: '2099-05-07T10:00:00Z', due_is_date: true }), [
    '2099-05-07T23:59:59.999Z',
    true,
    { from: true, to: true },
  ])
  // The day that was written, not that of the same moment in UTC; the moment that is stored changes nothing.
  const late = { due_date: '2099-05-08T22:00:00-05:00', due_is_date: true }
  assert.deepEqual((await change(late))[0], '2099-05-08T23:59:59.999Z')
  assert.deepEqual((await change({ due_date: '2099-05-09T01:59:59.999+02:00' })).slice(0, 2), [
    '2099-05-08T23:59:59.999Z',
    true,
  ])
  const time = '2099-05-08T10:00:00.000Z'
  assert.deepEqual(await change({ due_date: time }), [time, false, taken])
  assert.deepEqual(await change({ due_is_date: true }), ['2099-05-08T23:59:59.999Z', true, given])
  assert.deepEqual(await change({ due_date: null }), [null, false, taken])
  assert.deepEqual((await change({ due_is_date: true })).slice(0, 2), [null, false])
})

test('200 every field takes its new value; the rest stays, and the history has both', async () => {
  const before = await newCard()
  const changes = {
    title: 'Other',
    description: '<b>Other</b>',
    short_description: 'Short',
    status: 'closed',
    owner_id: members.viewer.id,
    tag_id: null,
    due_date: '2031-02-28T10:00:00.000Z',
    snoozed_until: '2029-01-01T00:00:00.000Z',
    priority: 'low' as const,
    is_active: false,
  }
  const { status, body } = await send('/cards/update', { id: before.id, ...changes })
  assert.equal(status, 200)
  assert.deepEqual(body.data.card, { ...inV1(before), ...changes, updated_at: body.data.card.updated_at })
  assert.ok(body.data.card.updated_at > before.updated_at)
  const { card } = await member.call(`${operations}/cards/get`, { id: before.id })
  assert.deepEqual(inV1(card), body.data.card)
  const [event] = await eventsOf(before.id)
  const from = before as Record<string, unknown>
  assert.deepEqual(event?.data, {
    changes: Object.fromEntries(
      Object.entries(changes)
        .filter(([name]) => !name.endsWith('description'))
        .map(([name, to]) => [name, { from: from[name], to }]),
    ),
    texts: ['description', 'short_description'],
  })
})

test('200 null clears what may be null and leaves the rest; absent fields stay', async () => {
  const before = await newCard()
  const { card } = await member.call(update, {
    id: before.id,
    title: null,
    status: null,
    priority: null,
    is_active: null,
    description: null,
    owner_id: null,
  })
  assert.deepEqual(card, {
    ...before,
    description: null,
    description_format: 'text',
    owner_id: null,
    updated_at: card.updated_at,
  })
  const cleared = await member.call(update, { id: before.id, tag_id: null, due_date: null, description: '' })
  assert.equal(cleared.card.tag_id, null)
  assert.equal(cleared.card.due_date, null)
})

test('200 an update that changes nothing writes no event and leaves updated_at', async () => {
  const before = await newCard()
  const events = (await eventsOf(before.id)).length
  for (const same of [
    {},
    { title: '  Title ', due_date: '2030-01-31 00:00', description: '<p onclick=x>Text</p>' },
    { title: null, status: 'blocked', priority: 'high', owner_id: members.member.id, tag_id: tag.id },
  ])
    assert.deepEqual((await send('/cards/update', { id: before.id, ...same })).body.data.card, inV1(before))
  assert.equal((await eventsOf(before.id)).length, events)
})

test('422 an empty title or status, wrong values, all at once', async () => {
  const { id } = await newCard()
  const { status, body } = await send('/cards/update', {
    id,
    title: ' ',
    status: '',
    due_date: '2030-02-30',
    snoozed_until: 'x',
    priority: 'none',
    is_active: 'yes',
  })
  assert.equal(status, 422)
  assert.deepEqual(body, {
    message: 'The title field is required. (and 5 more errors)',
    errors: {
      title: ['The title field is required.'],
      status: ['The status field is required.'],
      due_date: ['The due date field must be a valid date.'],
      snoozed_until: ['The snoozed until field must be a valid date.'],
      priority: ['The selected priority is invalid.'],
      is_active: ['The is active field must be true or false.'],
    },
  })
  const limits = await send('/cards/update', { id, title: '😀'.repeat(256), status: '😀'.repeat(51) })
  assert.deepEqual(Object.keys(limits.body.errors ?? {}), ['title', 'status'])
  const exactly = await send('/cards/update', { id, title: '😀'.repeat(255), status: '😀'.repeat(50) })
  assert.equal(exactly.status, 200)
})

test("422 an owner who is no member and another project's tag; nothing is changed", async () => {
  const before = await newCard()
  const theirs = await other.member.call(`${operations}/tags/create`, { name: 'Theirs' })
  const { status, body } = await send('/cards/update', {
    id: before.id,
    title: 'Other',
    owner_id: other.members.member.id,
    tag_id: theirs.tag.id,
  })
  assert.equal(status, 422)
  assert.deepEqual(body.errors, {
    owner_id: ['The selected owner id is invalid.'],
    tag_id: ['The selected tag id is invalid.'],
  })
  assert.deepEqual((await member.call(`${operations}/cards/get`, { id: before.id })).card, before)
})

test('422 a description that is too long once it is cleaned', async () => {
  const { id } = await newCard()
  const { body } = await send('/cards/update', { id, description: `<b>${'&'.repeat(30_000)}</b>` })
  assert.deepEqual(body.errors, {
    description: ['The description field must not be greater than 64 kilobytes.'],
  })
})

test('descriptions are cleaned on write', async () => {
  const { id } = await newCard()
  const { card } = await member.call(update, { id, description: '<p style="x">a<img src=x onerror=y></p>' })
  assert.equal(card.description, '<p>a</p>')
})

test('404 for an unknown card; 403 in another project, also as its viewer', async () => {
  const { id } = await newCard()
  await member.call(`${operations}/cards/delete`, { id })
  for (const missing of [id, 0, -1, Number.MAX_SAFE_INTEGER])
    assert.equal((await member.attempt(update, { id: missing, title: 'x' })).status, 404)
  const theirs = other.cardIds[0] as number
  const user = await service.addUser({ roles: { [projectId]: 'owner', [other.projectId]: 'viewer' } })
  for (const client of [member, service.client(user.token)])
    assert.equal((await client.attempt(update, { id: theirs, title: 'x' })).status, 403)
  const { card } = await other.member.call(`${operations}/cards/get`, { id: theirs })
  assert.equal(card.title, 'Card 1')
})

test('fields that are not in the input are ignored', async () => {
  const before = await newCard()
  const { body } = await send('/cards/update', {
    id: before.id,
    project_id: other.projectId,
    group_id: other.groupIds[0],
    board_id: other.boardId,
    position: 9,
    sort_order: 9,
    rank: 9,
    created_by: members.owner.id,
    is_master: true,
    superadmin: true,
    deleted_at: '2020-01-01',
    ['__proto__']: { title: 'evil' },
  })
  assert.deepEqual(body.data.card, inV1(before))
})

test('200 updates of different fields at the same time all survive', async () => {
  const { id } = await newCard()
  for (let round = 1; round <= 10; round++) {
    const changes = [
      { title: `Title ${round}` },
      { description: `Text ${round}` },
      { status: `status ${round}` },
      { short_description: `Short ${round}` },
      { due_date: `2030-01-${String(round).padStart(2, '0')}T00:00:00.000Z` },
    ]
    await Promise.all(changes.map((change) => member.call(update, { id, ...change })))
    const { card } = await member.call(`${operations}/cards/get`, { id })
    const expected = Object.assign({}, ...changes)
    assert.deepEqual({ ...card, ...expected }, card)
  }
})

test('200 concurrent updates of one field: the history is a chain that ends at the current value', async () => {
  const { id } = await newCard()
  await Promise.all(Array.from({ length: 12 }, (_, index) => member.call(update, { id, title: `T${index}` })))
  const { card } = await member.call(`${operations}/cards/get`, { id })
  const steps = (await eventsOf(id))
    .filter(({ kind }) => kind === 'card.updated')
    .map(({ data }) => (data['changes'] as { title: { from: string; to: string } }).title)
    .toReversed()
  assert.equal(steps.length, 12)
  assert.deepEqual(
    steps.map(({ from }) => from),
    ['Title', ...steps.slice(0, -1).map(({ to }) => to)],
  )
  assert.equal(steps.at(-1)?.to, card.title)
})

test('409 for a description that is based on another version; nothing of the request is changed', async () => {
  const { id } = await newCard()
  const { description_version: begun } = await member.call(`${operations}/cards/get`, { id })
  await member.call(update, { id, description: 'Theirs', if_version: begun })
  const { status, headers } = await send('/cards/update', {
    id,
    title: 'Other',
    description: 'Mine',
    if_version: begun,
  })
  assert.deepEqual([status, headers.get('x-error-code')], [409, 'description_changed'])
  const { card, description_version: now } = await member.call(`${operations}/cards/get`, { id })
  assert.deepEqual([card.title, card.description], ['Title', 'Theirs'])
  assert.notEqual(now, begun)
  // Other fields do not depend on it, the same text is no change, and without it the last one wins.
  await member.call(update, { id, title: 'Renamed', if_version: begun })
  await member.call(update, { id, description: 'Theirs', if_version: begun })
  await member.call(update, { id, description: 'Last' })
  assert.equal((await member.call(`${operations}/cards/get`, { id })).card.description, 'Last')
})

test('409 for all but one of concurrent changes of the same version', async () => {
  const { id } = await newCard()
  const { description_version: if_version } = await member.call(`${operations}/cards/get`, { id })
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      send('/cards/update', { id, description: `Text ${index}`, if_version }),
    ),
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array(7).fill(409)])
  const stored = (await member.call(`${operations}/cards/get`, { id })).card.description
  assert.equal(answers.find(({ status }) => status === 200)?.body.data.card.description, stored)
})
