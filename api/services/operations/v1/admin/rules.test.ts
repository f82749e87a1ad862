// What a rollout and a sync do to projects and what they leave alone, as a project sees it.
import assert from 'node:assert/strict'
import test from 'node:test'
import { openStream, until } from '#tests/event-stream.ts'
import { createMaster, type MasterFixture, present, type Receiver } from '#tests/master.ts'
import { startTestService } from '#tests/service.ts'

const operations = '/services/operations/v1/operations'
const masters = '/services/operations/v1/admin'
const service = await startTestService()
const { sql } = service.db

/** A master that its projects have received. */
async function synced(options: { projects?: number; cards?: number } = {}) {
  const master = await createMaster(service, options)
  await master.sync()
  const [project, other] = master.projects as [Receiver, Receiver]
  return { master, project, other, cardId: present(master.cardIds[0]) }
}

const changeMaster = ({ admin }: MasterFixture, id: number, fields: object) =>
  admin.call(`${masters}/master-cards/update`, { id, ...fields })

/** What each group is called and which cards it holds, in their order; those of the project's own by their titles. */
const layout = async (master: MasterFixture, project: Receiver) =>
  (await master.copyIn(project)).groups.map((group) => [
    group.title,
    group.cards.map((card) => card.master_card_id ?? card.title),
  ])

const full = {
  title: 'Title',
  description: '<b>x</b>',
  short_description: 'short',
  priority: 'high',
  evaluation_check: 'check',
  tour_key: 'tour',
} as const

test('a copy receives every field of its master, except for its status', async () => {
  const { master, project, cardId } = await synced()
  const fields = { ...full, unique_identifier: `id-${cardId}` }
  await changeMaster(master, cardId, { ...fields, status: 'closed' })
  assert.equal(await master.push(cardId), 1)
  const copy = present(await project.cardOf(cardId))
  assert.deepEqual({ ...copy, ...fields, status: 'open' }, copy)
})

test('what a project changed itself it keeps, field by field, however often the master changes', async () => {
  const own = {
    title: 'Own title',
    description: '<i>own</i>',
    short_description: 'own',
    priority: 'low',
  } as const
  for (const [name, value] of Object.entries(own)) {
    const { master, project, other, cardId } = await synced({ projects: 2 })
    const { id } = present(await project.cardOf(cardId))
    await project.client.call(`${operations}/cards/update`, { id, [name]: value })
    await changeMaster(master, cardId, full)
    assert.equal((await master.sync()).synced_count, 2)
    const copy = present(await project.cardOf(cardId))
    assert.deepEqual({ ...copy, ...full, [name]: value }, copy)
    const untouched = present(await other.cardOf(cardId))
    assert.deepEqual({ ...untouched, ...full }, untouched)
    await changeMaster(master, cardId, { [name]: name === 'priority' ? 'urgent' : 'Third' })
    await master.push(cardId)
    assert.equal(present(await project.cardOf(cardId))[name as 'title'], value)
  }
})

test('a field that the project cleared stays cleared', async () => {
  const { master, project, cardId } = await synced()
  await changeMaster(master, cardId, full)
  await master.push(cardId)
  const { id } = present(await project.cardOf(cardId))
  await project.client.call(`${operations}/cards/update`, { id, description: null })
  await changeMaster(master, cardId, { description: 'Changed', title: 'Changed' })
  await master.push(cardId)
  const { title, description } = present(await project.cardOf(cardId))
  assert.deepEqual([title, description], ['Changed', null])
})

test('status, owner, due date, tag and comments are the project’s from the start', async () => {
  const { master, project, cardId } = await synced()
  const { client, user } = project
  const { id } = present(await project.cardOf(cardId))
  const { tag } = await client.call(`${operations}/tags/create`, { name: 'x' })
  const local = { status: 'waiting', owner_id: user.id, tag_id: tag.id, due_date: '2030-01-01T00:00:00.000Z' }
  await client.call(`${operations}/cards/update`, { id, ...local })
  await client.call(`${operations}/comments/create`, { card_id: id, comment: 'x' })
  await changeMaster(master, cardId, { title: 'New', status: 'blocked' })
  await master.sync()
  const { card, comments } = await client.call(`${operations}/cards/get`, { id })
  assert.deepEqual({ ...card, ...local, title: 'New' }, card)
  assert.equal(comments.length, 1)
})

