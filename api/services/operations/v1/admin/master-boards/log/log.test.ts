import assert from 'node:assert/strict'
import test from 'node:test'
import { createMaster, type MasterFixture, present } from '#tests/master.ts'
import { sender } from '#tests/post.ts'
import { eventually } from '#tests/process.ts'
import { startTestService } from '#tests/service.ts'

const masters = '/services/operations/v1/admin'
const service = await startTestService()
const nameOf = ({ superadmin: { email } }: MasterFixture) => email.replace(/^user(\d+)@.*/, 'User $1')
const superadmin = await service.addUser({ superadmin: true })
const send = sender(service, superadmin.token, `${masters}/master-boards/log`)

const logOf = async ({ admin, boardId }: MasterFixture, paging: object = {}) =>
  admin.call(`${masters}/master-boards/log/list`, { board_id: boardId, ...paging })

test('200 who changed what, published and rolled out, newest first', async () => {
  const master = await createMaster(service, { cards: 1 })
  const { admin, boardId, groupIds } = master
  const id = present(master.cardIds[0])
  await admin.call(`${masters}/master-cards/update`, { id, title: 'Renamed', priority: 'high' })
  await admin.call(`${masters}/master-groups/reorder`, {
    board_id: boardId,
    groups: [{ id: groupIds[1], position: 1 }],
  })
  await master.publish('First steps')
  await admin.call(`${masters}/master-cards/delete`, { id })
  await admin.call(`${masters}/master-cards/restore`, { id })
  await admin.call(`${masters}/master-groups/delete`, { id: groupIds[0] })
  await admin.call(`${masters}/master-boards/update`, { id: boardId, title: 'Other', is_active: true })
  await master.sync()
  const { entries } = await logOf(master)
  assert.ok(entries.every(({ created_by_name }) => created_by_name === nameOf(master)))
  assert.deepEqual(
    entries.map(({ kind, version, note, rollout_kind, title, changes }) =>
      kind === 'change'
        ? changes.map(({ thing, action, title: name, fields }) => [thing, action, name, ...fields].join(' '))
        : [kind, version, note, rollout_kind, title].join(' ').trim(),
    ),
    [
      'rollout 2  board Other',
      'version 2',
      ['template updated Other title'],
      ['group deleted Plan', 'card deleted Renamed'],
      ['card restored Renamed'],
      ['card deleted Renamed'],
      'version 1 First steps',
      ['group moved Build'],
      ['card updated Renamed title priority'],
      ['card created Card 1'],
      ['group created Build'],
      ['group created Plan'],
      ['template created Launch'],
    ],
  )
})

test('200 a rollout that was planned is listed when it began, with who applied it', async () => {
  const master = await createMaster(service, { cards: 1 })
  const { admin, boardId } = master
  await master.publish()
  const { rollout } = await admin.call(`${masters}/rollouts/plan`, { board_id: boardId })
  const { id } = rollout
  const reaches = (status: string) =>
    eventually(async () =>
      assert.equal((await admin.call(`${masters}/rollouts/get`, { id })).rollout.status, status),
    )
  await reaches('planned')
  await admin.call(`${masters}/master-cards/update`, { id: present(master.cardIds[0]), title: 'Meanwhile' })
  const other = service.client(superadmin.token)
  await other.call(`${masters}/rollouts/apply`, { id })
  await reaches('done')
  const { entries } = await logOf(master)
  assert.deepEqual(
    entries.slice(0, 3).map(({ kind, created_by }) => [kind, created_by === superadmin.id]),
    [
      ['rollout', true],
      ['change', false],
      ['version', false],
    ],
  )
})

test('200 in pages; what happened at the same moment is not apart', async () => {
  const master = await createMaster(service)
  await master.sync()
  const { entries } = await logOf(master)
  const first = await logOf(master, { limit: 1 })
  assert.deepEqual(
    first.entries.map(({ kind }) => kind),
    ['rollout', 'version'],
  )
  const pages = [first]
  for (let cursor = first.next_cursor; cursor !== null; cursor = present(pages.at(-1)).next_cursor)
    pages.push(await logOf(master, { limit: 2, cursor }))
  assert.deepEqual(
    pages.flatMap((page) => page.entries),
    entries,
  )
  assert.equal((await send('/list', { board_id: master.boardId, cursor: 'x' })).status, 422)
  assert.equal((await send('/list', { board_id: 999_999 })).status, 404)
})

test('200 a change of many things names twenty of them and counts all', async () => {
  const master = await createMaster(service, { cards: 25 })
  await master.admin.call(`${masters}/master-groups/delete`, { id: master.groupIds[0] })
  const [entry] = (await logOf(master, { limit: 1 })).entries
  assert.deepEqual([entry?.changes_count, entry?.changes.length, entry?.changes[0]?.thing], [26, 20, 'group'])
})
