import assert from 'node:assert/strict'
import test from 'node:test'
import { createProject } from '#projects/creating.ts'
import { addTool } from '#projects/tools.ts'
import { createMaster, type MasterFixture, present } from '#tests/master.ts'
import { sender } from '#tests/post.ts'
import { startTestService } from '#tests/service.ts'

const masters = '/services/operations/v1/admin'
const service = await startTestService()
const nameOf = ({ superadmin: { email } }: MasterFixture) => email.replace(/^user(\d+)@.*/, 'User $1')
const { sql } = service.db
const superadmin = await service.addUser({ superadmin: true })
const send = sender(service, superadmin.token, `${masters}/master-boards`)

const change = ({ admin, cardIds }: MasterFixture, input: object) =>
  admin.call(`${masters}/master-cards/update`, { id: present(cardIds[0]), ...input })
const versionsOf = async ({ admin, boardId }: MasterFixture) =>
  (await admin.call(`${masters}/master-boards/versions/list`, { board_id: boardId })).versions
const differences = async ({ admin, boardId }: MasterFixture, from: number, to: number | null = null) =>
  (await admin.call(`${masters}/master-boards/versions/compare`, { board_id: boardId, from, to })).differences
const state = async (master: MasterFixture) => {
  const { version, has_draft_changes: hasDraft } = await master.whole()
  return [version, hasDraft]
}

/** The titles that a new project with the product of the template receives, by group. */
async function titlesInNewProject(master: MasterFixture) {
  const id = await createProject(service.db, null, {
    name: 'New',
    toolKeys: [master.toolKey],
    platformId: master.platformId,
  })
  const groups = await sql<{ title: string; cards: string[] }[]>`
    select g.title, to_json(array(select c.title from cards c where c.project_id = ${id} and c.group_id = g.id order by c.rank)) as cards
    from boards b join groups g on g.project_id = ${id} and g.board_id = b.id
    where b.project_id = ${id} and b.master_board_id = ${master.boardId} order by g.rank`
  return groups.map(({ title, cards }) => [title, ...cards])
}

test('201 publish: numbered from 1, with author, time and note; 400 without changes', async () => {
  const master = await createMaster(service)
  assert.deepEqual(await state(master), [0, true])
  const { version } = await master.publish('First steps')
  assert.deepEqual(
    [version.number, version.note, version.created_by, version.created_by_name],
    [1, 'First steps', master.superadmin.id, nameOf(master)],
  )
  assert.deepEqual(await state(master), [1, false])
  const again = await send('/publish', { id: master.boardId })
  assert.deepEqual([again.status, again.body.message], [400, 'This template has no draft changes.'])
  await change(master, { title: 'Other' })
  assert.deepEqual(await state(master), [1, true])
  // A change that is taken back is none.
  await change(master, { title: 'Card 1' })
  assert.deepEqual(await state(master), [1, false])
  assert.equal((await send('/publish', { id: master.boardId })).status, 400)
  await change(master, { title: 'Other' })
  assert.equal((await master.publish()).version.note, '')
  assert.deepEqual(
    (await versionsOf(master)).map(({ number, note }) => [number, note]),
    [
      [2, ''],
      [1, 'First steps'],
    ],
  )
  assert.equal((await send('/publish', { id: 999_999 })).status, 404)
})

test('versions come in pages, newest first', async () => {
  const master = await createMaster(service)
  for (const title of ['A', 'B', 'C']) {
    await change(master, { title })
    await master.publish()
  }
  const { admin, boardId: board_id } = master
  const first = await admin.call(`${masters}/master-boards/versions/list`, { board_id, limit: 2 })
  assert.deepEqual(
    first.versions.map(({ number }) => number),
    [3, 2],
  )
  const rest = await admin.call(`${masters}/master-boards/versions/list`, {
    board_id,
    cursor: first.next_cursor,
  })
  assert.deepEqual([rest.versions.map(({ number }) => number), rest.next_cursor], [[1], null])
  assert.equal((await send('/versions/list', { board_id, cursor: 'x' })).status, 422)
  assert.equal((await send('/versions/list', { board_id: 999_999 })).status, 404)
})

