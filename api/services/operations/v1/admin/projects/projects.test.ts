import assert from 'node:assert/strict'
import test from 'node:test'
import type { Registry } from '#api/registry.ts'
import type { Calls } from '#contract/client.ts'
import { countProjects } from '#fleet/counting.ts'
import { findMany } from '#fleet/listing.ts'
import { addPlatform } from '#projects/platform.ts'
import { post } from '#tests/post.ts'
import { eventually } from '#tests/process.ts'
import { startTestService } from '#tests/service.ts'

const service = await startTestService()
const { sql } = service.db
const admin = '/services/operations/v1/admin'
const base = '/services/operations/v1/admin/projects'
const area = '/services/operations/v1/operations'
const superadmin = await service.addUser({ superadmin: true })
const client = service.client(superadmin.token)

const count = (...ids: number[]) => service.db.transaction((queries) => countProjects(queries, ids))

async function addProject(name: string, toolKeys: string[] = []) {
  const id = await service.addProject(name, toolKeys)
  await count(id)
  return id
}

type Filter = Calls<Registry>[`${typeof base}/list`]['input']

const namesOf = async (input: Filter) =>
  (await client.call(`${base}/list`, input)).projects.map(({ name }) => name)

test('200 a new project is in the list at once, with its products, labels and templates', async () => {
  const tool = 'created'
  await service.addProject('Has the product', [tool])
  const { board } = await client.call('/services/operations/v1/admin/master-boards/create', {
    title: 'Launch',
    tool_key: tool,
  })
  const { group } = await client.call('/services/operations/v1/admin/master-groups/create', {
    board_id: board.id,
    title: 'Before',
  })
  const { card } = await client.call('/services/operations/v1/admin/master-cards/create', {
    group_id: group.id,
    title: 'First',
    push_to_projects: true,
  })
  // Both are only in the draft, which no project receives.
  await client.call('/services/operations/v1/admin/master-cards/delete', { id: card.id })
  await client.call('/services/operations/v1/admin/master-boards/update', { id: board.id, title: 'Start' })
  const { templates } = await client.call(`${base}/preview`, { tool_keys: [tool] })
  assert.deepEqual(templates, [
    { id: board.id, title: 'Launch', tool_key: tool, cards_count: 1, is_update: false },
  ])
  assert.deepEqual((await client.call(`${base}/preview`, {})).templates, [])
  const input = { name: 'Made here', tool_keys: [tool, tool], labels: [' Pilot ', 'pilot', 'Retail'] }
  const { project } = await client.call(`${base}/create`, input)
  assert.deepEqual(
    [
      project.name,
      project.tool_keys,
      project.labels,
      project.cards_count,
      project.done_count,
      project.members_count,
    ],
    ['Made here', [tool], ['pilot', 'retail'], 1, 0, 0],
  )
  assert.deepEqual(project.templates, [
    { id: board.id, title: 'Launch', version: 1, cards_count: 1, done_count: 0 },
  ])
  assert.deepEqual(await namesOf({ query: 'made HERE' }), ['Made here'])
  assert.deepEqual((await client.call(`${base}/get`, { id: project.id })).project, project)
  const { entries } = await client.call('/services/identity/v1/audit/list', { kind: 'project.created' })
  assert.deepEqual(
    entries.map(({ actor_id, details }) => [actor_id, details]),
    [[superadmin.id, { name: 'Made here' }]],
  )
})

