// The limits of projects and templates: at the limit and one beyond, through every operation, and with concurrent calls.
import assert from 'node:assert/strict'
import test from 'node:test'
import { addMember } from '#projects/members.ts'
import { createBoard } from '#tests/board.ts'
import { createMaster } from '#tests/master.ts'
import { startTestService } from '#tests/service.ts'
import { assertSizesTrue } from '#tests/sizes.ts'
import { type Quotas, usualQuotas } from './quotas.ts'

const area = '/services/operations/v1/operations'
const admin = '/services/operations/v1/admin'

const start = (quotas: Partial<Quotas>) => startTestService({ quotas: { ...usualQuotas, ...quotas } })

/** The messages of a refused call about one field. */
const said = (answer: { ok: boolean; errors?: Record<string, string[]> }, field: string) =>
  answer.errors?.[field]?.[0]

const fullGroup = 'A group can hold at most 3 cards. Move or delete some first, or use another group.'
const fullBoard = 'A board can hold at most 5 cards. Move or delete some first, or use another board.'

const fullViews =
  'There can be at most 2 saved views for the project, and as many for each person. Delete one first.'

const small = await start({
  cardsPerGroup: 3,
  cardsPerBoard: 5,
  groupsPerBoard: 4,
  commentsPerCard: 2,
  boardsPerProject: 3,
  tagsPerProject: 2,
  savedViews: 2,
  membersPerProject: 5,
})

test('422: a full group refuses cards/create and cards/move, and 400 cards/restore', async () => {
  const { member, admin: boss, groupIds, cardIds } = await createBoard(small, { cards: 3 })
  const [first, second] = groupIds as [number, number]
  const create = (group_id: number) => member.attempt(`${area}/cards/create`, { title: 'One more', group_id })
  assert.equal(said(await create(first), 'group_id'), fullGroup)

  const other = await create(second)
  assert.ok(other.ok)
  const move = () => member.attempt(`${area}/cards/move`, { id: other.data.card.id, group_id: first })
  // A group is counted only once the whole board has more cards than a group may have.
  assert.equal(said(await move(), 'group_id'), fullGroup)

  const [deleted] = cardIds as [number]
  await boss.call(`${area}/cards/delete`, { id: deleted })
  assert.equal((await move()).status, 200)
  const restored = await boss.attempt(`${area}/cards/restore`, { id: deleted })
  assert.deepEqual([restored.status, restored.ok || restored.message], [400, fullGroup])
  await assertSizesTrue(small.db)
})

test('422: a full board refuses new and moved cards, and 400 restoring a group with cards', async () => {
  const { admin: boss, member, boardId, groupIds } = await createBoard(small, { cards: 3 })
  const [, second, third] = groupIds as [number, number, number]
  for (const title of ['Four', 'Five']) await member.call(`${area}/cards/create`, { title, group_id: second })
  const refused = await member.attempt(`${area}/cards/create`, { title: 'Six', group_id: third })
  assert.equal(said(refused, 'group_id'), fullBoard)

  const { board } = await boss.call(`${area}/boards/create`, { title: 'Other' })
  const { group } = await boss.call(`${area}/groups/create`, { board_id: board.id, title: 'Elsewhere' })
  const { card } = await member.call(`${area}/cards/create`, { title: 'Elsewhere', group_id: group.id })
  await member.call(`${area}/comments/create`, { card_id: card.id, comment: 'It has a comment' })
  const moved = await member.attempt(`${area}/cards/move`, { id: card.id, group_id: third })
  assert.equal(said(moved, 'group_id'), fullBoard)

  await boss.call(`${area}/groups/delete`, { id: second })
  await member.call(`${area}/cards/move`, { id: card.id, group_id: third })
  await assertSizesTrue(small.db)
  const restored = await boss.attempt(`${area}/groups/restore`, { id: second })
  assert.deepEqual([restored.status, restored.ok || restored.message], [400, fullBoard])
  await boss.call(`${area}/cards/move`, { id: card.id, group_id: group.id })
  await boss.call(`${area}/groups/restore`, { id: second })
  await boss.call(`${area}/boards/delete`, { id: boardId })
  await boss.call(`${area}/boards/restore`, { id: boardId })
  await assertSizesTrue(small.db)
})