test('new projects and those that gain the product receive the newest version, never the draft', async () => {
  const master = await createMaster(service, { projects: 0 })
  assert.deepEqual(await titlesInNewProject(master), [])
  await master.publish()
  const published = [['Plan', 'Card 1', 'Card 2'], ['Build']]
  assert.deepEqual(await titlesInNewProject(master), published)
  await change(master, { title: 'Draft' })
  await master.addCard({ title: 'Draft' })
  await master.admin.call(`${masters}/master-cards/delete`, { id: present(master.cardIds[1]) })
  await master.admin.call(`${masters}/master-groups/update`, { id: master.groupIds[0], title: 'Draft' })
  await master.admin.call(`${masters}/master-groups/delete`, { id: master.groupIds[1] })
  assert.deepEqual(await titlesInNewProject(master), published)
  const gaining = await service.addProject('Gaining')
  await addTool(service.db, gaining, master.toolKey)
  const titles = await sql<{ title: string }[]>`
    select title from cards where project_id = ${gaining} order by rank`
  assert.deepEqual(
    titles.map(({ title }) => title),
    ['Card 1', 'Card 2'],
  )
  await master.publish()
  assert.deepEqual(await titlesInNewProject(master), [['Draft', 'Draft', 'Draft']])
})

test('sync publishes the template as it is; push and push_to_projects publish one card, and the rest stays a draft', async () => {
  const master = await createMaster(service, { cards: 3 })
  const [first, second] = master.cardIds as [number, number]
  await master.sync()
  assert.deepEqual(await state(master), [1, false])
  await master.sync()
  assert.deepEqual(await state(master), [1, false])
  await change(master, { title: 'Pushed' })
  await master.admin.call(`${masters}/master-cards/update`, { id: second, title: 'Draft' })
  await master.push(first)
  assert.deepEqual(await state(master), [2, true])
  const { group } = await master.admin.call(`${masters}/master-groups/create`, {
    board_id: master.boardId,
    title: 'New group',
  })
  await master.addCard({ title: 'Added', group_id: group.id, push_to_projects: true })
  assert.deepEqual(await state(master), [3, true])
  const published = [['Plan', 'Pushed', 'Card 2', 'Card 3'], ['Build'], ['New group', 'Added']]
  assert.deepEqual(await titlesInNewProject(master), published)
  assert.deepEqual(
    (await differences(master, 3)).map(({ id, fields }) => [id, fields.map(({ after }) => after)]),
    [[second, ['Draft']]],
  )
  await master.admin.call(`${masters}/master-cards/delete`, { id: first, delete_from_projects: true })
  assert.deepEqual(await state(master), [4, true])
  assert.deepEqual((await titlesInNewProject(master))[0], ['Plan', 'Card 2', 'Card 3'])
  const { rollouts } = await master.admin.call(`${masters}/rollouts/list`, { board_id: master.boardId })
  assert.deepEqual(
    rollouts.map(({ kind, version }) => [kind, version]),
    [
      ['removal', 4],
      ['card', 3],
      ['card', 2],
      ['board', 1],
      ['board', 1],
    ],
  )
})

test('a card that no version has is deleted everywhere: a rollout of no version', async () => {
  const master = await createMaster(service)
  const id = present(master.cardIds[0])
  await master.admin.call(`${masters}/master-cards/delete`, { id, delete_from_projects: true })
  const { rollouts } = await master.admin.call(`${masters}/rollouts/list`, { board_id: master.boardId })
  assert.deepEqual(
    rollouts.map(({ kind, version, title, template_title }) => [kind, version, title, template_title]),
    [['removal', 0, 'Card 1', 'Launch']],
  )
})