test('422 a key that no product could have; 404 and 403 for projects that are not there or not theirs', async () => {
  for (const operation of ['create', 'preview']) {
    const { status, headers } = await post(service, `${base}/${operation}`, superadmin.token, {
      name: 'X',
      tool_keys: ['Not a key'],
    })
    assert.deepEqual([status, headers.get('x-error-code')], [422, 'tool_keys_not_a_key'])
  }
  for (const [operation, input] of [
    ['projects/create', { name: 'X', tool_keys: ['website', 'websit'] }],
    ['projects/preview', { tool_keys: ['websit'] }],
    ['projects/add-product', { id: await addProject('No typo'), tool_key: 'websit' }],
    ['master-boards/create', { title: 'X', tool_key: 'websit' }],
  ] as const) {
    const answer = await post(service, `${admin}/${operation}`, superadmin.token, input)
    assert.deepEqual(
      [answer.status, answer.body.message],
      [422, 'There is no product with the key websit.'],
      operation,
    )
  }
  const noProject = await post(service, `${base}/preview`, superadmin.token, { project_id: 99_999 })
  assert.deepEqual([noProject.status, noProject.headers.get('x-error-code')], [422, 'project_id_not_found'])
  assert.equal((await post(service, `${base}/get`, superadmin.token, { id: 99_999 })).status, 404)
  const platformId = (await addPlatform(service.db, 'Other')) as number
  const stranger = await service.addUser({ superadmin: true, platformId })
  const own = await service.addProject('Theirs', [], platformId)
  await count(own)
  const foreign = await addProject('Not theirs')
  const theirs = service.client(stranger.token)
  assert.deepEqual(
    (await theirs.call(`${base}/list`, {})).projects.map(({ name }) => name),
    ['Theirs'],
  )
  for (const [operation, input] of [
    ['get', { id: foreign }],
    ['list-customized', { id: foreign }],
    ['list-rollouts', { id: foreign }],
    ['label', { ids: [own, foreign], add: ['x'] }],
    ['add-product', { id: foreign, tool_key: 'website' }],
    ['open-as-support', { id: foreign, reason: 'x' }],
  ] as const)
    assert.equal((await post(service, `${base}/${operation}`, stranger.token, input)).status, 403)
})

test('200 a project that gains a product receives what the preview says, and the audit log says it', async () => {
  const tool = 'gained'
  const [id, other] = [await addProject('Gains'), await addProject('Has it', [tool])]
  const addTemplate = async (title: string, toolKey: string | null) => {
    const wanted = { title, tool_key: toolKey, platform_id: 1 }
    const { board } = await client.call(`${admin}/master-boards/create`, wanted)
    const { group } = await client.call(`${admin}/master-groups/create`, { board_id: board.id, title: 'Now' })
    const addCard = () => client.call(`${admin}/master-cards/create`, { group_id: group.id, title: 'One' })
    await addCard()
    await client.call(`${admin}/master-boards/sync`, { board_id: board.id })
    return { id: board.id, addCard }
  }
  const gained = await addTemplate('Gained', tool)
  const forAll = await addTemplate('For all', null)
  await forAll.addCard()
  await client.call(`${admin}/master-boards/publish`, { id: forAll.id })
  const previewOf = async (projectId: number) =>
    (
      await client.call(`${base}/preview`, { tool_keys: [tool], project_id: projectId, platform_id: 1 })
    ).templates.map(({ id: template, is_update }) => [template, is_update])
  assert.deepEqual(await previewOf(id), [
    [gained.id, false],
    [forAll.id, true],
  ])
  assert.deepEqual(await previewOf(other), [[forAll.id, true]])
  const { project } = await client.call(`${base}/add-product`, { id, tool_key: tool })
  assert.deepEqual(
    [project.tool_keys, project.templates.map(({ id: template, version }) => [template, version])],
    [
      [tool],
      [
        [gained.id, 1],
        [forAll.id, 2],
      ],
    ],
  )
  assert.deepEqual(await previewOf(id), [])
  assert.deepEqual((await client.call(`${base}/get`, { id })).project, project)
  const recorded = async () => {
    const { entries } = await client.call('/services/identity/v1/audit/list', {
      kind: 'project.product_added',
    })
    return entries.map(({ actor_id, details }) => [actor_id, details])
  }
  const added = [[superadmin.id, { product: tool }]]
  assert.deepEqual(await recorded(), added)
  const [board] = await sql<{ id: number }[]>`
    select id from boards where project_id = ${other} and master_board_id = ${forAll.id}`
  await client.call(`${area}/boards/delete`, { id: board?.id as number })
  assert.deepEqual(await previewOf(other), [], 'it deleted the board')
  await client.call(`${base}/archive`, { id: other })
  const archived = await post(service, `${base}/add-product`, superadmin.token, {
    id: other,
    tool_key: 'shop',
  })
  assert.deepEqual([archived.status, archived.headers.get('x-error-code')], [403, 'project_archived'])
  assert.deepEqual((await client.call(`${base}/get`, { id: other })).project.tool_keys, [tool])
  // A project that has the product stays as it is, also if it is behind.
  await gained.addCard()
  await client.call(`${admin}/master-boards/publish`, { id: gained.id })
  const again = await client.call(`${base}/add-product`, { id, tool_key: tool })
  assert.deepEqual(
    again.project.templates.map(({ version }) => version),
    [1, 2],
  )
  assert.deepEqual(await recorded(), added)
  await client.call(`${admin}/master-boards/delete`, { id: forAll.id })
})

