// What members of a project read about a rollout: in the history of a card, in the activity of its board, and in the trash.
import assert from 'node:assert/strict'
import test from 'node:test'
import { purges } from '#boards/trash/purging.ts'
import { addTool } from '#projects/tools.ts'
import { createMaster, type MasterFixture, present, type Receiver } from '#tests/master.ts'
import { eventually } from '#tests/process.ts'
import { startTestService } from '#tests/service.ts'

const operations = '/services/operations/v1/operations'
const masters = '/services/operations/v1/admin'
const service = await startTestService()
const { sql } = service.db

const change = ({ admin }: MasterFixture, id: number, fields: object) =>
  admin.call(`${masters}/master-cards/update`, { id, ...fields })

async function createSynced() {
  const master = await createMaster(service, { projects: 1, cards: 3 })
  await master.sync()
  const project = present(master.projects[0])
  const [first, second] = master.cardIds as [number, number]
  return { master, project, first, second, boardId: (await master.copyIn(project)).id }
}

/** Plans, applies and waits for the end. */
async function roll({ admin }: MasterFixture, operation: 'plan' | 'revert', input: object) {
  const { rollout } = await admin.call(
    `${masters}/rollouts/${operation}`,
    input as { id: number; board_id: number },
  )
  const reaches = (status: string) =>
    eventually(async () =>
      assert.equal((await admin.call(`${masters}/rollouts/get`, { id: rollout.id })).rollout.status, status),
    )
  await reaches('planned')
  await admin.call(`${masters}/rollouts/apply`, { id: rollout.id })
  await reaches('done')
}

const activityOf = async ({ client }: Receiver, board_id: number, card_id: number | null = null) =>
  (await client.call(`${operations}/activity/list`, { board_id, card_id })).activity

test('the history of a card says what a rollout changed and what it kept, without a person', async () => {
  const { master, project, first, second, boardId } = await createSynced()
  const copy = present(await project.cardOf(first))
  const other = present(await project.cardOf(second))
  await project.client.call(`${operations}/cards/update`, { id: copy.id, title: 'Ours' })
  await change(master, first, { title: 'Theirs', description: 'More', priority: 'high' })
  await master.admin.call(`${masters}/master-cards/move`, { id: second, group_id: master.groupIds[1] })
  await master.addCard({ title: 'Added' })
  await master.sync()
  const updated = [
    { card_id: copy.id, fields: ['description', 'priority'], kept: ['title'], is_moved: false },
    { card_id: other.id, fields: [], kept: [], is_moved: true },
  ]
  const [entry] = await activityOf(project, boardId, copy.id)
  assert.deepEqual([entry?.kind, entry?.actor_name], ['template.rolled_out', null])
  const { rollout_id, ...data } = present(entry?.data) as { rollout_id: number }
  assert.ok(rollout_id > 0)
  const card = { change: 'updated', fields: ['description', 'priority'], kept: ['title'], is_moved: false }
  assert.deepEqual(data, {
    rollout_kind: 'board',
    version: 2,
    added_count: 1,
    updated_count: 2,
    updated,
    card,
  })
  assert.equal((await activityOf(project, boardId, other.id))[0]?.kind, 'template.rolled_out')
  const third = present(await project.cardOf(present(master.cardIds[2])))
  assert.deepEqual(await cardChanges(project, boardId, third.id), [['board', 1, { change: 'added' }]])
  // Once on the board for each rollout.
  assert.deepEqual(
    (await activityOf(project, boardId))
      .filter(({ kind }) => kind === 'template.rolled_out')
      .map(({ data }) => (data as { version: number }).version),
    [2, 1],
  )
})

