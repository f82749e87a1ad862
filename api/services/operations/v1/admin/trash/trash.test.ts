import assert from 'node:assert/strict'
import test from 'node:test'
import { createMaster, type MasterFixture, present } from '#tests/master.ts'
import { sender } from '#tests/post.ts'
import { eventually } from '#tests/process.ts'
import { startTestService } from '#tests/service.ts'

const masters = '/services/operations/v1/admin'
const service = await startTestService()
const nameOf = ({ superadmin: { email } }: MasterFixture) => email.replace(/^user(\d+)@.*/, 'User $1')
const { sql } = service.db
const superadmin = await service.addUser({ superadmin: true })
const send = sender(service, superadmin.token, masters)

const trashOf = async ({ admin, boardId }: MasterFixture) =>
  (await admin.call(`${masters}/trash/list`, { board_id: boardId })).things
const outline = async (master: MasterFixture) =>
  (await master.whole()).groups.map(({ title, cards }) => [title, ...cards.map((card) => card.title)])

test('200 deleted templates, groups and cards are listed with who deleted them, and come back to their places', async () => {
  const master = await createMaster(service, { cards: 3 })
  const { admin, groupIds, cardIds, boardId } = master
  const before = await outline(master)
  assert.deepEqual(await trashOf(master), [])
  await admin.call(`${masters}/master-cards/delete`, { id: present(cardIds[1]) })
  await admin.call(`${masters}/master-groups/delete`, { id: groupIds[0] })
  const listed = await trashOf(master)
  assert.deepEqual(
    listed.map(({ kind, title, board_title, group_title, cards_count, deleted_by_name }) => [
      ...[kind, title, board_title, group_title, cards_count, deleted_by_name],
    ]),
    [
      ['group', 'Plan', 'Launch', null, 2, nameOf(master)],
      ['card', 'Card 2', 'Launch', 'Plan', 1, nameOf(master)],
    ],
  )
  const refused = await send('/master-cards/restore', { id: cardIds[1] })
  assert.deepEqual(
    [refused.status, refused.body.message],
    [400, 'The group of this template card was deleted.'],
  )
  const { group } = await admin.call(`${masters}/master-groups/restore`, { id: groupIds[0] })
  assert.equal(group.title, 'Plan')
  assert.deepEqual(await outline(master), [['Plan', 'Card 1', 'Card 3'], ['Build']])
  await admin.call(`${masters}/master-cards/restore`, { id: present(cardIds[1]) })
  assert.deepEqual(await outline(master), before)
  assert.deepEqual(await trashOf(master), [])
  assert.equal((await send('/master-groups/restore', { id: groupIds[0] })).status, 400)
  assert.equal((await send('/master-groups/restore', { id: 999_999 })).status, 404)

  await admin.call(`${masters}/master-boards/delete`, { id: boardId })
  const { things } = await admin.call(`${masters}/trash/list`, { limit: 1 })
  assert.deepEqual(
    things.map(({ kind, thing_id, cards_count }) => [kind, thing_id, cards_count]),
    [['template', boardId, 3]],
  )
  const { board } = await admin.call(`${masters}/master-boards/restore`, { id: boardId })
  assert.equal(board.title, 'Launch')
  assert.deepEqual(await outline(master), before)
  assert.equal((await send('/master-boards/restore', { id: boardId })).status, 400)
  assert.equal((await send('/master-boards/restore', { id: 999_999 })).status, 404)
})

test('a template that comes back has its versions, and its copies follow it again', async () => {
  const master = await createMaster(service)
  await master.sync()
  await master.admin.call(`${masters}/master-boards/delete`, { id: master.boardId })
  const project = present(master.projects[0])
  const card = present(await project.cardOf(present(master.cardIds[0])))
  const provenance = async () =>
    (await project.client.call('/services/operations/v1/operations/cards/get', { id: card.id })).provenance
  assert.equal(await provenance(), null)
  const { board } = await master.admin.call(`${masters}/master-boards/restore`, { id: master.boardId })
  assert.deepEqual([board.version, board.has_draft_changes], [1, false])
  assert.deepEqual([(await provenance())?.version, (await provenance())?.newest_version], [1, 1])
})