test('422 for labels of several lines, and with control characters', async () => {
  const id = await addProject('One line')
  for (const label of ['two\nlines', 'a\ttab', 'next\u0085line', 'line\u2028separator', 'deleted\u007fsign'])
    for (const [operation, input, code] of [
      ['label', { ids: [id], add: ['good', label] }, 'add_not_one_line'],
      ['create', { name: 'X', labels: ['good', label] }, 'labels_not_one_line'],
    ] as const) {
      const { status, headers } = await post(service, `${base}/${operation}`, superadmin.token, input)
      assert.deepEqual([status, headers.get('x-error-code')], [422, code], JSON.stringify(label))
    }
  assert.deepEqual((await client.call(`${base}/get`, { id })).project.labels, [])
})

test('200 labels are given and taken in bulk, found, counted, and at most 20', async () => {
  const ids = [await addProject('Label A'), await service.addProject('Label B')]
  await client.call(`${base}/label`, { ids, add: ['Gold', 'north'] })
  await client.call(`${base}/label`, { ids: [ids[0] as number], add: ['gold'], remove: ['NORTH'] })
  assert.deepEqual(await namesOf({ label: 'Gold' }), ['Label A', 'Label B'])
  assert.deepEqual(await namesOf({ label: 'north' }), ['Label B'])
  assert.deepEqual(await namesOf({ query: 'nort' }), ['Label B'])
  const { labels } = await client.call('/services/operations/v1/admin/labels/list')
  assert.equal(labels.find(({ label }) => label === 'gold')?.projects_count, 2)
  const twenty = Array.from({ length: 20 }, (_, index) => `label ${index}`)
  const full = await post(service, `${base}/label`, superadmin.token, { ids, add: twenty })
  assert.deepEqual([full.status, full.headers.get('x-error-code')], [400, 'too_many_labels'])
  await client.call(`${base}/label`, { ids, add: twenty, remove: ['gold', 'north'] })
  assert.equal((await client.call(`${base}/list`, { label: 'label 19' })).count, 2)
  const repeated = await post(service, `${base}/label`, superadmin.token, { ids: [ids[0], ids[0]] })
  assert.equal(repeated.status, 422)
})

test('200 counting again keeps labels that were given meanwhile', async () => {
  const id = await addProject('Kept label')
  await client.call(`${base}/label`, { ids: [id], add: ['kept'] })
  await count(id)
  assert.deepEqual(await namesOf({ label: 'kept' }), ['Kept label'])
  assert.deepEqual(await namesOf({ query: 'kept' }), ['Kept label'])
})

test('200 projects are found by id, by the address of a member and by its domain', async () => {
  const id = await addProject('Found by people')
  const user = await service.addUser({ roles: { [id]: 'member' } })
  await sql`update users set email = 'Maria_Muster@found.test' where id = ${user.id}`
  await count(id)
  for (const query of [String(id), 'maria_m', 'MARIA_MUSTER@found.test', '@found', '@FOUND.test'])
    assert.ok((await namesOf({ query })).includes('Found by people'), query)
  for (const query of ['muster', 'found.test', '@muster', 'mariaXm', '%', `${id}0`])
    assert.ok(!(await namesOf({ query })).includes('Found by people'), query)
})