test('boards and groups are merged like cards', async () => {
  const { master, project } = await synced()
  const copy = await master.copyIn(project)
  const [plan, build] = copy.groups as [(typeof copy.groups)[number], (typeof copy.groups)[number]]
  await project.client.call(`${operations}/boards/update`, { id: copy.id, title: 'Own board' })
  await project.client.call(`${operations}/groups/update`, { id: plan.id, title: 'Own group', color: 'red' })
  const [planMaster, buildMaster] = master.groupIds
  await master.admin.call(`${masters}/master-boards/update`, {
    id: master.boardId,
    title: 'New',
    icon: 'star',
    color: 'blue',
    description: 'About',
  })
  for (const id of [planMaster, buildMaster])
    await master.admin.call(`${masters}/master-groups/update`, { id, title: 'New', description: 'About' })
  await master.sync()
  const { title, icon, color, description, groups } = await master.copyIn(project)
  assert.deepEqual([title, icon, color, description], ['Own board', 'star', 'blue', 'About'])
  assert.deepEqual(
    groups.map((group) => [group.id, group.title, group.description, group.color]),
    [
      [plan.id, 'Own group', 'About', 'red'],
      [build.id, 'New', 'About', null],
    ],
  )
})

test('copies follow their masters to other places and groups', async () => {
  const { master, project } = await synced({ cards: 3 })
  const [first, second, third] = master.cardIds as [number, number, number]
  const move = (input: { id: number; group_id?: number; position?: number }) =>
    master.admin.call(`${masters}/master-cards/move`, input)
  await move({ id: third, position: 1 })
  await move({ id: first, group_id: master.groupIds[1] })
  await master.sync()
  assert.deepEqual(await layout(master, project), [
    ['Plan', [third, second]],
    ['Build', [first]],
  ])
  await move({ id: second, position: 1 })
  assert.equal(await master.push(second), 1)
  assert.deepEqual(await layout(master, project), [
    ['Plan', [second, third]],
    ['Build', [first]],
  ])
})

test('copies have the order of their masters also after the room between these ran out', async () => {
  const { master, project } = await synced({ cards: 4 })
  const [first, second, third, last] = master.cardIds as [number, number, number, number]
  const revisions = async () =>
    (await master.admin.call(`${masters}/master-cards/get`, { id: last })).revisions.length
  const before = await revisions()
  for (let round = 0; round < 40; round++) {
    const [up, down] = round % 2 === 0 ? [third, second] : [second, third]
    await master.admin.call(`${masters}/master-cards/move`, { id: up, position: 2 })
    await master.sync()
    assert.deepEqual((await layout(master, project))[0], ['Plan', [first, up, down, last]])
  }
  // The last card was never moved: only new ranks for all of them give it a revision.
  assert.ok((await revisions()) > before)
})

test('a card that the project moved keeps its place', async () => {
  const { master, project } = await synced({ cards: 3 })
  const [first, second, third] = master.cardIds as [number, number, number]
  const copy = await master.copyIn(project)
  const { id } = present(await project.cardOf(first))
  await project.client.call(`${operations}/cards/move`, { id, position: 3 })
  await master.admin.call(`${masters}/master-cards/move`, { id: first, group_id: master.groupIds[1] })
  await master.admin.call(`${masters}/master-cards/move`, { id: third, group_id: master.groupIds[1] })
  await changeMaster(master, first, { title: 'Told' })
  await master.sync()
  assert.deepEqual(await layout(master, project), [
    ['Plan', [second, first]],
    ['Build', [third]],
  ])
  assert.equal(present(await project.cardOf(first)).title, 'Told')
  assert.equal((await master.copyIn(project)).groups[0]?.id, copy.groups[0]?.id)
})

test('cards of the project’s own stay where they are among those of the template', async () => {
  const { master, project } = await synced({ cards: 2 })
  const [first, second] = master.cardIds as [number, number]
  const plan = present((await master.copyIn(project)).groups[0])
  const { card } = await project.client.call(`${operations}/cards/create`, {
    title: 'Own',
    group_id: plan.id,
  })
  await project.client.call(`${operations}/cards/move`, { id: card.id, position: 2 })
  const third = await master.addCard({ title: 'Third', push_to_projects: true })
  assert.deepEqual((await layout(master, project))[0], ['Plan', [first, 'Own', second, third]])
})

