import assert from 'node:assert/strict'
import test from 'node:test'
import { createMaster, present } from '#tests/master.ts'
import { sender } from '#tests/post.ts'
import { startTestService } from '#tests/service.ts'

const masters = '/services/operations/v1/admin'
const service = await startTestService()
const superadmin = await service.addUser({ superadmin: true })
const send = sender(service, superadmin.token, `${masters}/master-boards/sync`)

test('200 with the counts as integers; the projects have the whole board', async () => {
  const master = await createMaster(service, { projects: 3, cards: 2 })
  await service.addProject('Without the tool')
  const { status, body } = await send('', { board_id: master.boardId })
  assert.equal(status, 200)
  assert.deepEqual(body, {
    error: false,
    message: 'The projects are up to date.',
    data: { synced_count: 3, skipped_no_access: 1 },
  })
  const original = await master.whole()
  for (const project of master.projects) {
    const copy = await master.copyIn(project)
    assert.deepEqual(
      copy.groups.map(({ title, position, master_group_id, cards }) => ({
        title,
        position,
        id: master_group_id,
        cards: cards.map((card) => ({ title: card.title, position: card.position, id: card.master_card_id })),
      })),
      original.groups.map(({ title, position, id, cards }) => ({
        title,
        position,
        id,
        cards: cards.map((card) => ({ title: card.title, position: card.position, id: card.id })),
      })),
    )
  }
})

test('synced_count counts the projects that were up to date already', async () => {
  const { boardId } = await createMaster(service, { projects: 2 })
  const first = await send('', { board_id: boardId })
  const again = await send('', { board_id: boardId })
  assert.deepEqual(again.body, first.body)
  assert.equal(first.body.data.synced_count, 2)
})

test('the message says in how many projects the rollout failed, in the language of the caller', async () => {
  const master = await createMaster(service, { projects: 3 })
  const { id } = present(master.projects[0])
  await service.db.sql.unsafe(
    `alter table boards add constraint refused check (project_id <> ${id}) not valid`,
  )
  const { body } = await send('', { board_id: master.boardId })
  assert.match(
    body.message,
    /^The rollout failed in 1 of 3 projects; admin\/rollouts\/get with id \d+ tells why in each\.$/,
  )
  assert.equal(body.data.synced_count, 2)
  assert.deepEqual(Object.keys(body.data), ['synced_count', 'skipped_no_access'])
  const card = present(master.cardIds[0])
  const german = {
    method: 'POST',
    headers: {
      authorization: `Bearer ${superadmin.token}`,
      'content-type': 'application/json',
      'accept-language': 'de',
    },
  }
  const pushed = await fetch(`${service.url}/api${masters}/master-cards/push`, {
    ...german,
    body: JSON.stringify({ card_id: card }),
  })
  assert.match(
    ((await pushed.json()) as { message: string }).message,
    /^Die Verteilung ist in 1 von 3 Projekten gescheitert;/,
  )
  await service.db.sql.unsafe('alter table boards drop constraint refused')
})

test('200 a board without groups', async () => {
  const { admin, toolKey, projects } = await createMaster(service, { projects: 1 })
  const { board } = await admin.call(`${masters}/master-boards/create`, { title: 'Empty', tool_key: toolKey })
  assert.equal((await send('', { board_id: board.id })).body.data.synced_count, 1)
  assert.deepEqual((await present(projects[0]).boardOf(board.id)).groups, [])
})

test('404 a board that is not there, or is a copy', async () => {
  const master = await createMaster(service, { projects: 1 })
  await master.sync()
  const copy = await master.copyIn(present(master.projects[0]))
  for (const board_id of [0, -1, 999_999, Number.MAX_SAFE_INTEGER, copy.id]) {
    const { status, body } = await send('', { board_id })
    assert.equal(status, 404)
    assert.deepEqual(body, { error: true, message: 'There is no template with this id.', data: [] })
  }
})

test('400 an inactive board; nothing is pushed', async () => {
  const master = await createMaster(service, { projects: 1 })
  await master.admin.call(`${masters}/master-boards/update`, { id: master.boardId, is_active: false })
  const { status, body } = await send('', { board_id: master.boardId })
  assert.equal(status, 400)
  assert.deepEqual(body, {
    error: true,
    message: 'This template is inactive; activate it to roll it out.',
    data: [],
  })
  assert.equal(await present(master.projects[0]).findBoard(master.boardId), undefined)
})

test('eight syncs at once while the master changes: every project ends with the newest state, each card once', async () => {
  const master = await createMaster(service, { projects: 5, cards: 2 })
  const [first, second] = master.cardIds as [number, number]
  await Promise.all(
    Array.from({ length: 8 }, async (_, index) => {
      await master.admin.call(`${masters}/master-cards/update`, { id: first, title: `Title ${index}` })
      await master.admin.call(`${masters}/master-cards/move`, { id: second, position: 1 + (index % 2) })
      await master.addCard({ title: `Added ${index}` })
      await master.sync()
    }),
  )
  await master.sync()
  const wanted = (await master.whole()).groups.map((group) => group.cards.map(({ id, title }) => [id, title]))
  assert.equal(wanted[0]?.length, 10)
  for (const project of master.projects)
    assert.deepEqual(
      (await master.copyIn(project)).groups.map((group) =>
        group.cards.map((card) => [card.master_card_id, card.title]),
      ),
      wanted,
    )
})