test('422: the number of groups, boards, tags, views and comments is limited, and 400 refuses restoring more', async () => {
  const { admin: boss, member, boardId, cardIds } = await createBoard(small, { cards: 1 })
  const { group } = await boss.call(`${area}/groups/create`, { board_id: boardId, title: 'Fourth' })
  const fifth = await boss.attempt(`${area}/groups/create`, { board_id: boardId, title: 'Fifth' })
  assert.equal(said(fifth, 'board_id'), 'A board can have at most 4 groups. Delete one first.')
  await boss.call(`${area}/groups/delete`, { id: group.id })
  await boss.call(`${area}/groups/create`, { board_id: boardId, title: 'Fourth again' })
  assert.equal((await boss.attempt(`${area}/groups/restore`, { id: group.id })).status, 400)

  const { board } = await boss.call(`${area}/boards/create`, { title: 'Second' })
  await boss.call(`${area}/boards/create`, { title: 'Third' })
  const fourth = await boss.attempt(`${area}/boards/create`, { title: 'Fourth' })
  assert.equal(said(fourth, 'title'), 'A project can have at most 3 boards. Delete one first.')
  const view = { name: 'Late', parameters: 'due=overdue' }
  // A view of a deleted board does not count.
  await member.call(`${area}/views/create`, { ...view, board_id: board.id })
  await boss.call(`${area}/boards/delete`, { id: board.id })
  await boss.call(`${area}/boards/create`, { title: 'Third again' })
  assert.equal((await boss.attempt(`${area}/boards/restore`, { id: board.id })).status, 400)

  const old = await member.call(`${area}/tags/create`, { name: 'Old' })
  await member.call(`${area}/tags/delete`, { id: old.tag.id })
  for (const name of ['One', 'Two']) await member.call(`${area}/tags/create`, { name })
  const back = await member.attempt(`${area}/tags/restore`, { id: old.tag.id })
  assert.deepEqual([back.status, back.ok || back.code], [400, 'limit_reached'])
  const third = await member.attempt(`${area}/tags/create`, { name: 'Three' })
  assert.equal(said(third, 'name'), 'A project can have at most 2 tags. Delete one first.')
  const ofSearch = { ...view, page: 'search' } as const
  for (const is_shared of [true, true, false, false])
    await member.call(`${area}/views/create`, { ...ofSearch, is_shared })
  const more = await member.attempt(`${area}/views/create`, ofSearch)
  assert.equal(said(more, 'name'), fullViews)
  const { views } = await member.call(`${area}/views/list`)
  const shared = await member.attempt(`${area}/views/update`, { id: views[0]?.id as number, is_shared: true })
  assert.equal(said(shared, 'is_shared'), fullViews)

  const card_id = cardIds[0] as number
  const comment = (text: string) => member.attempt(`${area}/comments/create`, { card_id, comment: text })
  const one = await comment('One')
  assert.ok(one.ok)
  await comment('Two')
  assert.equal(
    said(await comment('Three'), 'card_id'),
    'A card can have at most 2 comments. Delete some first, or continue on another card.',
  )
  await member.call(`${area}/comments/delete`, { id: one.data.comment.id })
  assert.equal((await comment('Three')).status, 201)
  assert.equal((await member.attempt(`${area}/comments/restore`, { id: one.data.comment.id })).status, 400)
  await assertSizesTrue(small.db)
})

test('a full project refuses new members, but roles can still be changed', async () => {
  const { projectId, members } = await createBoard(small)
  const quotas = { ...usualQuotas, membersPerProject: 5 }
  const fifth = await small.addUser()
  const sixth = await small.addUser()
  await addMember(small.db, projectId, fifth.id, 'viewer', quotas)
  await assert.rejects(addMember(small.db, projectId, sixth.id, 'viewer', quotas), { code: 'QUOTA' })
  await addMember(small.db, projectId, members.viewer.id, 'member', quotas)
})

