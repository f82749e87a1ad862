import assert from 'node:assert/strict'
import test from 'node:test'
import { inV1 } from '#tests/in-v1.ts'
import { createMaster, present } from '#tests/master.ts'
import { sender } from '#tests/post.ts'
import { startTestService } from '#tests/service.ts'

const masters = '/services/operations/v1/admin'
const service = await startTestService()
const { sql } = service.db
const master = await createMaster(service, { projects: 2, cards: 0 })
const { superadmin, groupIds, boardId } = master
const [groupId, otherGroupId] = groupIds
const send = sender(service, superadmin.token, `${masters}/master-cards/create`)
const sendV2 = sender(service, superadmin.token, '/services/operations/v2/admin/master-cards/create')
const missing = [0, -1, 999_999, Number.MAX_SAFE_INTEGER]

const keys = [
  'id',
  'project_id',
  'platform_id',
  'master_card_id',
  'group_id',
  'owner_id',
  'tag_id',
  'created_by',
  'sort_order',
  'position',
  'is_master',
  'is_active',
  'is_overdue',
  'unique_identifier',
  'evaluation_check',
  'tour_key',
  'short_description',
  'title',
  'description',
  'status',
  'priority',
  'due_date',
  'snoozed_until',
  'created_at',
  'updated_at',
  'deleted_at',
]

const countCards = async () => (await sql`select from master_cards`).length

test('201 with what is required alone: the defaults, and the exact keys of a master row', async () => {
  const { status, body } = await send('', { group_id: groupId, title: ' First ' })
  assert.equal(status, 201)
  assert.deepEqual(Object.keys(body), ['error', 'message', 'data'])
  assert.deepEqual([body.error, body.message], [false, 'The template card was created.'])
  assert.deepEqual(Object.keys(body.data), ['card', 'projects_updated'])
  assert.equal(body.data.projects_updated, '0')
  assert.deepEqual(Object.keys(body.data.card), keys)
  const { id, created_at, updated_at, ...rest } = body.data.card
  assert.equal(created_at, updated_at)
  assert.deepEqual(rest, {
    project_id: null,
    platform_id: (await master.whole()).platform_id,
    master_card_id: null,
    group_id: groupId,
    owner_id: null,
    tag_id: null,
    created_by: superadmin.id,
    sort_order: 1,
    position: 1,
    is_master: true,
    is_active: true,
    is_overdue: false,
    unique_identifier: null,
    evaluation_check: null,
    tour_key: null,
    short_description: null,
    title: 'First',
    description: null,
    status: 'open',
    priority: 'normal',
    due_date: null,
    snoozed_until: null,
    deleted_at: null,
  })
  const { card } = await master.admin.call(`${masters}/master-cards/get`, { id })
  assert.deepEqual(inV1(card), body.data.card)
})

test('201 with null in every optional field is the same as without', async () => {
  const names = ['description', 'unique_identifier', 'evaluation_check', 'tour_key', 'short_description']
  const flags = ['status', 'is_active', 'priority', 'push_to_projects']
  const nulls = Object.fromEntries([...names, ...flags].map((name) => [name, null]))
  const [bare, nulled] = [
    await send('', { group_id: otherGroupId, title: 'x' }),
    await send('', { group_id: otherGroupId, title: 'x', ...nulls }),
  ]
  const plain = { id: 0, position: 0, sort_order: 0, created_at: '', updated_at: '' }
  assert.equal(nulled.status, 201)
  assert.deepEqual({ ...nulled.body.data.card, ...plain }, { ...bare.body.data.card, ...plain })
  assert.equal(nulled.body.data.projects_updated, '0')
})

test('201 with everything: kept as sent, the description cleaned, v2 with a number', async () => {
  const input = {
    title: 'T'.repeat(255),
    unique_identifier: 'u'.repeat(100),
    evaluation_check: 'e'.repeat(100),
    tour_key: 't'.repeat(100),
    short_description: 's'.repeat(1000),
    is_active: false,
    priority: 'urgent',
  }
  for (const status of ['open', 'in_progress', 'closed', 'to_check', 'blocked']) {
    const fields = { ...input, status, unique_identifier: `${status}${'u'.repeat(80)}` }
    const description = '<p onclick="x()">Hi <a href="javascript:x">x</a></p><script>1</script>'
    const answer = await sendV2('', { group_id: groupId, description, ...fields })
    assert.equal(answer.status, 201)
    const { card, projects_updated } = answer.body.data
    assert.equal(projects_updated, 0)
    assert.deepEqual({ ...card, ...fields }, card)
    assert.match(card.description, /^<p>Hi <a[^>]*>x<\/a><\/p>$/)
    assert.doesNotMatch(card.description, /javascript|onclick|script/)
  }
})

test('422 for each field over its limit or outside of its words, all at once; nothing is made', async () => {
  const before = await countCards()
  const { status, body } = await send('', {
    group_id: groupId,
    title: 'x'.repeat(256),
    description: 5,
    unique_identifier: 'x'.repeat(101),
    evaluation_check: 'x'.repeat(101),
    tour_key: 'x'.repeat(101),
    short_description: 'x'.repeat(65_536),
    status: 'done',
    is_active: 'yes',
    priority: 'highest',
    push_to_projects: 1,
  })
  assert.equal(status, 422)
  assert.deepEqual(body.errors, {
    title: ['The title field must not be greater than 255 characters.'],
    description: ['The description field must be a string.'],
    unique_identifier: ['The unique identifier field must not be greater than 100 characters.'],
    evaluation_check: ['The evaluation check field must not be greater than 100 characters.'],
    tour_key: ['The tour key field must not be greater than 100 characters.'],
    short_description: ['The short description field must not be greater than 65535 characters.'],
    status: ['The selected status is invalid.'],
    is_active: ['The is active field must be true or false.'],
    priority: ['The selected priority is invalid.'],
    push_to_projects: ['The push to projects field must be true or false.'],
  })
  const markup = await send('', { group_id: groupId, title: 'x', description: '<b>'.repeat(5001) })
  assert.deepEqual(markup.body.errors, { description: ['The description field has too much markup.'] })
  assert.equal(await countCards(), before)
})

