import assert from 'node:assert/strict'
import test from 'node:test'
import { createMaster } from '#tests/master.ts'
import { eventually } from '#tests/process.ts'
import { startTestService } from '#tests/service.ts'

const service = await startTestService({ figures: false })
const { sql } = service.db
const admin = '/services/operations/v1/admin'
const area = '/services/operations/v1/operations'

test('201 a reset is planned, gives chosen projects what they received, and leaves everything else', async () => {
  const master = await createMaster(service, { projects: 3, cards: 1 })
  await master.sync()
  const ids = master.projects.map(({ id }) => id)
  const card_id = master.cardIds[0] as number
  const copies = await sql<{ id: number; project_id: number }[]>`
    select id, project_id from cards where project_id = any(${ids}::bigint[]) and master_card_id = ${card_id} order by project_id`
  for (const { id } of copies)
    await master.admin.call(`${area}/cards/update`, { id, title: 'Own', description: 'Own words' })
  const refused = await master.admin.attempt(`${admin}/rollouts/plan`, {
    board_id: master.boardId,
    reset_fields: ['title'],
  })
  assert.deepEqual(refused.ok ? refused.data : [refused.status, refused.code], [422, 'card_id_required'])
  const { rollout } = await master.admin.call(`${admin}/rollouts/plan`, {
    ...{ board_id: master.boardId, card_id, reset_fields: ['title'], project_ids: ids.slice(0, 2) },
  })
  const now = async () => (await master.admin.call(`${admin}/rollouts/get`, { id: rollout.id })).rollout
  await eventually(async () => assert.equal((await now()).status, 'planned'))
  assert.deepEqual(
    [(await now()).kind, (await now()).plan?.changed, (await now()).plan?.updated],
    ['reset', 2, 2],
  )
  // One of them has it back before the plan is applied.
  await master.admin.call(`${area}/cards/update`, { id: copies[1]?.id as number, title: 'Card 1' })
  await master.admin.call(`${admin}/rollouts/apply`, { id: rollout.id })
  await eventually(async () => assert.equal((await now()).status, 'done'))
  const { counts } = await now()
  assert.deepEqual([counts.changed, counts.unchanged, counts.differs], [1, 1, 1])
  const titles = await sql<{ title: string; description: string | null }[]>`
    select title, description from cards where project_id = any(${ids}::bigint[]) and master_card_id = ${card_id} order by project_id`
  assert.deepEqual(
    titles.map(({ title, description }) => [title, description]),
    [
      ['Card 1', 'Own words'],
      ['Card 1', 'Own words'],
      ['Own', 'Own words'],
    ],
  )
  // A card that left the template is the project's own.
  const { rollout: late } = await master.admin.call(`${admin}/rollouts/plan`, {
    ...{ board_id: master.boardId, card_id, reset_fields: ['title'] },
  })
  const read = async () => (await master.admin.call(`${admin}/rollouts/get`, { id: late.id })).rollout
  await eventually(async () => assert.equal((await read()).status, 'planned'))
  assert.equal((await read()).plan?.changed, 1)
  await master.admin.call(`${admin}/master-cards/delete`, { id: card_id })
  await master.publish()
  await master.admin.call(`${admin}/rollouts/apply`, { id: late.id })
  await eventually(async () => assert.equal((await read()).status, 'done'))
  assert.equal((await read()).counts.changed, 0)
  const left = await master.admin.attempt(`${admin}/rollouts/plan`, {
    ...{ board_id: master.boardId, card_id, reset_fields: ['title'] },
  })
  assert.deepEqual(left.ok ? left.data : [left.status, left.code], [422, 'card_id_not_found'])
  const again = await master.admin.attempt(`${admin}/rollouts/revert`, { id: rollout.id })
  assert.deepEqual(again.ok ? again.data : [again.status, again.code], [400, 'rollout_is_revert'])
})