test('the activity of a board names the cards and groups that a rollout added, changed, moved and reverted', async () => {
  const { master, project, first, second, boardId } = await createSynced()
  const { groups } = await master.copyIn(project)
  // One card keeps its title and receives the rest, another only keeps.
  const third = present(master.cardIds[2])
  for (const id of [first, third])
    await project.client.call(`${operations}/cards/update`, {
      ...{ id: present(await project.cardOf(id)).id, title: `Ours ${master.cardIds.indexOf(id) + 1}` },
    })
  await change(master, first, { title: 'Theirs 1', priority: 'high' })
  await change(master, third, { title: 'Theirs 3' })
  await master.admin.call(`${masters}/master-cards/move`, { id: second, group_id: master.groupIds[1] })
  const addedIds: number[] = []
  for (let number = 1; number <= 7; number++)
    addedIds.push(await master.addCard({ title: `Added ${number}` }))
  await master.admin.call(`${masters}/master-boards/update`, { id: master.boardId, color: 'violet' })
  await master.admin.call(`${masters}/master-groups/update`, { id: master.groupIds[0], title: 'Renamed' })
  await master.admin.call(`${masters}/master-groups/create`, { board_id: master.boardId, title: 'New group' })
  await master.sync()
  const newest = async () => {
    const entry = (await activityOf(project, boardId)).find(({ kind }) => kind === 'template.rolled_out')
    const { things, board_fields } = present(entry).data as {
      things: { thing: string; change: string; count: number; named: { title: string; fields: string[] }[] }[]
      board_fields: string[]
    }
    const named = things.map(({ thing, change, count, named }) => [
      ...[thing, change, count],
      ...named.map(({ title, fields }) => [title, ...fields].join(' ')),
    ])
    return { board_fields, named }
  }
  const titleOf = (id: number) => `Card ${master.cardIds.indexOf(id) + 1}`
  const added = [1, 2, 3, 4, 5].map((number) => `Added ${number}`)
  const brought = {
    board_fields: ['color'],
    named: [
      ['card', 'added', 7, ...added],
      ['card', 'kept', 2, 'Ours 1 title', 'Ours 3 title'],
      ['card', 'moved', 1, titleOf(second)],
      ['card', 'updated', 1, 'Ours 1 priority'],
      ['group', 'added', 1, 'New group'],
      ['group', 'updated', 1, 'Renamed title'],
    ],
  }
  assert.deepEqual(await newest(), brought)
  // The names of today do not change what happened.
  const rename = async (masterCardId: number, title: string) =>
    project.client.call(`${operations}/cards/update`, {
      id: present(await project.cardOf(masterCardId)).id,
      title,
    })
  await rename(first, 'Ours again')
  await rename(present(addedIds[0]), 'In use')
  assert.deepEqual(await newest(), brought)
  const { rollouts } = await master.admin.call(`${masters}/rollouts/list`, { board_id: master.boardId })
  const { id } = present(rollouts[0])
  const { results } = await master.admin.call(`${masters}/rollouts/get`, {
    ...{ id, query: String(project.id) },
  })
  const { rollouts: reached } = await master.admin.call(`${masters}/projects/list-rollouts`, {
    id: project.id,
  })
  const { added: addedCount, updated, moved, kept } = present(results[0])
  assert.deepEqual([addedCount, updated, moved, kept], [7, 1, 1, 2])
  const { added_count, updated_count, moved_count, kept_count } = present(reached[0])
  assert.deepEqual([added_count, updated_count, moved_count, kept_count], [7, 1, 1, 2])
  await roll(master, 'revert', { id })
  const takenBack = {
    board_fields: ['color'],
    named: [
      ['card', 'kept', 3, 'Ours again title', 'Ours 3 title', 'In use used'],
      ['card', 'moved', 1, titleOf(second)],
      ['card', 'removed', 6, ...added.slice(1), 'Added 6'],
      ['card', 'updated', 1, 'Ours again priority'],
      ['group', 'removed', 1, 'New group'],
      ['group', 'updated', 1, `${present(groups[0]).title} title`],
    ],
  }
  assert.deepEqual(await newest(), takenBack)
  await rename(third, 'Something else')
  assert.deepEqual(await newest(), takenBack)
  // After 30 days in the trash nothing says any more what it was called.
  const [gone] = await sql<{ id: number }[]>`
    update cards set deleted_at = now() - interval '31 days' where project_id = ${project.id} and title = 'Added 2' returning id`
  for (const purge of Object.values(purges)) await purge(service.db)
  assert.deepEqual((await newest()).named[2], ['card', 'removed', 6, ...added.slice(2), 'Added 6', ''])
  const events = await sql<{ text: string }[]>`
    select data::text as text from events where project_id = ${project.id} and data::text like '%"Added 2"%'`
  assert.deepEqual([gone !== undefined, [...events]], [true, []])
})