test('a card that the project deleted stays gone, whatever happens to its master', async () => {
  const { master, project, other, cardId } = await synced({ projects: 2 })
  await project.client.call(`${operations}/cards/delete`, { id: present(await project.cardOf(cardId)).id })
  await changeMaster(master, cardId, { title: 'New' })
  assert.equal(await master.push(cardId), 1)
  await master.admin.call(`${masters}/master-cards/move`, { id: cardId, group_id: master.groupIds[1] })
  await master.sync()
  assert.equal(await project.cardOf(cardId), undefined)
  assert.equal(present(await other.cardOf(cardId)).title, 'New')
})

test('a card that the project dismissed stays dismissed', async () => {
  const { master, project, cardId } = await synced()
  await changeMaster(master, cardId, { tour_key: 'welcome' })
  await master.sync()
  const { dismissed_count } = await project.client.call(`${operations}/tour/cards/dismiss-all`)
  assert.equal(dismissed_count, 1)
  await changeMaster(master, cardId, { title: 'New', is_active: false })
  await changeMaster(master, cardId, { is_active: true })
  await master.push(cardId)
  await master.sync()
  assert.equal(present(await project.cardOf(cardId)).is_active, false)
})

test('a card that became inactive in the master stays as it is in the projects, and comes to no other', async () => {
  const master = await createMaster(service, { projects: 2 })
  const [project, late] = master.projects as [Receiver, Receiver]
  const giveTools = (keys: string[]) =>
    sql`update projects set tool_keys = ${sql.json(keys)} where id = ${late.id}`
  await giveTools([])
  await master.sync()
  await giveTools([master.toolKey])
  const [hidden, shown] = master.cardIds as [number, number]
  await changeMaster(master, hidden, { title: 'Hidden', is_active: false })
  const before = await project.cardOf(hidden)
  await master.sync()
  assert.deepEqual(await project.cardOf(hidden), before)
  assert.deepEqual((await layout(master, late))[0], ['Plan', [shown]])
  await changeMaster(master, hidden, { is_active: true })
  await master.sync()
  assert.deepEqual((await layout(master, late))[0], ['Plan', [hidden, shown]])
  assert.equal(present(await project.cardOf(hidden)).title, 'Hidden')
})

test('a missing card is not added to a group that the project deleted, nor a group to a deleted board', async () => {
  const { master, project, other } = await synced({ projects: 2 })
  const copy = await master.copyIn(project)
  await project.client.call(`${operations}/groups/delete`, { id: present(copy.groups[0]).id })
  await other.client.call(`${operations}/boards/delete`, { id: (await master.copyIn(other)).id })
  const added = await master.addCard({ title: 'New', push_to_projects: true })
  const { group } = await master.admin.call(`${masters}/master-groups/create`, {
    board_id: master.boardId,
    title: 'Ship',
  })
  const shipped = await master.addCard({ title: 'Ship it', group_id: group.id })
  await master.sync()
  assert.equal(await project.cardOf(added), undefined)
  assert.deepEqual(await layout(master, project), [
    ['Build', []],
    ['Ship', [shipped]],
  ])
  assert.equal(await other.findBoard(master.boardId), undefined)
  assert.equal(await other.cardOf(shipped), undefined)
  const live = await sql`
    select from groups where project_id = ${other.id} and deleted_at is null
    union all select from cards where master_card_id = ${added} and deleted_at is null`
  assert.equal(live.length, 0)
})

test('a card whose new group the project deleted stays where it is', async () => {
  const { master, project, cardId } = await synced({ cards: 1 })
  const build = present((await master.copyIn(project)).groups[1])
  await project.client.call(`${operations}/groups/delete`, { id: build.id })
  await master.admin.call(`${masters}/master-cards/move`, { id: cardId, group_id: master.groupIds[1] })
  await changeMaster(master, cardId, { title: 'New' })
  await master.sync()
  assert.deepEqual(await layout(master, project), [['Plan', [cardId]]])
  assert.equal(present(await project.cardOf(cardId)).title, 'New')
})