test('200 pages continue in every order, forward and back, without gaps or repeats', async () => {
  const ids: number[] = []
  for (const name of ['beta', 'Alpha', 'gamma', 'alpha', 'Delta'])
    ids.push(await addProject(`Sorted ${name}`))
  for (const [index, id] of ids.entries())
    await sql`
      update project_figures set created_at = now() - ${index % 2} * interval '1 day', cards = 4, done = ${index % 3},
        active_at = now() + ${(index * 3) % 5} * interval '1 hour' where project_id = ${id}`
  for (const sort of ['name', 'created', 'activity', 'progress'] as const)
    for (const is_descending of [false, true]) {
      const all = await client.call(`${base}/list`, { query: 'sorted ', sort, is_descending })
      assert.equal(all.count, 5)
      const paged = []
      let cursor: string | null = null
      do {
        const page: typeof all = await client.call(`${base}/list`, {
          query: 'sorted ',
          sort,
          is_descending,
          limit: 2,
          cursor,
        })
        paged.push(...page.projects)
        cursor = page.next_cursor
      } while (cursor !== null)
      assert.deepEqual(paged, all.projects, sort)
      const ordered = is_descending ? all.projects.toReversed() : all.projects
      const keys = ordered.map(({ name, created_at, active_at, done_count, id }) => {
        const key = {
          name: name.toLowerCase(),
          created: created_at,
          activity: active_at as string,
          progress: done_count,
        }[sort]
        return [key, id] as const
      })
      const sorted = keys.toSorted(([a, first], [b, second]) => (a < b ? -1 : a > b ? 1 : first - second))
      assert.deepEqual(keys, sorted, `${sort} ${is_descending}`)
    }
  const bad = await post(service, `${base}/list`, superadmin.token, { cursor: '99999999' })
  assert.deepEqual([bad.status, bad.headers.get('x-error-code')], [422, 'cursor_not_valid'])
})

test('200 filters by product, plan, subscription, theme, dates and deletion', async () => {
  const id = await addProject('Filtered', ['filtered-shop'])
  await sql`
    insert into subscriptions (project_id, product, plan, period, status, trial_ends_at, current_period_ends_at)
    values (${id}, 'filtered-shop', 'gold', 'month', 'active', now() - interval '9 days', now() + interval '9 days')`
  await count(id)
  const matching = [
    { tool_key: 'filtered-shop' },
    { plan: 'gold' },
    { plan: 'gold', subscription_status: 'active' },
    { query: 'filtered', created_from: new Date(Date.now() - 60_000).toISOString() },
    { query: 'filtered', active_from: new Date(Date.now() - 60_000).toISOString() },
  ] as const
  for (const filter of matching) assert.deepEqual(await namesOf(filter), ['Filtered'], JSON.stringify(filter))
  const others = [
    { plan: 'gold', subscription_status: 'trialing' },
    { query: 'filtered', created_until: new Date(Date.now() - 60_000).toISOString() },
    { query: 'filtered', active_until: new Date(Date.now() - 60_000).toISOString() },
    { query: 'filtered', version_id: 1 },
    { query: 'filtered', is_deleted: true },
  ] as const
  for (const filter of others) assert.deepEqual(await namesOf(filter), [], JSON.stringify(filter))
  await sql`update projects set deleted_at = now() where id = ${id}`
  await count(id)
  assert.deepEqual(await namesOf({ query: 'filtered', is_deleted: true }), ['Filtered'])
  assert.deepEqual(await namesOf({ plan: 'gold' }), [])
})

test('a trial that has ended is shown as expired, and one that ends soon is counted again then', async () => {
  const id = await addProject('Ending')
  await sql`
    insert into subscriptions (project_id, product, status, trial_ends_at)
    values (${id}, 'ending', 'trialing', now() + interval '1 hour')`
  await count(id)
  const [before] = await sql<{ is_soon: boolean }[]>`
    select stale_at < now() + interval '61 minutes' as is_soon from project_figures where project_id = ${id}`
  assert.equal(before?.is_soon, true)
  await sql`update subscriptions set trial_ends_at = now() - interval '1 minute' where project_id = ${id}`
  await count(id)
  const { project } = await client.call(`${base}/get`, { id })
  assert.equal(project.subscriptions[0]?.status, 'expired')
})

test('the figures follow what members do, and not what superadmins do', async () => {
  const id = await service.addProject('Followed')
  const member = await service.addUser({ roles: { [id]: 'admin' } })
  const theirs = service.client(member.token, { 'x-project-id': String(id) })
  const operators = service.client(superadmin.token, { 'x-project-id': String(id) })
  await sql`update projects set created_at = now() - interval '9 days' where id = ${id}`
  const activity = async () => (await client.call(`${base}/get`, { id })).project.active_at
  await operators.call(`${area}/boards/create`, { title: 'By the operator' })
  await eventually(async () => {
    const { project } = await client.call(`${base}/get`, { id })
    assert.ok(project.created_at < new Date(Date.now() - 8 * 86_400_000).toISOString())
    assert.equal(project.active_at, null)
  })
  await theirs.call(`${area}/boards/create`, { title: 'By a member' })
  await eventually(
    async () => assert.ok(((await activity()) ?? '') > new Date(Date.now() - 60_000).toISOString()),
    20_000,
  )
})