test('a rollout that leaves a card as customized is in its history, and no news of the board', async () => {
  const { master, project, first, second, boardId } = await createSynced()
  const copy = present(await project.cardOf(first))
  await project.client.call(`${operations}/cards/update`, { id: copy.id, title: 'Ours' })
  await change(master, first, { title: 'Theirs' })
  const before = await activityOf(project, boardId)
  assert.equal(await master.push(first), 0)
  assert.deepEqual(await activityOf(project, boardId), before)
  await change(master, first, { title: 'Theirs again' })
  await change(master, second, { title: 'Newer' })
  await master.sync()
  const ofCard = (await activityOf(project, boardId, copy.id)).map(({ kind, actor_name, data }) => {
    const { version, card } = data as { version?: number; card?: object }
    return [kind, actor_name === null, version, card]
  })
  assert.deepEqual(ofCard, [
    ['template.kept', true, 3, { kept: ['title'] }],
    ['template.kept', true, 2, { kept: ['title'] }],
    ['card.updated', false, undefined, undefined],
    ['template.rolled_out', true, 1, { change: 'added' }],
  ])
  assert.deepEqual(
    (await activityOf(project, boardId))
      .filter(({ id }) => id > present(before[0]).id)
      .map(({ kind, data }) => [kind, (data as { updated_count: number }).updated_count]),
    [['template.rolled_out', 1]],
  )
  const { rollouts } = await master.admin.call(`${masters}/projects/list-rollouts`, { id: project.id })
  assert.deepEqual(
    rollouts.map(({ version }) => version),
    [3, 1],
  ) // Without the product it misses a version, and receives it when it has the product again.
  await sql`update projects set tool_keys = '[]' where id = ${project.id}`
  await change(master, first, { title: 'Once more' })
  await master.publish()
  await addTool(service.db, project.id, master.toolKey)
  const { kind, data } = present((await activityOf(project, boardId, copy.id))[0])
  assert.deepEqual([kind, data['version'], data['card']], ['template.kept', 4, { kept: ['title'] }])
})

/** What rollouts did to a card, newest first: their kind and version, and the change. */
const cardChanges = async (project: Receiver, boardId: number, cardId: number) =>
  (await activityOf(project, boardId, cardId))
    .filter(({ kind }) => kind === 'template.rolled_out')
    .map(({ data }) => {
      const { rollout_kind, version, card } = data as { rollout_kind: string; version: number; card: object }
      return [rollout_kind, version, card]
    })

test('an event names twenty cards at most and counts all; the history of each of them says what it did', async () => {
  const master = await createMaster(service, { projects: 1, cards: 25 })
  await master.sync()
  for (const id of master.cardIds) await change(master, id, { priority: 'high' })
  await master.sync()
  const project = present(master.projects[0])
  const [entry] = await activityOf(project, (await master.copyIn(project)).id)
  const { updated_count, updated } = present(entry).data as { updated_count: number; updated: object[] }
  assert.deepEqual([updated_count, updated.length], [25, 20])
  const board = await master.copyIn(project)
  assert.ok(!('cards' in present(entry).data))
  const cards = board.groups.flatMap((group) => group.cards)
  assert.equal(cards.length, 25)
  for (const { id } of cards)
    assert.deepEqual(await cardChanges(project, board.id, id), [
      ['board', 2, { change: 'updated', fields: ['priority'], kept: [], is_moved: false }],
      ['board', 1, { change: 'added' }],
    ])
})

