import assert from 'node:assert/strict'
import test from 'node:test'
import type { Database, Queries } from '#database/connect.ts'
import { addMember } from '#projects/members.ts'
import { usualQuotas } from '#quotas/quotas.ts'
import { createBoard } from '#tests/board.ts'
import { startTestService } from '#tests/service.ts'
import { changeCard } from './changing.ts'

const service = await startTestService()

test('a person who becomes a member between two statements of an update is the assignee', async () => {
  const { projectId, cardIds, members } = await createBoard(service, { cards: 1 })
  const late = await service.addUser()
  let joins = 1
  /** The person joins right after the database has refused them. */
  const run: Queries['run'] = async <Row extends object>(...statement: Parameters<Queries['run']>) => {
    const rows = await service.db.run<Row>(...statement)
    if (statement[0].includes('change_card') && joins-- > 0)
      await addMember(service.db, projectId, late.id, 'member')
    return rows
  }
  const db: Database = { ...service.db, run }
  const action = { projectId, id: cardIds[0] as number, actorId: members.member.id }
  const changed = await changeCard(db, usualQuotas, action, { owner_id: late.id })
  assert.ok(changed && changed !== 'stale' && 'owner_id' in changed, JSON.stringify(changed))
  assert.equal(changed.owner_id, late.id)
})
