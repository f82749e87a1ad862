import assert from 'node:assert/strict'
import test from 'node:test'
import { inV1 } from '#tests/in-v1.ts'
import { createMaster, present } from '#tests/master.ts'
import { sender } from '#tests/post.ts'
import { startTestService } from '#tests/service.ts'

const masters = '/services/operations/v1/admin'
const service = await startTestService()
const master = await createMaster(service, { projects: 1, cards: 2 })
const { boardId, superadmin } = master
const send = sender(service, superadmin.token, `${masters}/master-groups`)
const sendV2 = sender(service, superadmin.token, `${masters}/master-groups`.replace('/v1/', '/v2/'))
const missing = [0, -1, 999_999, Number.MAX_SAFE_INTEGER]

const keys = [
  'id',
  'project_id',
  'platform_id',
  'master_group_id',
  'board_id',
  'position',
  'created_by',
  'is_master',
  'is_collapsed',
  'is_active',
  'title',
  'description',
  'type',
  'color',
  'icon',
  'created_at',
  'updated_at',
  'deleted_at',
]

const newGroup = async (title = 'x', board_id = boardId) =>
  (await master.admin.call(`${masters}/master-groups/create`, { board_id, title })).group
/** How often the template has changed. */
async function revisionOf(id = boardId) {
  const [row] = await service.db.sql<{ newest_revision: number }[]>`
    select newest_revision from master_boards where id = ${id}`
  return row?.newest_revision as number
}

test('201 create at the end, with the exact keys of a master row', async () => {
  const { status, body } = await send('/create', { board_id: boardId, title: ' Ship ' })
  assert.equal(status, 201)
  assert.deepEqual(Object.keys(body), ['error', 'message', 'data'])
  assert.deepEqual(Object.keys(body.data), ['group'])
  const { group } = body.data
  assert.deepEqual(Object.keys(group), keys)
  const whole = await master.whole()
  assert.equal(group.position, whole.groups.length)
  const { id, position, created_at, updated_at, ...rest } = group
  assert.equal(created_at, updated_at)
  assert.deepEqual(rest, {
    project_id: null,
    platform_id: whole.platform_id,
    master_group_id: null,
    board_id: boardId,
    created_by: superadmin.id,
    is_master: true,
    is_collapsed: false,
    is_active: true,
    title: 'Ship',
    description: null,
    type: null,
    color: null,
    icon: null,
    deleted_at: null,
  })
  const { cards, ...listed } = present(whole.groups.at(-1))
  assert.deepEqual(inV1(listed), group)
  assert.deepEqual(cards, [])
})

test('201 create with HTML that is cleaned, and null as absent', async () => {
  const { body } = await send('/create', {
    board_id: boardId,
    title: 'x',
    description: '<p style="x">Hi<img src=x onerror=y></p>',
  })
  assert.equal(body.data.group.description, '<p>Hi</p>')
  assert.equal(
    (await send('/create', { board_id: boardId, title: 'x', description: null })).body.data.group.description,
    null,
  )
})

test('404 create in a board that is not there, or is a copy; 422 over the limits', async () => {
  await master.sync()
  const before = await master.whole()
  const copy = await master.copyIn(present(master.projects[0]))
  for (const board_id of [...missing, copy.id]) {
    const { status, body } = await send('/create', { board_id, title: 'x' })
    assert.equal(status, 404)
    assert.deepEqual(body, { error: true, message: 'There is no template with this id.', data: [] })
  }
  const { body } = await send('/create', { board_id: boardId, title: 'x'.repeat(256), description: 5 })
  assert.deepEqual(body, {
    message: 'The title field must not be greater than 255 characters. (and 1 more error)',
    errors: {
      title: ['The title field must not be greater than 255 characters.'],
      description: ['The description field must be a string.'],
    },
  })
  const markup = await send('/create', { board_id: boardId, title: 'x', description: '<b>'.repeat(5001) })
  assert.deepEqual(markup.body.errors, { description: ['The description field has too much markup.'] })
  assert.deepEqual(await master.whole(), before)
})

test('20 groups made at once stand in 20 places', async () => {
  const { board } = await master.admin.call(`${masters}/master-boards/create`, { title: 'x' })
  const made = await Promise.all(
    Array.from({ length: 20 }, (_, index) => newGroup(`Group ${index}`, board.id)),
  )
  const { board: whole } = await master.admin.call(`${masters}/master-boards/get`, { id: board.id })
  assert.deepEqual(
    whole.groups.map(({ position }) => position),
    made.map((_, index) => index + 1),
  )
  assert.equal(await revisionOf(board.id), 21)
})

test('200 update: v1 sends the group as its JSON text, v2 as an object', async () => {
  const { id } = await newGroup()
  const v1 = await send('/update', { id, title: 'One', description: '<b>x</b><script>1</script>' })
  assert.equal(v1.status, 200)
  assert.equal(typeof v1.body.data.group, 'string')
  const group = JSON.parse(v1.body.data.group)
  assert.deepEqual(Object.keys(group), keys)
  assert.deepEqual([group.title, group.description], ['One', '<b>x</b>'])
  const v2 = await sendV2('/update', { id })
  assert.deepEqual(inV1(v2.body.data.group), group)
})

