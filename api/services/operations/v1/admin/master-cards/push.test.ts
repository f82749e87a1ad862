import assert from 'node:assert/strict'
import test from 'node:test'
import { createMaster, present } from '#tests/master.ts'
import { sender } from '#tests/post.ts'
import { startTestService } from '#tests/service.ts'

const masters = '/services/operations/v1/admin'
const service = await startTestService()
const superadmin = await service.addUser({ superadmin: true })
const send = sender(service, superadmin.token, `${masters}/master-cards`)
const sendV2 = sender(service, superadmin.token, '/services/operations/v2/admin/master-cards')
const missing = [0, -1, 999_999, Number.MAX_SAFE_INTEGER]

test('200 projects_updated as decimal text, in v2 as a number; a second push changes nothing', async () => {
  const { cardIds, projects } = await createMaster(service, { projects: 3 })
  const card_id = present(cardIds[0])
  const first = await send('/push', { card_id })
  assert.equal(first.status, 200)
  assert.deepEqual(first.body, {
    error: false,
    message: 'The card was rolled out.',
    data: { projects_updated: '3' },
  })
  const before = await Promise.all(projects.map((project) => project.cardOf(card_id)))
  assert.equal((await sendV2('/push', { card_id })).body.data.projects_updated, 0)
  assert.equal((await send('/push', { card_id })).body.data.projects_updated, '0')
  assert.deepEqual(await Promise.all(projects.map((project) => project.cardOf(card_id))), before)
})

test('a project gets the board and the group of the card, and not the rest', async () => {
  const master = await createMaster(service, { projects: 1, cards: 2 })
  const project = present(master.projects[0])
  const [, second] = master.cardIds as [number, number]
  assert.equal(await master.push(second), 1)
  const copy = await master.copyIn(project)
  const { title, tool_key, master_board_id, project_id, is_master, created_by } = copy
  assert.deepEqual(
    { title, tool_key, master_board_id, project_id, is_master, created_by },
    {
      title: 'Launch',
      tool_key: master.toolKey,
      master_board_id: master.boardId,
      project_id: project.id,
      is_master: false,
      created_by: null,
    },
  )
  assert.deepEqual(
    copy.groups.map((group) => [
      group.title,
      group.master_group_id,
      group.cards.map((card) => card.master_card_id),
    ]),
    [['Plan', master.groupIds[0], [second]]],
  )
  await master.sync()
  assert.deepEqual(
    (await master.copyIn(project)).groups.map((group) => [
      group.title,
      group.cards.map((card) => card.master_card_id),
    ]),
    [
      ['Plan', master.cardIds],
      ['Build', []],
    ],
  )
})

test('404 a card that is not there, was deleted, or is a copy', async () => {
  const master = await createMaster(service, { projects: 1 })
  await master.sync()
  const copy = present(await present(master.projects[0]).cardOf(present(master.cardIds[0])))
  const deleted = present(master.cardIds[1])
  await send('/delete', { id: deleted })
  for (const card_id of [...missing, deleted, copy.id]) {
    const { status, body } = await send('/push', { card_id })
    assert.equal(status, 404)
    assert.deepEqual(body, { error: true, message: 'There is no template card with this id.', data: [] })
  }
})

test('400 an inactive card, and a card of an inactive board; nothing is pushed', async () => {
  const master = await createMaster(service, { projects: 1 })
  const card_id = present(master.cardIds[0])
  await send('/update', { id: card_id, is_active: false })
  const card = await send('/push', { card_id })
  assert.deepEqual(card.body, {
    error: true,
    message: 'This template card is inactive; activate it to roll it out.',
    data: [],
  })
  await send('/update', { id: card_id, is_active: true })
  await master.admin.call(`${masters}/master-boards/update`, { id: master.boardId, is_active: false })
  const board = await send('/push', { card_id })
  assert.deepEqual(
    [card.status, board.status, board.body.message],
    [400, 400, 'The template of this card is inactive; activate it to roll out its cards.'],
  )
  assert.equal(await present(master.projects[0]).findBoard(master.boardId), undefined)
})

test('two pushes and two syncs at once: each project has each card once', async () => {
  const master = await createMaster(service, { projects: 4, cards: 3 })
  const [first, second] = master.cardIds as [number, number]
  await Promise.all([master.push(first), master.sync(), master.push(second), master.sync()])
  for (const project of master.projects)
    assert.deepEqual(
      (await master.copyIn(project)).groups.map((group) => group.cards.map((card) => card.master_card_id)),
      [master.cardIds, []],
    )
})
