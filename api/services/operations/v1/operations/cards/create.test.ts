import assert from 'node:assert/strict'
import test from 'node:test'
import { createStatement } from '#boards/card/creating.ts'
import { usualQuotas } from '#quotas/quotas.ts'
import { createBoard } from '#tests/board.ts'
import { inV1 } from '#tests/in-v1.ts'
import { sender } from '#tests/post.ts'
import { readsOf } from '#tests/reads.ts'
import { startTestService } from '#tests/service.ts'

const operations = '/services/operations/v1/operations'
const create = `${operations}/cards/create`
const service = await startTestService()
const { projectId, members, admin, member, boardId, groupIds } = await createBoard(service)
const [firstGroup, secondGroup] = groupIds as [number, number]
const other = await createBoard(service)
const send = sender(service, members.member.token, operations)
const eventsCount = async () =>
  (await service.db.sql<{ count: number }[]>`select count(*) from events`)[0]?.count as number

const errorsOf = async (input: object) => {
  const { status, body } = await send('/cards/create', { title: 'x', ...input })
  assert.equal(status, 422, JSON.stringify(body))
  return body.errors
}

test('201 with the exact keys and values of a card, at v1 and at v2', async () => {
  const { tag } = await member.call(`${operations}/tags/create`, { name: 'Tag' })
  for (const version of ['v1', 'v2']) {
    const at = sender(service, members.member.token, operations.replace('v1', version))
    const { status, body } = await at('/cards/create', {
      title: '  A title ',
      description: '<p>Text</p>',
      group_id: secondGroup,
      status: 'waiting for parts',
      owner_id: members.viewer.id,
      tag_id: tag.id,
      due_date: '2020-02-29',
      priority: 'urgent',
    })
    const { id, sort_order, position, created_at, updated_at } = body.data.card
    assert.equal(status, 201)
    assert.deepEqual(body, {
      error: false,
      message: 'The card was created.',
      data: {
        card: {
          id,
          project_id: projectId,
          platform_id: 1,
          master_card_id: null,
          group_id: secondGroup,
          owner_id: members.viewer.id,
          tag_id: tag.id,
          created_by: members.member.id,
          sort_order,
          position,
          is_master: false,
          is_active: true,
          is_overdue: true,
          unique_identifier: null,
          evaluation_check: null,
          tour_key: null,
          short_description: null,
          title: 'A title',
          description: '<p>Text</p>',
          ...(version === 'v2' && {
            description_format: 'html',
            evaluation_passed: null,
            evaluated_at: null,
            evaluated_by: null,
            needs_confirmation: false,
            due_is_date: false,
          }),
          status: 'waiting for parts',
          priority: 'urgent',
          due_date: '2020-02-29T00:00:00.000Z',
          snoozed_until: null,
          created_at,
          updated_at,
          deleted_at: null,
          card_type: 'custom',
        },
      },
    })
    assert.ok(Number.isSafeInteger(id))
    assert.equal(position, version === 'v1' ? 1 : 2)
    assert.equal(sort_order, position)
    assert.ok(Math.abs(Date.parse(created_at) - Date.now()) < 60_000)
    assert.equal(updated_at, created_at)
    const { card_type: _, ...others } = body.data.card
    const read = await send('/cards/get', { id })
    assert.deepEqual(read.body.data.card, inV1(others))
  }
})

test('201 with a title alone: open, normal, in the first group of the first active board', async () => {
  for (const nothing of [
    {},
    { group_id: null, status: null, priority: null, due_date: null, owner_id: null },
  ]) {
    const { body } = await send('/cards/create', { title: 'x', tag_id: null, description: '  ', ...nothing })
    const { card } = body.data
    assert.equal(card.group_id, firstGroup)
    assert.equal(card.status, 'open')
    assert.equal(card.priority, 'normal')
    assert.equal(card.is_overdue, false)
    for (const field of ['description', 'owner_id', 'tag_id', 'due_date'])
      assert.equal(card[field], null, field)
    const { card_type: _, ...others } = card
    const read = await send('/cards/get', { id: card.id })
    assert.deepEqual(read.body.data.card, others)
  }
})