test('200 update: absent is left, null clears the description and leaves the title, the same again is no change', async () => {
  const { id } = await newGroup('Title')
  const update = async (input: object) => (await sendV2('/update', { id, ...input })).body.data.group
  const changed = await update({ description: 'x' })
  assert.deepEqual([changed.title, changed.description], ['Title', 'x'])
  const revision = await revisionOf()
  assert.deepEqual(await update({ title: null, description: 'x' }), changed)
  assert.deepEqual(await update({ title: 'Title' }), changed)
  assert.equal(await revisionOf(), revision)
  assert.equal((await update({ description: null })).description, null)
  assert.equal(await revisionOf(), revision + 1)
})

test('404 and 422 update', async () => {
  const { id } = await newGroup()
  for (const unknown of missing) {
    const { status, body } = await send('/update', { id: unknown, title: 'x' })
    assert.deepEqual([status, body.message, body.data], [404, 'There is no template group with this id.', []])
  }
  assert.deepEqual(Object.keys((await send('/update', { id, title: '' })).body.errors ?? {}), ['title'])
  assert.equal((await send('/update', { id, title: 'x'.repeat(256) })).status, 422)
  assert.equal((await send('/update', { id, description: '<b>'.repeat(5001) })).status, 422)
})

test('200 delete takes its cards along and leaves the copies; 404 a second time', async () => {
  const fixture = await createMaster(service, { projects: 1, cards: 2 })
  await fixture.sync()
  const project = present(fixture.projects[0])
  const copy = await fixture.copyIn(project)
  const [first, second] = fixture.groupIds
  const { status, body } = await send('/delete', { id: first })
  assert.deepEqual(
    { status, body },
    { status: 200, body: { error: false, message: 'The template group was deleted.', data: [] } },
  )
  const whole = await fixture.whole()
  assert.deepEqual(
    whole.groups.map(({ id, position }) => [id, position]),
    [[second, 1]],
  )
  for (const id of fixture.cardIds)
    assert.equal((await fixture.admin.attempt(`${masters}/master-cards/get`, { id })).status, 404)
  await fixture.sync()
  assert.deepEqual(await fixture.copyIn(project), copy)
  for (const id of [first, ...missing]) assert.equal((await send('/delete', { id })).status, 404)
  const refused = await fixture.admin.attempt(`${masters}/master-cards/restore`, {
    id: present(fixture.cardIds[0]),
  })
  assert.deepEqual([refused.status, refused.message], [400, 'The group of this template card was deleted.'])
})

test('of eight deletions at once one does it', async () => {
  const { id } = await newGroup()
  const results = await Promise.all(Array.from({ length: 8 }, () => send('/delete', { id })))
  assert.deepEqual(results.map(({ status }) => status).sort(), [200, ...Array(7).fill(404)])
})

test('type, color, icon and is_collapsed reach projects, except where a project changed them', async () => {
  const template = await createMaster(service, { projects: 2, cards: 1 })
  const looks = { type: 'active', color: 'teal', icon: 'rocket', is_collapsed: true }
  const { group } = await template.admin.call(`${masters}/master-groups/create`, {
    board_id: template.boardId,
    title: 'Ship',
    ...looks,
  })
  assert.deepEqual(lookOf(group), looks)
  await template.sync()
  const [first, second] = template.projects
  const copyIn = async (project: (typeof template.projects)[number] | undefined) => {
    assert.ok(project)
    const { groups } = await template.copyIn(project)
    return groups.find(({ title }) => title === 'Ship') as (typeof groups)[number]
  }
  assert.deepEqual(lookOf(await copyIn(first)), looks)
  await second?.client.call('/services/operations/v1/operations/groups/update', {
    id: (await copyIn(second)).id,
    color: 'pink',
    is_collapsed: false,
  })
  const changed = { type: 'done', color: 'green', icon: 'check', is_collapsed: true }
  const { group: updated } = await template.admin.call(`${masters}/master-groups/update`, {
    id: group.id,
    ...changed,
  })
  assert.deepEqual(lookOf(updated), changed)
  assert.deepEqual(lookOf(await copyIn(first)), looks)
  await template.sync()
  assert.deepEqual(lookOf(await copyIn(first)), changed)
  assert.deepEqual(lookOf(await copyIn(second)), { ...changed, color: 'pink', is_collapsed: false })
  const { board } = await template.admin.call(`${masters}/master-boards/duplicate`, { id: template.boardId })
  assert.deepEqual(lookOf(board.groups.at(-1) as Looks), changed)
  const { board: copied } = await template.admin.call(`${masters}/master-boards/from-board`, {
    board_id: (await template.copyIn(second as NonNullable<typeof second>)).id,
  })
  assert.deepEqual(lookOf(copied.groups.at(-1) as Looks), { ...changed, color: 'pink', is_collapsed: false })
})

interface Looks {
  type: string | null
  color: string | null
  icon: string | null
  is_collapsed: boolean
}

const lookOf = ({ type, color, icon, is_collapsed }: Looks) => ({ type, color, icon, is_collapsed })

test('422 for a type, color or icon that is too long, which changes nothing', async () => {
  const group = await newGroup()
  const revision = await revisionOf()
  for (const [field, most] of [
    ['type', 50],
    ['color', 50],
    ['icon', 100],
  ] as const) {
    const wrong = { [field]: 'x'.repeat(most + 1), title: 'Changed' }
    const { status, body } = await send('/update', { id: group.id, ...wrong })
    assert.equal(status, 422)
    assert.deepEqual(Object.keys(body.errors ?? {}), [field])
    assert.equal((await send('/create', { board_id: boardId, ...wrong })).status, 422)
  }
  assert.equal(await revisionOf(), revision)
})