test('a record keeps the names of its time', async () => {
  const master = await createMaster(service)
  await master.sync()
  await master.push(present(master.cardIds[0]))
  await change(master, { title: 'Other' })
  await master.admin.call(`${masters}/master-boards/update`, { id: master.boardId, title: 'Renamed' })
  await master.sync()
  const { rollouts } = await master.admin.call(`${masters}/rollouts/list`, { board_id: master.boardId })
  assert.deepEqual(
    rollouts.map(({ title, template_title }) => [title, template_title]),
    [
      ['Renamed', 'Renamed'],
      ['Card 1', 'Launch'],
      ['Launch', 'Launch'],
    ],
  )
})

test('200 get: the template as it was; 404 for a number it lacks', async () => {
  const master = await createMaster(service)
  await change(master, { description: '<p>Old <b>words</b></p>' })
  await master.publish()
  await change(master, { title: 'New', description: 'New words' })
  await master.admin.call(`${masters}/master-groups/delete`, { id: master.groupIds[1] })
  await master.publish()
  const get = (number: number) =>
    master.admin.call(`${masters}/master-boards/versions/get`, { board_id: master.boardId, number })
  const { board: old, version } = await get(1)
  assert.equal(version.number, 1)
  assert.deepEqual(
    old.groups.map(({ title, cards }) => [title, ...cards.map((card) => card.title)]),
    [['Plan', 'Card 1', 'Card 2'], ['Build']],
  )
  const [card] = present(old.groups[0]).cards
  assert.deepEqual([card?.description, card?.description_format], ['<p>Old <b>words</b></p>', 'html'])
  assert.deepEqual(
    (await get(2)).board.groups.map(({ title, cards }) => [title, ...cards.map((one) => one.title)]),
    [['Plan', 'New', 'Card 2']],
  )
  for (const [board_id, number] of [
    [master.boardId, 3],
    [999_999, 1],
  ])
    assert.equal((await send('/versions/get', { board_id, number })).status, 404)
})

test('200 compare: what was added, removed, moved and changed, in both directions and with the draft', async () => {
  const master = await createMaster(service, { cards: 3 })
  const [first, second, third] = master.cardIds as [number, number, number]
  await master.publish()
  assert.deepEqual(await differences(master, 1), [])
  await change(master, { title: 'Renamed', priority: 'high', is_active: false })
  await master.admin.call(`${masters}/master-cards/move`, { id: third, position: 1 })
  await master.admin.call(`${masters}/master-cards/move`, { id: second, group_id: master.groupIds[1] })
  const added = await master.addCard({ title: 'Added' })
  await master.admin.call(`${masters}/master-boards/update`, { id: master.boardId, description: 'Words' })
  await master.admin.call(`${masters}/master-groups/update`, { id: master.groupIds[1], title: 'Make' })
  const found = await differences(master, 1)
  const place = { group_before: 'Plan', group_after: 'Plan', is_moved: false }
  const field = (name: string, before: string | null, after: string | null) => ({
    field: name,
    before,
    after,
  })
  const whole = { group_before: null, group_after: null, is_moved: false }
  assert.deepEqual(found, [
    {
      ...{ thing: 'template', id: null, change: 'changed', title: 'Launch', ...whole },
      fields: [field('description', null, 'Words')],
    },
    {
      ...{ thing: 'group', id: master.groupIds[1], change: 'changed', title: 'Make', ...whole },
      fields: [field('title', 'Build', 'Make')],
    },
    {
      ...{ thing: 'card', id: third, change: 'changed', title: 'Card 3', ...place, is_moved: true },
      fields: [],
    },
    {
      ...{ thing: 'card', id: first, change: 'changed', title: 'Renamed', ...place },
      fields: [
        field('title', 'Card 1', 'Renamed'),
        field('priority', 'normal', 'high'),
        field('is_active', 'true', 'false'),
      ],
    },
    {
      ...{ thing: 'card', id: added, change: 'added', title: 'Added', ...place, group_before: null },
      fields: [
        field('title', null, 'Added'),
        field('priority', null, 'normal'),
        field('needs_confirmation', null, 'false'),
        field('status', null, 'open'),
        field('is_active', null, 'true'),
      ],
    },
    {
      ...{ thing: 'card', id: second, change: 'changed', title: 'Card 2', ...place },
      ...{ group_after: 'Make', is_moved: true, fields: [] },
    },
  ])
  await master.publish()
  assert.deepEqual(await differences(master, 1, 2), found)
  assert.deepEqual(
    (await differences(master, 2, 1)).filter(({ change: kind }) => kind === 'removed').map(({ id }) => id),
    [added],
  )
  const unknown = await send('/versions/compare', { board_id: master.boardId, from: 9, to: 8 })
  assert.deepEqual([unknown.status, Object.keys(unknown.body.errors ?? {})], [422, ['from', 'to']])
  assert.equal((await send('/versions/compare', { board_id: 999_999 })).status, 404)
})