test('a card says from how many projects it was deleted, and so does the log', async () => {
  const master = await createMaster(service, { projects: 2, cards: 2 })
  const [first, second] = master.cardIds as [number, number]
  await master.sync()
  await master.admin.call(`${masters}/master-cards/delete`, { id: first, delete_from_projects: true })
  await master.admin.call(`${masters}/master-cards/delete`, { id: second })
  const counts = async () =>
    (await trashOf(master)).map(({ thing_id, removed_count }) => [thing_id, removed_count])
  assert.deepEqual(await counts(), [
    [second, 0],
    [first, 2],
  ])
  await master.publish()
  const { rollout } = await master.admin.call(`${masters}/rollouts/plan`, {
    board_id: master.boardId,
    card_id: second,
    project_ids: master.projects.slice(0, 1).map(({ id }) => id),
  })
  const reaches = (status: string) =>
    eventually(async () =>
      assert.equal(
        (await master.admin.call(`${masters}/rollouts/get`, { id: rollout.id })).rollout.status,
        status,
      ),
    )
  await reaches('planned')
  await master.admin.call(`${masters}/rollouts/apply`, { id: rollout.id })
  await reaches('done')
  assert.deepEqual(await counts(), [
    [second, 1],
    [first, 2],
  ])
  const third = await master.addCard({ title: 'Third' })
  await master.sync()
  const planned = await master.admin.call(`${masters}/rollouts/plan`, {
    board_id: master.boardId,
    card_id: third,
    delete_from_projects: true,
  })
  await eventually(async () =>
    assert.equal(
      (await master.admin.call(`${masters}/rollouts/get`, { id: planned.rollout.id })).rollout.status,
      'planned',
    ),
  )
  await master.admin.call(`${masters}/rollouts/apply`, { id: planned.rollout.id })
  await eventually(async () => assert.deepEqual((await counts())[0], [third, 2]))
  const { entries } = await master.admin.call(`${masters}/master-boards/log/list`, {
    board_id: master.boardId,
  })
  assert.deepEqual(
    entries
      .filter(({ rollout_kind }) => rollout_kind === 'removal')
      .map(({ projects_count }) => projects_count),
    [2, 1, 2],
  )
})

test('404 after 30 days, and no longer listed', async () => {
  const master = await createMaster(service)
  const { admin, cardIds, groupIds, boardId } = master
  await admin.call(`${masters}/master-cards/delete`, { id: present(cardIds[0]) })
  await admin.call(`${masters}/master-groups/delete`, { id: groupIds[1] })
  await sql`update master_cards set deleted_at = now() - interval '31 days' where id = ${present(cardIds[0])}`
  await sql`update master_groups set deleted_at = now() - interval '31 days' where id = ${groupIds[1]}`
  assert.deepEqual(await trashOf(master), [])
  assert.equal((await send('/master-cards/restore', { id: cardIds[0] })).status, 404)
  assert.equal((await send('/master-groups/restore', { id: groupIds[1] })).status, 404)
  await admin.call(`${masters}/master-boards/delete`, { id: boardId })
  await sql`update master_boards set deleted_at = now() - interval '31 days' where id = ${boardId}`
  assert.equal((await send('/master-boards/restore', { id: boardId })).status, 404)
})

test('400 a group or template whose card has an identifier that another one has taken since', async () => {
  const [master, other] = [await createMaster(service), await createMaster(service)]
  const { admin, boardId, groupIds, cardIds } = master
  const name = (id: number | undefined, unique_identifier: string | null) =>
    admin.call(`${masters}/master-cards/update`, { id: present(id), unique_identifier })
  await name(cardIds[0], 'taken-since')
  await admin.call(`${masters}/master-groups/delete`, { id: groupIds[0] })
  await name(other.cardIds[0], 'taken-since')
  const group = await send('/master-groups/restore', { id: groupIds[0] })
  assert.equal(group.status, 400)
  await name(other.cardIds[0], null)
  await admin.call(`${masters}/master-groups/restore`, { id: groupIds[0] })
  await admin.call(`${masters}/master-boards/delete`, { id: boardId })
  await name(other.cardIds[0], 'taken-since')
  assert.equal((await send('/master-boards/restore', { id: boardId })).status, 400)
})

test('things that were deleted at the same moment are on one page', async () => {
  const master = await createMaster(service, { cards: 5 })
  await master.publish()
  const late = await Promise.all([1, 2, 3].map((number) => master.addCard({ title: `Late ${number}` })))
  await master.admin.call(`${masters}/master-boards/versions/restore`, {
    board_id: master.boardId,
    number: 1,
  })
  const first = await master.admin.call(`${masters}/trash/list`, { board_id: master.boardId, limit: 1 })
  assert.deepEqual(first.things.map(({ thing_id }) => thing_id).sort(), late.sort())
  const rest = await master.admin.call(`${masters}/trash/list`, {
    board_id: master.boardId,
    cursor: first.next_cursor,
  })
  assert.deepEqual([rest.things, rest.next_cursor], [[], null])
  assert.equal((await send('/trash/list', { cursor: 'x' })).status, 422)
})