test('200 customized cards are listed with both values, a page at a time', async () => {
  const tool = 'customized'
  const id = await service.addProject('Own ways', [tool])
  const { board } = await client.call(`${admin}/master-boards/create`, {
    platform_id: 1,
    title: 'Plan',
    tool_key: tool,
  })
  const { group } = await client.call(`${admin}/master-groups/create`, { board_id: board.id, title: 'Now' })
  for (const title of ['One', 'Two', 'Three'])
    await client.call(`${admin}/master-cards/create`, { group_id: group.id, title, description: 'As given' })
  await client.call(`${admin}/master-boards/sync`, { board_id: board.id })
  const cards = await sql<{ id: number }[]>`select id from cards where project_id = ${id} order by id`
  const [first, second] = cards as unknown as [{ id: number }, { id: number }]
  await client.call(`${area}/cards/update`, { id: first.id, title: 'Uno', description: 'x'.repeat(400) })
  await client.call(`${area}/cards/update`, { id: second.id, is_active: false })
  const page = await client.call(`${base}/list-customized`, { id, limit: 1 })
  assert.deepEqual(
    page.cards.map(({ id: cardId, title, board_title, fields }) => [cardId, title, board_title, fields]),
    [
      [
        first.id,
        'Uno',
        'Plan',
        [
          { field: 'title', value: 'Uno', template_value: 'One' },
          { field: 'description', value: `${'x'.repeat(300)}…`, template_value: 'As given' },
        ],
      ],
    ],
  )
  const rest = await client.call(`${base}/list-customized`, { id, cursor: page.next_cursor })
  assert.deepEqual(
    rest.cards.map(({ id: cardId, fields }) => [cardId, fields]),
    [[second.id, [{ field: 'is_active', value: null, template_value: null }]]],
  )
  assert.equal(rest.next_cursor, null)
  for (const operation of ['list-customized', 'list-rollouts']) {
    const bad = await post(service, `${base}/${operation}`, superadmin.token, { id, cursor: 'x' })
    assert.equal(bad.status, 422)
  }
  // Neither a later version nor the project itself renames what was rolled out before.
  await client.call(`${admin}/master-boards/update`, { id: board.id, title: 'Plan 2' })
  await client.call(`${admin}/master-boards/sync`, { board_id: board.id })
  const [copy] = await sql<{ id: number }[]>`select id from boards where project_id = ${id}`
  await client.call(`${area}/boards/update`, { id: copy?.id as number, title: 'Ours' })
  const reached = async (projectId: number) =>
    (await client.call(`${base}/list-rollouts`, { id: projectId })).rollouts.map(
      ({ kind, board_title, version, added_count }) => [kind, board_title, version, added_count],
    )
  assert.deepEqual(await reached(id), [
    ['board', 'Plan 2', 2, 0],
    ['board', 'Plan', 1, 3],
  ])
  const { project } = await client.call(`${base}/create`, {
    platform_id: 1,
    name: 'New',
    tool_keys: [tool],
  })
  await client.call(`${admin}/master-boards/update`, { id: board.id, title: 'Plan 3' })
  await client.call(`${admin}/master-boards/sync`, { board_id: board.id })
  assert.deepEqual(await reached(project.id), [
    ['board', 'Plan 3', 3, 0],
    ['board', 'Plan 2', 2, 3],
  ])
})

