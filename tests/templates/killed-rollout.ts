// A rollout to 2,000 projects by a real process, for the tests that kill or stop it.
import assert from 'node:assert/strict'
import type { Database } from '#database/connect.ts'
import { demoPassword } from '../../demo/accounts.ts'
import { eventually, type RunningService } from '../process.ts'
import { addProjects, admin, assertExact, assertSound, createMaster, type Fleet } from './fleet.ts'

const email = 'superadmin@cardinal.test'
export const limits = { CARDINAL_RATE_LIMIT: '1000000', CARDINAL_ANONYMOUS_RATE_LIMIT: '1000000' }
const count = 2_000

export interface Scene extends Fleet {
  token: string
  projectIds: number[]
  editedIds: number[]
}

/** A board of ten cards in 2,000 projects, a hundred of which have customized a title; then the template changes. */
export async function prepare(service: RunningService, db: Database): Promise<Scene> {
  const token = await service.signIn(email, demoPassword)
  const superadmin = service.client(token)
  const { sql } = db
  await sql`update projects set deleted_at = now() where name <> 'Acme'`
  const fleet = await createMaster(superadmin, { cards: 10, toolKey: 'fleet' })
  const projectIds = await addProjects(db, count, ['fleet'])
  const { synced_count: synced } = await superadmin.call(`${admin}/master-boards/sync`, {
    board_id: fleet.boardId,
  })
  assert.equal(synced, count)
  const edited = await sql<{ project_id: number }[]>`
    update cards set title = 'own' where master_card_id = ${fleet.cardIds[0] as number} and project_id % 20 = 0
    returning project_id`
  return { ...fleet, token, projectIds, editedIds: edited.map((row) => row.project_id) }
}

/** Changes the template for every project: one more card, another title, another position. */
export async function change(service: RunningService, { cardIds, groupIds, token }: Scene, title: string) {
  const superadmin = service.client(token)
  const [first, second] = cardIds as [number, number]
  await superadmin.call(`${admin}/master-cards/update`, { id: first, title })
  await superadmin.call(`${admin}/master-cards/update`, { id: second, title })
  await superadmin.call(`${admin}/master-cards/move`, {
    id: second,
    group_id: groupIds[0] as number,
    position: 1,
  })
  await superadmin.call(`${admin}/master-cards/create`, { group_id: groupIds[1] as number, title })
}

export const sync = (service: RunningService, { boardId, token }: Scene) => {
  const answer = service.client(token).attempt(`${admin}/master-boards/sync`, { board_id: boardId })
  answer.catch(() => {})
  return answer
}

/** Asserts that the rollout has ended, applied everything once, kept what projects changed, and counted correctly. */
export async function assertDone(service: RunningService, db: Database, scene: Scene) {
  const superadmin = service.client(scene.token)
  const push = await eventually(async () => {
    const [newest] = (await superadmin.call(`${admin}/pushes/list`, { limit: 1 })).pushes
    assert.equal(newest?.status, 'done')
    return (await superadmin.call(`${admin}/pushes/get`, { id: newest.id })).push
  }, 20_000)
  const counts = {
    projects: count + 1,
    changed: count,
    unchanged: 0,
    opted_out: 0,
    no_access: 1,
    failed: 0,
    pending: 0,
  }
  assert.deepEqual(push.counts, counts)
  const { editedIds, projectIds, cardIds } = scene
  await assertExact(
    db,
    scene,
    projectIds.filter((id) => !editedIds.includes(id)),
  )
  const [rows] = await db.sql<Record<'cards' | 'own' | 'events', number>[]>`
    select count(*) as cards,
      count(*) filter (where title = 'own' and master_card_id = ${cardIds[0] as number}) as own,
      (select count(*) from events where data ->> 'push_id' = ${String(push.id)}) as events
    from cards where project_id = any(${projectIds}::bigint[])`
  const [masters] = await db.sql<{ count: number }[]>`
    select count(*) from master_cards where board_id = ${scene.boardId}`
  assert.deepEqual(rows, { cards: count * (masters?.count ?? 0), own: editedIds.length, events: count })
  await assertSound(db)
}