test('422 on group_id for a group that is not there, was deleted, or is a copy', async () => {
  const fixture = await createMaster(service, { projects: 1 })
  await fixture.sync()
  const copy = await fixture.copyIn(present(fixture.projects[0]))
  await fixture.admin.call(`${masters}/master-groups/delete`, { id: fixture.groupIds[1] })
  for (const group_id of [...missing, fixture.groupIds[1], present(copy.groups[0]).id]) {
    const { status, body } = await send('', { group_id, title: 'x', push_to_projects: true })
    assert.equal(status, 422)
    assert.deepEqual(body, {
      message: 'The selected group id is invalid.',
      errors: { group_id: ['The selected group id is invalid.'] },
    })
  }
})

test('cards come to the end of their group', async () => {
  const { group } = await master.admin.call(`${masters}/master-groups/create`, {
    board_id: boardId,
    title: 'x',
  })
  const cards = []
  for (let number = 1; number <= 3; number++)
    cards.push((await send('', { group_id: group.id, title: `${number}` })).body.data.card)
  assert.deepEqual(
    cards.map(({ position, sort_order }) => [position, sort_order]),
    [
      [1, 1],
      [2, 2],
      [3, 3],
    ],
  )
})

test('422 for a unique_identifier that another live master card has; a deleted one gives it back', async () => {
  const input = { group_id: groupId, title: 'x', unique_identifier: 'launch' }
  const first = await send('', input)
  assert.equal(first.status, 201)
  const before = await master.whole()
  for (const push_to_projects of [false, true]) {
    const { status, body } = await send('', { ...input, group_id: otherGroupId, push_to_projects })
    assert.equal(status, 422)
    assert.deepEqual(body, {
      message: 'The unique identifier has already been taken.',
      errors: { unique_identifier: ['The unique identifier has already been taken.'] },
    })
  }
  assert.deepEqual(await master.whole(), before)
  await master.admin.call(`${masters}/master-cards/delete`, { id: first.body.data.card.id })
  assert.equal((await send('', input)).status, 201)
})

test('500 rather than blaming the unique_identifier where another unique index refuses the card', async () => {
  await sql`create unique index one_of_a_kind on master_cards (short_description) where short_description = 'one' and deleted_at is null`
  const input = { group_id: groupId, title: 'x', short_description: 'one' }
  const first = await send('', input)
  assert.equal(first.status, 201)
  const second = await send('', input)
  assert.equal(second.status, 500)
  const other = await send('', { ...input, short_description: null })
  const update = sender(service, superadmin.token, `${masters}/master-cards/update`)
  const id = other.body.data.card.id
  assert.equal((await update('', { id, short_description: 'one' })).status, 500)
  await master.admin.call(`${masters}/master-cards/delete`, { id: first.body.data.card.id })
  assert.equal((await update('', { id, short_description: 'one' })).status, 200)
  const restore = sender(service, superadmin.token, `${masters}/master-cards/restore`)
  assert.equal((await restore('', { id: first.body.data.card.id })).status, 500)
  await sql`drop index one_of_a_kind`
})

test('of 20 that ask for one unique_identifier at once, one gets it', async () => {
  const [one, other] = [master, await createMaster(service, { projects: 0 })]
  const results = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      send('', {
        group_id: (index % 2 ? one : other).groupIds[0],
        title: 'x',
        unique_identifier: 'raced',
        push_to_projects: index % 3 === 0,
      }),
    ),
  )
  assert.deepEqual(results.map(({ status }) => status).sort(), [201, ...Array(19).fill(422)])
  assert.equal((await sql`select from master_cards where unique_identifier = 'raced'`).length, 1)
})

test('201 with push_to_projects: every project has it, projects_updated in decimal text', async () => {
  const { status, body } = await send('', {
    group_id: otherGroupId,
    title: 'Pushed',
    status: 'to_check',
    priority: 'high',
    push_to_projects: true,
  })
  assert.equal(status, 201)
  assert.equal(body.data.projects_updated, '2')
  for (const project of master.projects) {
    const copy = present(await project.cardOf(body.data.card.id))
    const { title, status: state, priority, is_master, project_id, created_by, is_active } = copy
    assert.deepEqual(
      { title, state, priority, is_master, project_id, created_by, is_active },
      {
        title: 'Pushed',
        state: 'to_check',
        priority: 'high',
        is_master: false,
        project_id: project.id,
        created_by: null,
        is_active: true,
      },
    )
  }
})

test('201 with push_to_projects and is_active false, or in an inactive board: made, and pushed nowhere', async () => {
  const fixture = await createMaster(service, { projects: 1 })
  const { boardId: id, groupIds: ids } = fixture
  const create = async (is_active: boolean) => {
    const { status, body } = await send('', {
      group_id: ids[0],
      title: 'x',
      is_active,
      push_to_projects: true,
    })
    return [status, body.data.projects_updated]
  }
  assert.deepEqual(await create(false), [201, '0'])
  await fixture.admin.call(`${masters}/master-boards/update`, { id, is_active: false })
  assert.deepEqual(await create(true), [201, '0'])
  assert.equal((await fixture.whole()).groups[0]?.cards.length, 4)
  assert.equal(await present(fixture.projects[0]).findBoard(id), undefined)
})