test('200 opening a project as support is in its audit log, with the reason', async () => {
  const id = await addProject('Helped')
  const owner = await service.addUser({ roles: { [id]: 'owner' } })
  await client.call(`${base}/open-as-support`, { id, reason: 'Ticket 1' })
  await client.call(`${base}/open-as-support`, { id, reason: 'Ticket 1', with_changes: true })
  const theirs = service.client(owner.token, { 'x-project-id': String(id) })
  const { entries } = await theirs.call('/services/identity/v1/audit/list')
  assert.deepEqual(
    entries.map(({ kind, actor_id, details }) => [kind, actor_id, details]),
    ['support.changes_allowed', 'support.opened'].map((kind) => [
      kind,
      superadmin.id,
      { reason: 'Ticket 1' },
    ]),
  )
  const empty = await post(service, `${base}/open-as-support`, superadmin.token, { id, reason: ' ' })
  assert.equal(empty.status, 422)
})

test('403 a visit for reading holds for its session alone, leaves what viewers may do, and ends when the project is left', async () => {
  const id = await addProject('Looked at')
  const owner = await service.addUser({ roles: { [id]: 'owner' } })
  const theirs = service.client(owner.token, { 'x-project-id': String(id) })
  const area = '/services/operations/v1/operations'
  const { board } = await theirs.call(`${area}/boards/create`, { title: 'Kitchen' })
  const helper = await service.addUser({ superadmin: true })
  const here = { 'x-project-id': String(id) }
  const rename = async (token: string) => {
    const input = { id: board.id, title: 'Clean kitchen' }
    const { status, headers } = await post(service, `${area}/boards/update`, token, input)
    return [status, headers.get('x-error-code')]
  }
  const readOnly = [403, 'support_read_only']
  const visitOf = async () => {
    const { current_project } = await service
      .client(helper.token, here)
      .call('/services/identity/v1/users/me')
    return (
      current_project?.support_visit && [
        current_project.support_visit.reason,
        current_project.support_visit.may_change,
      ]
    )
  }
  assert.deepEqual([await visitOf(), await rename(helper.token)], [null, [200, null]])
  const visitor = service.client(helper.token, here)
  await visitor.call(`${base}/open-as-support`, { id, reason: 'Ticket 2' })
  assert.deepEqual([await visitOf(), await rename(helper.token)], [['Ticket 2', false], readOnly])
  assert.deepEqual(await rename(superadmin.token), [200, null])
  const view = { board_id: board.id, name: 'Mine', parameters: 'q=x' }
  const shared = await post(service, `${area}/views/create`, helper.token, { ...view, is_shared: true })
  assert.deepEqual([shared.status, shared.headers.get('x-error-code')], [403, 'only_own_views'])
  await visitor.call(`${base}/label`, { ids: [id], add: ['visited'] })
  await visitor.call(`${base}/leave-support`, { id })
  assert.deepEqual([await visitOf(), await rename(helper.token)], [null, [200, null]])
  await visitor.call(`${base}/open-as-support`, { id, reason: 'Ticket 2' })
  await service.db.sql`update support_visits set ends_at = now() where project_id = ${id}`
  assert.deepEqual([await visitOf(), await rename(helper.token)], [null, [200, null]])
})

test('200 a search that finds more than 1,000 projects is counted, and its pages continue', async () => {
  const made = await sql<{ id: number }[]>`
    insert into projects (platform_id, name)
    select min(platforms.id), 'Crowd ' || lpad(number::text, 4, '0') from platforms, generate_series(1, 1100) number group by number
    returning id`
  await count(...made.map(({ id }) => id))
  const list = (is_descending: boolean, cursor: string | null = null) =>
    client.call(`${base}/list`, { query: 'crowd', is_descending, limit: 2, cursor })
  for (const [is_descending, expected] of [
    [false, ['0001', '0002', '0003', '0004']],
    [true, ['1100', '1099', '1098', '1097']],
  ] as const) {
    const first = await list(is_descending)
    assert.equal(first.count, 1100)
    const next = await list(is_descending, first.next_cursor)
    assert.deepEqual(
      [...first.projects, ...next.projects].map(({ name }) => name),
      expected.map((number) => `Crowd ${number}`),
    )
    // Of a larger fleet they may not be among the first that are looked through.
    const fleet = { platformId: null, isDeleted: false, isArchived: false }
    const order = { by: 'name' as const, isDescending: is_descending }
    const found = (lookedThrough?: number) =>
      findMany(service.db, fleet, { query: 'crowd' }, order, 2, lookedThrough)
    assert.deepEqual(await found(1), { ids: first.projects.map(({ id }) => id), count: 1100 })
    assert.deepEqual(await found(), await found(1))
  }
})
