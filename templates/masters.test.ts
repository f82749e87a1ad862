import assert from 'node:assert/strict'
import test from 'node:test'
import { readsOf } from '#tests/reads.ts'
import { startTestService } from '#tests/service.ts'
import { createMaster } from '#tests/templates/fleet.ts'
import { writeMasterOrder } from './masters.ts'

test('a template is changed while a count of one of its copies is not committed', async () => {
  const { db, ...service } = await startTestService()
  const superadmin = service.client((await service.addUser({ superadmin: true })).token)
  const { boardId, cardIds } = await createMaster(superadmin)
  const projectId = await service.addProject()
  await db.transaction(async ({ sql }) => {
    await sql`
      insert into project_template_states (project_id, master_board_id, states) values (${projectId}, ${boardId}, '{}')`
    await superadmin.call('/services/operations/v1/admin/master-cards/update', {
      id: cardIds[0] as number,
      title: 'Changed meanwhile',
    })
  })
})

test('ordering the cards of a group reads no revision of another board', async () => {
  const { db, ...service } = await startTestService()
  const superadmin = service.client((await service.addUser({ superadmin: true })).token)
  const { boardId, groupIds, cardIds } = await createMaster(superadmin)
  const other = await createMaster(superadmin)
  await db.sql`
    insert into master_card_revisions
    select (jsonb_populate_record(r, jsonb_build_object('revision', 100 + number))).*
    from master_card_revisions r, generate_series(1, 2000) number where r.card_id = ${other.cardIds[0] as number}`
  await db.sql`analyze master_card_revisions`
  const [first, , third] = cardIds as [number, number, number]
  const reads = await readsOf(db, ['master_card_revisions'], async (queries) => {
    const ranks = await queries.sql<{ id: number; rank: number }[]>`
      select id, rank from master_cards where id in (${first}, ${third}) order by rank desc`
    const list = { boardId, groupId: groupIds[0] as number }
    assert.equal((await writeMasterOrder(queries, list, ranks)).length, 1)
  })
  assert.ok(reads <= cardIds.length, `${reads} revisions read for a board with ${cardIds.length}`)
})