test('of 50 concurrent writes exactly as many get 201 as there is room for', async () => {
  const service = await start({ cardsPerGroup: 10, cardsPerBoard: 15, commentsPerCard: 7 })
  const { member, groupIds, cardIds } = await createBoard(service, { cards: 5 })
  const atOnce = async (attempt: (index: number) => Promise<{ status: number }>) => {
    const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => attempt(index)))
    return answers.filter(({ status }) => status === 201).length
  }
  const create = (group_id: number) => member.attempt(`${area}/cards/create`, { title: 'Many', group_id })
  // With five cards on the board, five more fit into the first group and another five elsewhere.
  assert.equal(await atOnce(() => create(groupIds[0] as number)), 5)
  assert.equal(await atOnce((index) => create(groupIds[1 + (index % 2)] as number)), 5)
  const card_id = cardIds[0] as number
  assert.equal(await atOnce(() => member.attempt(`${area}/comments/create`, { card_id, comment: 'x' })), 7)
  await assertSizesTrue(service.db)
})

test('422: bytes are counted as they are sent, of a board and of a project; what is over the limit may shrink', async () => {
  const service = await start({ bytesPerBoard: 20_000, bytesPerProject: 30_000 })
  const { admin: boss, member, boardId, groupIds, cardIds } = await createBoard(service, { cards: 1 })
  const id = cardIds[0] as number
  const tooLarge =
    'A board can hold at most 20 KB. Shorten descriptions or delete cards first, or use another board.'
  const update = (input: object) => member.attempt(`${area}/cards/update`, { id, ...input })
  // 2,500 quotes take 10,000 bytes in v1.
  assert.equal((await update({ short_description: '"'.repeat(2500) })).status, 200)
  assert.equal(said(await update({ short_description: '"'.repeat(5000) }), 'short_description'), tooLarge)
  const created = await member.attempt(`${area}/cards/create`, {
    title: 'Long',
    description: 'x'.repeat(9000),
    group_id: groupIds[0] as number,
  })
  assert.equal(said(created, 'description'), tooLarge)
  const grouped = { id: groupIds[0] as number, description: 'x'.repeat(9000) }
  assert.equal(said(await member.attempt(`${area}/groups/update`, grouped), 'description'), tooLarge)
  const described = { id: boardId, description: 'x'.repeat(9000) }
  assert.equal(said(await boss.attempt(`${area}/boards/update`, described), 'description'), tooLarge)

  const comment = (length: number) =>
    member.attempt(`${area}/comments/create`, { card_id: id, comment: 'x'.repeat(length) })
  const written = await comment(10_000)
  assert.ok(written.ok)
  const full = 'A project can hold at most 30 KB. Delete boards, cards or comments first.'
  assert.equal(said(await comment(10_000), 'comment'), full)
  const longer = { id: written.data.comment.id, comment: 'x'.repeat(30_000) }
  assert.equal(said(await member.attempt(`${area}/comments/update`, longer), 'comment'), full)

  // As if the limit had been lowered: nothing may come, everything may go or become shorter.
  await service.db.sql`update cards set description = ${'x'.repeat(50_000)} where id = ${id}`
  await service.db.sql`delete from board_sizes`
  await service.db.sql`insert into board_sizes select * from counted_sizes(null)`
  assert.equal((await update({ title: 'A longer title' })).status, 422)
  assert.equal((await update({ title: 'C' })).status, 200)
  assert.equal((await member.call(`${area}/cards/get`, { id })).card.description?.length, 50_000)
  assert.equal((await update({ description: 'x'.repeat(40_000) })).status, 200)
  await assertSizesTrue(service.db)
})