test('groups follow the order of the master, until the project orders them itself; then a new one comes last', async () => {
  const { master, project, other } = await synced({ projects: 2 })
  const { admin, boardId } = master
  const turn = async () => {
    const groups = (await master.whole()).groups.toReversed()
    await admin.call(`${masters}/master-groups/reorder`, {
      board_id: boardId,
      groups: groups.map(({ id }, index) => ({ id, position: index + 1 })),
    })
  }
  const titles = async (receiver: Receiver) =>
    (await master.copyIn(receiver)).groups.map(({ title }) => title)
  await turn()
  await master.sync()
  assert.deepEqual(await titles(project), ['Build', 'Plan'])
  const [build] = (await master.copyIn(project)).groups
  await project.client.call(`${operations}/groups/reorder`, {
    groups: [{ id: present(build).id, position: 2 }],
  })
  const { group } = await admin.call(`${masters}/master-groups/create`, { board_id: boardId, title: 'First' })
  await admin.call(`${masters}/master-groups/reorder`, {
    board_id: boardId,
    groups: [{ id: group.id, position: 1 }],
  })
  await master.sync()
  assert.deepEqual(await titles(project), ['Plan', 'Build', 'First'])
  assert.deepEqual(await titles(other), ['First', 'Build', 'Plan'])
  await admin.call(`${masters}/master-groups/reorder`, {
    board_id: boardId,
    groups: [{ id: group.id, position: 2 }],
  })
  await master.sync()
  assert.deepEqual(await titles(project), ['Plan', 'Build', 'First'])
  assert.deepEqual(await titles(other), ['Build', 'First', 'Plan'])
})

test('pushing twice changes nothing: no count, no event, no new updated_at', async () => {
  const { master, project, cardId } = await synced()
  await changeMaster(master, cardId, full)
  assert.equal(await master.push(cardId), 1)
  await master.sync()
  const rows = () =>
    sql`select b.*, c.* from boards b join cards c using (project_id) where project_id = ${project.id}`
  const before = [await rows(), await project.countEvents()]
  assert.equal(await master.push(cardId), 0)
  assert.equal((await master.sync()).synced_count, 1)
  assert.deepEqual([await rows(), await project.countEvents()], before)
})

test('what the master changed and the project has its own value of is no change of the project', async () => {
  const { master, project, cardId } = await synced()
  const { id } = present(await project.cardOf(cardId))
  await project.client.call(`${operations}/cards/update`, { id, title: 'Own', description: 'Same' })
  const before = present(await project.cardOf(cardId))
  const events = await project.countEvents()
  await changeMaster(master, cardId, { title: 'New', description: 'Same' })
  assert.equal(await master.push(cardId), 0)
  // Only the history of the card says that its title was kept.
  assert.equal(await project.countEvents(), events + 1)
  const [last] = await sql`select kind from events where project_id = ${project.id} order by id desc limit 1`
  assert.equal(last?.['kind'], 'template.kept')
  const { card } = await project.client.call(`${operations}/cards/get`, { id })
  assert.deepEqual([card, await project.cardOf(cardId)], [before, before])
})

test('projects_updated counts the projects in which something changed', async () => {
  const { master, cardId } = await synced({ projects: 3 })
  const [first, second] = master.projects as [Receiver, Receiver]
  const card = present(await first.cardOf(cardId))
  await first.client.call(`${operations}/cards/update`, { id: card.id, title: 'Own' })
  await second.client.call(`${operations}/cards/delete`, { id: present(await second.cardOf(cardId)).id })
  await changeMaster(master, cardId, { title: 'New' })
  assert.equal(await master.push(cardId), 1)
})

test('projects without the tool are skipped and get the board once they have it; one that lost it is left as it is', async () => {
  const { master, project, other, cardId } = await synced({ projects: 2 })
  const [counted] = await sql<{ projects: number }[]>`select count(*) as projects from projects`
  const before = present(await project.cardOf(cardId))
  await sql`update projects set tool_keys = '[]' where id = ${project.id}`
  await changeMaster(master, cardId, { title: 'New' })
  assert.equal(await master.push(cardId), 1)
  assert.deepEqual(await master.sync(), {
    synced_count: 1,
    skipped_no_access: (counted?.projects as number) - 1,
  })
  await sql`update projects set tool_keys = ${sql.json([master.toolKey])} where id = ${project.id}`
  assert.deepEqual(await project.cardOf(cardId), before)
  assert.equal((await master.sync()).synced_count, 2)
  assert.equal(present(await project.cardOf(cardId)).title, 'New')
  assert.equal(present(await other.cardOf(cardId)).title, 'New')
})