test('201 a due date without a time is stored as the end in UTC of the day that was written; v1 shows the time alone', async () => {
  const dues = {
    '2099-02-28': '2099-02-28T23:59:59.999Z',
    '2099-02-28T23:00:00-05:00': '2099-02-28T23:59:59.999Z',
    '2099-03-01 00:30+0200': '2099-03-01T23:59:59.999Z',
    [new Date().toISOString()]: `${new Date().toISOString().slice(0, 10)}T23:59:59.999Z`,
  }
  for (const [due_date, stored] of Object.entries(dues)) {
    const { card } = await member.call(create, { title: 'x', due_date, due_is_date: true })
    assert.deepEqual([card.due_date, card.due_is_date, card.is_overdue], [stored, true, false])
    const { card: read } = await member.call(`${operations}/cards/get`, { id: card.id })
    assert.deepEqual([read.due_date, read.due_is_date, read.is_overdue], [stored, true, false])
    const { body } = await send('/cards/get', { id: card.id })
    assert.equal(body.data.card.due_date, stored)
    assert.ok(!('due_is_date' in body.data.card))
  }
  const { card } = await member.call(create, { title: 'x', due_is_date: true })
  assert.deepEqual([card.due_date, card.due_is_date], [null, false])
})

test('201 the event says what the one of a restored card says', async () => {
  const { tag } = await member.call(`${operations}/tags/create`, { name: 'Tag' })
  const all = {
    description: 'Text',
    status: 'waiting',
    owner_id: members.viewer.id,
    tag_id: tag.id,
    due_date: '2020-02-29',
    due_is_date: true,
    priority: 'urgent' as const,
  }
  for (const values of [{}, all]) {
    const { card } = await member.call(create, { title: 'x', group_id: secondGroup, ...values })
    const [recorded] = await service.db.sql<{ data: unknown; expected: unknown }[]>`
      select e.data, card_payload(c, ${card.position}) as expected from events e
      join cards c on c.project_id = ${projectId} and c.id = e.card_id
      where e.project_id = ${projectId} and e.card_id = ${card.id} and e.kind = 'card.created'`
    assert.ok(recorded)
    assert.deepEqual(recorded.data, recorded.expected)
  }
})

test('201 the first active board is the first by position that is neither inactive nor deleted', async () => {
  const project = await createBoard(service)
  const { board } = await project.admin.call(`${operations}/boards/create`, { title: 'Second' })
  const { group } = await project.admin.call(`${operations}/groups/create`, {
    board_id: board.id,
    title: 'x',
  })
  const groupOf = async () => (await project.member.call(create, { title: 'x' })).card.group_id
  assert.equal(await groupOf(), project.groupIds[0])
  await project.admin.call(`${operations}/groups/update`, { id: project.groupIds[2] as number, position: 1 })
  assert.equal(await groupOf(), project.groupIds[2])
  await project.admin.call(`${operations}/boards/update`, { id: board.id, position: 1 })
  assert.equal(await groupOf(), group.id)
  await project.admin.call(`${operations}/boards/update`, { id: board.id, is_active: false })
  assert.equal(await groupOf(), project.groupIds[2])
  await project.admin.call(`${operations}/boards/update`, { id: board.id, is_active: true })
  await project.admin.call(`${operations}/boards/delete`, { id: project.boardId })
  assert.equal(await groupOf(), group.id)
})

test('201 positions are dense from 1 and new cards go to the end', async () => {
  const { group } = await admin.call(`${operations}/groups/create`, { board_id: boardId, title: 'x' })
  for (const position of [1, 2, 3]) {
    const { card } = await member.call(create, { title: 'x', group_id: group.id })
    assert.equal(card.position, position)
  }
})

test('201 sort_order continues from the largest of the group, whatever was deleted', async () => {
  const { group } = await admin.call(`${operations}/groups/create`, { board_id: boardId, title: 'x' })
  const add = async () => (await member.call(create, { title: 'x', group_id: group.id })).card
  const first = await add()
  assert.deepEqual([first.sort_order, (await add()).sort_order], [1, 2])
  await member.call(`${operations}/cards/delete`, { id: first.id })
  assert.equal((await add()).sort_order, 3)
})

test('422 on group_id if the project has no board', async () => {
  const empty = await service.addProject()
  const user = await service.addUser({ roles: { [empty]: 'member' } })
  const result = await service.client(user.token).attempt(create, { title: 'x' })
  assert.equal(result.status, 422)
  assert.deepEqual(!result.ok && result.errors, { group_id: ['The selected group id is invalid.'] })
})

test('422 on an unknown group_id, also of a deleted group', async () => {
  const { group } = await admin.call(`${operations}/groups/create`, { board_id: boardId, title: 'x' })
  await admin.call(`${operations}/groups/delete`, { id: group.id })
  for (const id of [group.id, 0, -1, 999_999_999, Number.MAX_SAFE_INTEGER])
    assert.deepEqual(await errorsOf({ group_id: id }), { group_id: ['The selected group id is invalid.'] })
})