test('a revert and a reset are said as what they were, in the history of their cards too, and the trash names nobody', async () => {
  const { master, project, first, boardId } = await createSynced()
  await change(master, first, { title: 'Newer' })
  const added = await master.addCard({ title: 'Added' })
  await master.sync()
  const copy = present(await project.cardOf(first))
  const gone = present(await project.cardOf(added))
  const { rollouts } = await master.admin.call(`${masters}/rollouts/list`, { board_id: master.boardId })
  await roll(master, 'revert', { id: present(rollouts[0]).id })
  const updated = { change: 'updated', fields: ['title'], kept: [], is_moved: false }
  assert.deepEqual((await cardChanges(project, boardId, copy.id)).slice(0, 2), [
    ['revert', 2, updated],
    ['board', 2, updated],
  ])
  const { things } = await project.client.call(`${operations}/trash/list`)
  assert.deepEqual(
    things.map(({ title, deleted_by_name }) => [title, deleted_by_name]),
    [['Added', null]],
  )
  await project.client.call(`${operations}/cards/restore`, { id: gone.id })
  assert.deepEqual((await cardChanges(project, boardId, gone.id))[0], ['revert', 2, { change: 'removed' }])
  const [entry] = (await activityOf(project, boardId)).filter(({ kind }) => kind === 'template.rolled_out')
  const { removed_count, updated_count } = present(entry).data as Record<string, number>
  assert.deepEqual([entry?.actor_name, removed_count, updated_count], [null, 1, 1])

  await project.client.call(`${operations}/cards/update`, { id: copy.id, title: 'Ours' })
  await roll(master, 'plan', { board_id: master.boardId, card_id: first, reset_fields: ['title'] })
  assert.deepEqual((await cardChanges(project, boardId, copy.id))[0], ['reset', 2, updated])
  const { rollouts: reached } = await master.admin.call(`${masters}/projects/list-rollouts`, {
    id: project.id,
  })
  assert.deepEqual(
    reached.map(({ kind, added_count, updated_count, removed_count }) => [
      ...[kind, added_count, updated_count, removed_count],
    ]),
    [
      ['reset', 0, 1, 0],
      ['revert', 0, 1, 1],
      ['board', 1, 1, 0],
      ['board', 3, 0, 0],
    ],
  )
})

test('a board that a revert deletes names nobody, and is among the rollouts of the project, as a deletion is', async () => {
  const { master, project, first } = await createSynced()
  await master.admin.call(`${masters}/master-cards/delete`, { id: first, delete_from_projects: true })
  const { rollouts } = await master.admin.call(`${masters}/rollouts/list`, { board_id: master.boardId })
  await roll(master, 'revert', { id: present(rollouts.at(-1)).id })
  const { things } = await project.client.call(`${operations}/trash/list`)
  assert.deepEqual(
    things.map(({ kind, deleted_by_name }) => [kind, deleted_by_name]),
    [
      ['board', null],
      ['card', null],
    ],
  )
  const { thing } = await project.client.call(`${operations}/trash/get`, {
    ...{
      kind: 'group',
      id: present((await sql`select id from groups where project_id = ${project.id}`)[0])['id'] as number,
    },
  })
  assert.deepEqual([thing.deleted_with, thing.deleted_by_name], ['board', null])
  const { rollouts: reached } = await master.admin.call(`${masters}/projects/list-rollouts`, {
    id: project.id,
  })
  assert.deepEqual(
    reached.map(({ kind, card_title, removed_count }) => [kind, card_title, removed_count]),
    [
      ['revert', null, 2],
      ['removal', 'Card 1', 1],
      ['board', null, 0],
    ],
  )
})

test('who deleted a card everywhere has no name in the trash and the activity of a project', async () => {
  const { master, project, first, boardId } = await createSynced()
  await master.admin.call(`${masters}/master-cards/delete`, { id: first, delete_from_projects: true })
  const { things } = await project.client.call(`${operations}/trash/list`)
  assert.deepEqual(
    things.map(({ title, deleted_by_name }) => [title, deleted_by_name]),
    [['Card 1', null]],
  )
  const [entry] = await activityOf(project, boardId)
  assert.deepEqual([entry?.kind, entry?.actor_name], ['card.deleted', null])
})

test('a new project is told once of what it received, and a rollout without changes adds nothing', async () => {
  const master = await createMaster(service, { projects: 0, cards: 2 })
  await master.publish()
  const { project } = await master.admin.call(`${masters}/projects/create`, {
    ...{ name: 'New', tool_keys: [master.toolKey] },
  })
  const { id } = project
  const owner = await service.addUser({ roles: { [id]: 'owner' } })
  const client = service.client(owner.token, { 'x-project-id': String(id) })
  const { boards } = await client.call(`${operations}/boards/list`)
  const board_id = present(boards[0]).id
  await master.sync()
  const { activity } = await client.call(`${operations}/activity/list`, { board_id })
  assert.deepEqual(
    activity.map(({ kind, data }) => [kind, (data as { version: number }).version]),
    [['template.rolled_out', 1]],
  )
})