test('theme versions and deleted projects are no projects here, and a board without a tool is for everyone', async () => {
  const { admin } = await createMaster(service, { projects: 0 })
  const [themed, deleted] = [await service.addProject(), await service.addProject()]
  await sql`update projects set kind = 'theme_version' where id = ${themed}`
  await sql`update projects set deleted_at = now() where id = ${deleted}`
  const [counted] = await sql<{ projects: number }[]>`
    select count(*) as projects from projects where kind = 'customer' and deleted_at is null`
  const { board } = await admin.call(`${masters}/master-boards/create`, { title: 'For all' })
  assert.deepEqual(await admin.call(`${masters}/master-boards/sync`, { board_id: board.id }), {
    synced_count: counted?.projects,
    skipped_no_access: 0,
  })
  const rows = await sql`select from boards where project_id in (${themed}, ${deleted})`
  assert.equal(rows.length, 0)
  await admin.call(`${masters}/master-boards/delete`, { id: board.id })
})

test('a card that the project restored is brought up to date by the next sync', async () => {
  const { master, project, cardId } = await synced()
  const { id } = present(await project.cardOf(cardId))
  await project.client.call(`${operations}/cards/delete`, { id })
  await changeMaster(master, cardId, { title: 'New' })
  await master.sync()
  await project.client.call(`${operations}/cards/restore`, { id })
  assert.equal(present(await project.cardOf(cardId)).title, 'Card 1')
  await master.sync()
  assert.equal(present(await project.cardOf(cardId)).title, 'New')
})

test('a rollout reaches everyone who has the project open, also through another instance', async () => {
  const { master, project, other, cardId } = await synced({ projects: 2 })
  const second = await startTestService({}, service.address)
  const streams = [await openStream(service, project.user.token), await openStream(second, other.user.token)]
  for (const stream of streams) await until(() => stream.messages.length === 1, 'the first message')
  await changeMaster(master, cardId, { title: 'New' })
  await master.push(cardId)
  for (const [index, receiver] of [project, other].entries()) {
    const stream = present(streams[index])
    await until(() => stream.events().length === 1, 'the event')
    const { kind, board_id, actor_id, data } = present(stream.events()[0])
    assert.deepEqual(
      { kind, board_id, actor_id, rollout_kind: (data as { rollout_kind: string }).rollout_kind },
      {
        kind: 'template.rolled_out',
        board_id: (await master.copyIn(receiver)).id,
        actor_id: null,
        rollout_kind: 'card',
      },
    )
    await stream.close()
  }
})

test('boards/get shows what a rollout, a sync and a removal did at once, on every instance', async () => {
  const { master, project, cardId } = await synced()
  const second = await startTestService({}, service.address)
  const elsewhere = second.client(project.user.token)
  const copyId = (await master.copyIn(project)).id
  const titles = async () => {
    const { board } = await elsewhere.call(`${operations}/boards/get`, { id: copyId })
    return board.groups.map((group) => group.cards.map((card) => card.title))
  }
  assert.deepEqual(await titles(), [['Card 1', 'Card 2'], []])
  await changeMaster(master, cardId, { title: 'Pushed' })
  await master.push(cardId)
  assert.deepEqual(await titles(), [['Pushed', 'Card 2'], []])
  await master.addCard({ title: 'Synced', group_id: master.groupIds[1] })
  await master.sync()
  assert.deepEqual(await titles(), [['Pushed', 'Card 2'], ['Synced']])
  await master.admin.call(`${masters}/master-cards/delete`, { id: cardId, delete_from_projects: true })
  assert.deepEqual(await titles(), [['Card 2'], ['Synced']])
})

test('a rollout of an older state that comes late never undoes a newer one', async () => {
  const { master, project, other, cardId } = await synced({ projects: 2 })
  await sql.unsafe(
    `alter table cards add constraint late check (title <> 'Older' or project_id = ${other.id})`,
  )
  await changeMaster(master, cardId, { title: 'Older' })
  assert.equal(await master.push(cardId), 1)
  await changeMaster(master, cardId, { title: 'Newer' })
  assert.equal(await master.push(cardId), 2)
  await sql.unsafe('alter table cards drop constraint late')
  const { rollouts } = await master.admin.call(`${masters}/rollouts/list`, { board_id: master.boardId })
  const late = present(rollouts.find(({ counts }) => counts.failed === 1))
  const { rollout } = await master.admin.call(`${masters}/rollouts/retry`, { id: late.id })
  assert.deepEqual([rollout.counts.failed, rollout.counts.changed], [0, 1])
  assert.equal(present(await project.cardOf(cardId)).title, 'Newer')
})