test("403 in another project's group, and as its viewer; 201 as its member, in that project", async () => {
  const group_id = other.groupIds[0] as number
  const before = await eventsCount()
  const refused = await send('/cards/create', { title: 'x', group_id })
  assert.equal(refused.status, 403)
  assert.deepEqual(refused.body, { error: true, message: 'This action is unauthorized.' })
  const user = await service.addUser({ roles: { [projectId]: 'member', [other.projectId]: 'viewer' } })
  assert.equal((await service.client(user.token).attempt(create, { title: 'x', group_id })).status, 403)
  assert.equal(await eventsCount(), before)
  const both = await service.addUser({ roles: { [projectId]: 'member', [other.projectId]: 'member' } })
  const { card } = await service.client(both.token).call(create, { title: 'x', group_id })
  assert.equal(card.project_id, other.projectId)
})

test('X-Project-Id chooses the project if no group does', async () => {
  const user = await service.addUser({ roles: { [projectId]: 'member', [other.projectId]: 'member' } })
  const at = sender(service, user.token, operations)
  const inOther = await at('/cards/create', { title: 'x' }, { 'x-project-id': String(other.projectId) })
  assert.equal(inOther.body.data.card.group_id, other.groupIds[0])
  const unknown = await at('/cards/create', { title: 'x' }, { 'x-project-id': '999999' })
  assert.equal(unknown.status, 403)
  const none = await at('/cards/create', { title: 'x' }, { 'x-project-id': 'x' })
  assert.deepEqual(none.body.errors, { 'x-project-id': ['The x-project-id field must be an integer.'] })
  const viewer = await service.addUser({ roles: { [projectId]: 'member', [other.projectId]: 'viewer' } })
  const asViewer = sender(service, viewer.token, operations)
  const refused = await asViewer('/cards/create', { title: 'x' }, { 'x-project-id': String(other.projectId) })
  assert.equal(refused.status, 403)
})

test("422 an owner who is no member and another project's tag, both at once, and nothing is made", async () => {
  const { tag } = await other.member.call(`${operations}/tags/create`, { name: 'Theirs' })
  const { tag: gone } = await member.call(`${operations}/tags/create`, { name: 'Gone' })
  await member.call(`${operations}/tags/delete`, { id: gone.id })
  const before = await eventsCount()
  assert.deepEqual(await errorsOf({ owner_id: other.members.owner.id, tag_id: tag.id }), {
    owner_id: ['The selected owner id is invalid.'],
    tag_id: ['The selected tag id is invalid.'],
  })
  for (const owner_id of [0, -1, Number.MAX_SAFE_INTEGER])
    assert.deepEqual(Object.keys((await errorsOf({ owner_id })) ?? {}), ['owner_id'])
  for (const tag_id of [0, -1, Number.MAX_SAFE_INTEGER, gone.id])
    assert.deepEqual(Object.keys((await errorsOf({ tag_id })) ?? {}), ['tag_id'])
  assert.equal(await eventsCount(), before)
})