test('a rollout leaves out a project without room, says why, and reaches the others', async () => {
  const service = await start({ boardsPerProject: 1, cardsPerBoard: 5 })
  const full = await createMaster(service, { projects: 3, cards: 2 })
  const [one, two] = full.projects
  assert.ok(one && two)
  await one.client.call(`${area}/boards/create`, { title: 'Own' })
  assert.deepEqual(await full.sync(), { synced_count: 2, skipped_no_access: 0 })
  const failures = async () => {
    const { rollouts } = await full.admin.call(`${admin}/rollouts/list`, { board_id: full.boardId })
    const id = rollouts[0]?.id as number
    const { results } = await full.admin.call(`${admin}/rollouts/get`, { id, outcome: 'failed' })
    return results.map(({ project_id, error }) => [project_id, error])
  }
  const toOperators = 'Ask its members to delete one, or raise the limit, then retry.'
  assert.deepEqual(await failures(), [
    [one.id, `This project has 1 boards, as many as a project can have. ${toOperators}`],
  ])
  await service.db.sql`update users set language = 'de' where id = ${full.superadmin.id}`
  const inGerman = 'Die Mitglieder bitten, eines zu löschen, oder die Grenze erhöhen, dann erneut versuchen.'
  assert.deepEqual(await failures(), [
    [one.id, `Dieses Projekt hat 1 Boards, so viele, wie ein Projekt haben kann. ${inGerman}`],
  ])
  await service.db.sql`update users set language = null where id = ${full.superadmin.id}`
  // Rollouts of earlier versions have stored a sentence.
  await service.db
    .sql`update rollout_batches set failures = jsonb_build_object(${String(one.id)}::text, 'No room.') where failures ? ${String(one.id)}`
  assert.deepEqual(await failures(), [[one.id, 'No room.']])

  const keep = (keys: string[]) =>
    service.db.sql`update projects set tool_keys = ${service.db.sql.json(keys)} where id = ${one.id}`
  await keep([])
  const gaining = { id: one.id, tool_key: full.toolKey }
  const given = await full.admin.attempt(`${admin}/projects/add-product`, gaining)
  assert.deepEqual([given.status, given.ok || given.code], [400, 'limit_reached'])
  await keep([full.toolKey])

  const copy = await full.copyIn(two)
  const group_id = copy.groups[0]?.id as number
  for (const title of ['3', '4', '5']) await two.client.call(`${area}/cards/create`, { title, group_id })
  await full.addCard({ title: 'One more', push_to_projects: true })
  assert.deepEqual(await failures(), [
    [one.id, `This project has 1 boards, as many as a project can have. ${toOperators}`],
    [
      two.id,
      'A board of this project would have more than 5 cards. Ask its members to delete some, or raise the limit, then retry.',
    ],
  ])
  await assertSizesTrue(service.db)
})

test('400 what was deleted from a template, a template and an old version are restored only where there is room', async () => {
  const service = await start({ groupsPerBoard: 3, templates: 2 })
  const { admin: boss, boardId, groupIds, publish } = await createMaster(service)
  const full = [400, 'limit_reached']
  await boss.call(`${admin}/master-groups/create`, { board_id: boardId, title: 'Third' })
  await publish()
  await boss.call(`${admin}/master-groups/delete`, { id: groupIds[0] })
  const { group } = await boss.call(`${admin}/master-groups/create`, { board_id: boardId, title: 'Fourth' })
  const restored = await boss.attempt(`${admin}/master-groups/restore`, { id: groupIds[0] })
  assert.deepEqual([restored.status, restored.ok || restored.code], full)

  await boss.call(`${admin}/master-groups/delete`, { id: group.id })
  // A limit can be lower than when the version was published.
  const stricter = await startTestService({ quotas: { ...usualQuotas, groupsPerBoard: 2 } }, service.address)
  const other = stricter.client((await stricter.addUser({ superadmin: true })).token)
  const version = await other.attempt(`${admin}/master-boards/versions/restore`, {
    board_id: boardId,
    number: 1,
  })
  assert.deepEqual([version.status, version.ok || version.code], full)

  await boss.call(`${admin}/master-boards/delete`, { id: boardId })
  for (const title of ['Second', 'Third']) await boss.call(`${admin}/master-boards/create`, { title })
  const template = await boss.attempt(`${admin}/master-boards/restore`, { id: boardId })
  assert.deepEqual([template.status, template.ok || template.code], full)
})