test('200 restore: a version becomes the draft, with deleted things, places and identifiers; nobody receives it before it is published', async () => {
  const master = await createMaster(service, { cards: 3 })
  const [first, second, third] = master.cardIds as [number, number, number]
  const { admin, boardId } = master
  const name = (id: number, unique_identifier: string | null) =>
    admin.call(`${masters}/master-cards/update`, { id, unique_identifier })
  await name(first, `${boardId}-a`)
  await name(second, `${boardId}-b`)
  await master.sync()
  const before = (await master.whole()).groups.map(({ title, cards }) => [
    title,
    ...cards.map(({ id }) => id),
  ])
  await name(second, null)
  await name(first, `${boardId}-b`)
  await name(second, `${boardId}-a`)
  await admin.call(`${masters}/master-cards/move`, { id: third, position: 1 })
  await admin.call(`${masters}/master-cards/move`, { id: second, group_id: master.groupIds[1] })
  await admin.call(`${masters}/master-boards/update`, { id: boardId, title: 'Renamed' })
  await admin.call(`${masters}/master-groups/delete`, { id: master.groupIds[0] })
  const { group } = await admin.call(`${masters}/master-groups/create`, { board_id: boardId, title: 'Late' })
  await master.addCard({ title: 'Late', group_id: group.id })
  await master.sync()
  const { board } = await admin.call(`${masters}/master-boards/versions/restore`, {
    board_id: boardId,
    number: 1,
  })
  assert.deepEqual(
    board.groups.map(({ title, cards }) => [title, ...cards.map(({ id }) => id)]),
    before,
  )
  assert.deepEqual([board.title, board.version, board.has_draft_changes], ['Launch', 2, true])
  assert.deepEqual(await differences(master, 1), [])
  const project = present(master.projects[0])
  assert.equal((await master.copyIn(project)).title, 'Renamed')
  await master.sync()
  const copy = await master.copyIn(project)
  assert.deepEqual(
    copy.groups[0]?.cards.map(({ master_card_id, unique_identifier }) => [master_card_id, unique_identifier]),
    [
      [first, `${boardId}-a`],
      [second, `${boardId}-b`],
      [third, null],
    ],
  )
  // A second time nothing changes.
  const again = await admin.call(`${masters}/master-boards/versions/restore`, {
    board_id: boardId,
    number: 1,
  })
  assert.deepEqual([again.board.version, again.board.has_draft_changes], [3, false])
  for (const [board_id, number] of [
    [boardId, 9],
    [999_999, 1],
  ])
    assert.equal((await send('/versions/restore', { board_id, number })).status, 404)
})

test('400 restore of a version whose identifier another template has taken since', async () => {
  const [master, other] = [await createMaster(service), await createMaster(service)]
  const name = (id: number | undefined, unique_identifier: string | null) =>
    master.admin.call(`${masters}/master-cards/update`, { id: present(id), unique_identifier })
  await name(master.cardIds[0], 'restored')
  await master.publish()
  await name(master.cardIds[0], null)
  await name(other.cardIds[0], 'restored')
  const refused = await send('/versions/restore', { board_id: master.boardId, number: 1 })
  assert.equal(refused.status, 400)
  assert.deepEqual(await state(master), [1, true])
})