test('due_date: a date, and date-times with and without offset; 422 if it does not exist', async () => {
  const cases: [string, string][] = [
    ['2030-01-31', '2030-01-31T00:00:00.000Z'],
    ['2030-01-31T08:00:00', '2030-01-31T08:00:00.000Z'],
    ['2030-01-31 08:00', '2030-01-31T08:00:00.000Z'],
    ['2030-01-31T08:00:00.125+05:30', '2030-01-31T02:30:00.125Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
    ['0001-01-01', '0001-01-01T00:00:00.000Z'],
  ]
  for (const [due_date, expected] of cases) {
    const { card } = await member.call(create, { title: 'x', due_date })
    assert.equal(card.due_date, expected)
    assert.equal(card.is_overdue, due_date === '0001-01-01')
    const read = await member.call(`${operations}/cards/get`, { id: card.id })
    assert.equal(read.card.due_date, expected)
  }
  for (const due_date of ['2030-02-30', '2030-01-31T25:00', '10000-01-01', '0000-01-01', 'tomorrow', '1e9'])
    assert.deepEqual(await errorsOf({ due_date }), {
      due_date: ['The due date field must be a valid date.'],
    })
})

test('a closed card is never overdue', async () => {
  for (const status of ['open', 'closed', 'anything']) {
    const { card } = await member.call(create, { title: 'x', due_date: '2020-01-01', status })
    assert.equal(card.is_overdue, status !== 'closed')
  }
})

test('422 lengths count code points: 255 for the title, 50 for the status', async () => {
  const title = '😀'.repeat(255)
  const status = '😀'.repeat(50)
  const { card } = await member.call(create, { title, status })
  assert.equal(card.title, title)
  assert.equal(card.status, status)
  assert.deepEqual(await errorsOf({ title: `${title}x`, status: `${status}x`, priority: 'none' }), {
    title: ['The title field must not be greater than 255 characters.'],
    status: ['The status field must not be greater than 50 characters.'],
    priority: ['The selected priority is invalid.'],
  })
})

test('descriptions are cleaned on write; titles are plain text and stay', async () => {
  const { card } = await member.call(create, {
    title: '<script>alert(1)</script>',
    description: '<p onclick="x()">Hi<script>alert(1)</script> <a href="javascript:x()">there</a></p>',
  })
  assert.equal(card.title, '<script>alert(1)</script>')
  assert.equal(card.description, '<p>Hi <a rel="noopener nofollow">there</a></p>')
})

test('a cleaned description is trimmed, and null if nothing is left', async () => {
  const left = async (description: string) => {
    const { card } = await member.call(create, { title: 'x', description })
    return card.description
  }
  assert.equal(await left('<script>alert(1)</script> <p>Hi</p>'), '<p>Hi</p>')
  assert.equal(await left('<script>alert(1)</script>'), null)
  assert.equal(await left('<div> <!-- nothing --></div> '), null)
})

test('422 for HTML that is too long as sent or as cleaned; plain text has its own limit', async () => {
  const message = ['The description field must not be greater than 64 kilobytes.']
  const html = (length: number) => `<b>${'ä'.repeat(length)}</b>x`
  assert.equal(
    (await member.call(create, { title: 'x', description: html(32_764) })).card.description,
    html(32_764),
  )
  assert.deepEqual(await errorsOf({ description: html(32_765) }), { description: message })
  assert.deepEqual(await errorsOf({ description: `<b>${'&'.repeat(20_000)}</b>` }), { description: message })
  for (const description of ['ä'.repeat(65_535), '&'.repeat(65_535)])
    assert.equal((await member.call(create, { title: 'x', description })).card.description, description)
  assert.deepEqual(await errorsOf({ description: 'ä'.repeat(65_536) }), {
    description: ['The description field must not be greater than 65535 characters.'],
  })
})

test('fields of the card that are not in the input are ignored', async () => {
  const { body } = await send('/cards/create', {
    title: 'x',
    id: 1,
    project_id: other.projectId,
    platform_id: 9,
    created_by: members.owner.id,
    is_master: true,
    is_active: false,
    superadmin: true,
    card_type: 'evil',
    master_card_id: 5,
    tour_key: 'x',
    position: 1,
    deleted_at: '2020-01-01',
    ['__proto__']: { group_id: other.groupIds[0] },
    constructor: { prototype: { status: 'x' } },
  })
  const { card } = body.data
  assert.notEqual(card.id, 1)
  assert.equal(card.project_id, projectId)
  assert.equal(card.platform_id, 1)
  assert.equal(card.created_by, members.member.id)
  assert.equal(card.is_master, false)
  assert.equal(card.is_active, true)
  assert.equal(card.card_type, 'custom')
  assert.equal(card.master_card_id, null)
  assert.equal(card.tour_key, null)
  assert.equal(card.deleted_at, null)
  assert.equal(card.group_id, firstGroup)
  assert.equal(card.status, 'open')
  assert.ok(card.position > 1)
})

test('a superadmin creates in any project', async () => {
  const superadmin = await service.addUser({ superadmin: true })
  const { card } = await service.client(superadmin.token).call(create, { title: 'x', group_id: firstGroup })
  assert.equal(card.project_id, projectId)
  assert.equal(card.created_by, superadmin.id)
})

test('201 the 10,000th card of a list, without reading the others; 422 one more', async () => {
  const { sql } = service.db
  const long = await createBoard(service)
  const [groupId] = long.groupIds as [number]
  await sql`
    insert into cards (project_id, board_id, group_id, title, sort_order)
    select ${long.projectId}, ${long.boardId}, ${groupId}, 'Card', number from generate_series(1, 9997) number`
  await sql`analyze cards`
  // Counts the cards, which were inserted beside the function that counts them one by one.
  await long.member.call(create, { title: 'First', group_id: groupId })
  const reads = await readsOf(service.db, ['cards'], (queries) =>
    queries.run(createStatement, [
      long.projectId,
      groupId,
      long.members.member.id,
      'One more',
      ...Array(5).fill(null),
      false,
      null,
      JSON.stringify(usualQuotas),
    ]),
  )
  // Those beside which other tests have just written.
  assert.ok(reads < 100, `${reads} cards read to add one`)
  const { card } = await long.member.call(create, { title: 'And another', group_id: groupId })
  assert.deepEqual([card.position, card.sort_order], [10_000, 10_000])
  const refused = await long.member.attempt(create, { title: 'Too many', group_id: groupId })
  assert.equal(refused.status, 422)
})