test('422: a template holds no more than a board of a project can take, and 400 no copy of it beyond the most', async () => {
  const service = await start({
    cardsPerGroup: 2,
    cardsPerBoard: 3,
    groupsPerBoard: 3,
    bytesPerBoard: 20_000,
    templates: 2,
  })
  const { admin: boss, boardId, groupIds, cardIds, addCard } = await createMaster(service)
  const [first, second] = groupIds
  const create = (group_id: number) =>
    boss.attempt(`${admin}/master-cards/create`, { title: 'More', group_id })
  assert.match(said(await create(first), 'group_id') ?? '', /^A group can hold at most 2 cards/)
  const other = await addCard({ title: 'Third', group_id: second })
  assert.match(said(await create(second), 'group_id') ?? '', /^A board can hold at most 3 cards/)
  const moved = await boss.attempt(`${admin}/master-cards/move`, { id: other, group_id: first })
  assert.match(said(moved, 'group_id') ?? '', /^A group can hold at most 2 cards/)
  await boss.call(`${admin}/master-groups/create`, { board_id: boardId, title: 'Third' })
  const fourth = await boss.attempt(`${admin}/master-groups/create`, { board_id: boardId, title: 'Fourth' })
  assert.match(said(fourth, 'board_id') ?? '', /^A board can have at most 3 groups/)
  const [deleted] = cardIds as [number]
  await boss.call(`${admin}/master-cards/delete`, { id: deleted })
  await create(first)
  assert.equal((await boss.attempt(`${admin}/master-cards/restore`, { id: deleted })).status, 400)

  const long = 'x'.repeat(20_000)
  const tooLong = { id: other, description: long }
  assert.match(
    said(await boss.attempt(`${admin}/master-cards/update`, tooLong), 'description') ?? '',
    /20 KB/,
  )
  const group = { id: first, description: long }
  assert.match(said(await boss.attempt(`${admin}/master-groups/update`, group), 'description') ?? '', /20 KB/)
  const board = { id: boardId, description: long }
  assert.match(said(await boss.attempt(`${admin}/master-boards/update`, board), 'description') ?? '', /20 KB/)

  await boss.call(`${admin}/master-boards/duplicate`, { id: boardId })
  const most = 'There can be at most 2 templates. Delete one first.'
  assert.equal(said(await boss.attempt(`${admin}/master-boards/create`, { title: 'Third' }), 'title'), most)
  const duplicate = await boss.attempt(`${admin}/master-boards/duplicate`, { id: boardId })
  assert.deepEqual([duplicate.status, duplicate.ok || duplicate.message], [400, most])
  const { boardId: ofProject } = await createBoard(service)
  const fromBoard = await boss.attempt(`${admin}/master-boards/from-board`, { board_id: ofProject })
  assert.deepEqual([fromBoard.status, fromBoard.ok || fromBoard.message], [400, most])
})

test('400: a card cannot be reset into a full group', async () => {
  const service = await start({ cardsPerGroup: 2 })
  const master = await createMaster(service)
  const [project] = master.projects
  assert.ok(project)
  await master.sync()
  const { groups } = await master.copyIn(project)
  const [first, second] = groups
  const id = first?.cards[0]?.id as number
  await project.client.call(`${area}/cards/move`, { id, group_id: second?.id as number })
  await project.client.call(`${area}/cards/create`, { title: 'Instead', group_id: first?.id as number })
  const reset = await project.client.attempt(`${area}/cards/reset`, { id, fields: ['place'] })
  assert.deepEqual(
    [reset.status, reset.ok || reset.message],
    [400, 'A group can hold at most 2 cards. Move or delete some first, or use another group.'],
  )
  await assertSizesTrue(service.db)
})
