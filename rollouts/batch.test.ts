// How a rollout handles a batch in which some projects cannot receive it.
import assert from 'node:assert/strict'
import test from 'node:test'
import { present } from '#tests/master.ts'
import { startTestService } from '#tests/service.ts'
import { addProjects, admin, assertExact, createMaster } from '#tests/templates/fleet.ts'

const service = await startTestService()
const { db } = service
const { sql } = db
await service.addProject('Home')
const superadmin = service.client((await service.addUser({ superadmin: true })).token)

/** Makes projects refuse the board, and counts the attempts: each attempt is one statement. */
async function refuse(refusedIds: number[]) {
  await sql.unsafe(`
    create sequence tries;
    create function count_try() returns trigger language plpgsql as $$
    begin perform nextval('tries'); return null; end $$;
    create function refuse_some() returns trigger language plpgsql as $$
    begin raise exception 'no room here'; end $$;
    create trigger count_try before insert on boards for each statement execute function count_try();
    create trigger refuse_some before insert on boards for each row
      when (new.project_id in (${refusedIds.join(', ')})) execute function refuse_some()`)
  return async () => {
    const [row] = await sql<{ count: number }[]>`select last_value as count from tries`
    await sql.unsafe(
      'drop function count_try cascade; drop function refuse_some cascade; drop sequence tries',
    )
    return row?.count as number
  }
}

async function rollOut(projectCount: number, refusedIndexes: number[]) {
  await sql`update projects set deleted_at = now() where deleted_at is null`
  const fleet = await createMaster(superadmin)
  const projectIds = await addProjects(db, projectCount)
  const refusedIds = refusedIndexes.map((index) => projectIds[index] as number)
  const stopRefusing = await refuse(refusedIds)
  const answer = await superadmin.call(`${admin}/master-boards/sync`, { board_id: fleet.boardId })
  const tries = await stopRefusing()
  const { rollouts } = await superadmin.call(`${admin}/rollouts/list`, { board_id: fleet.boardId })
  const { id, counts } = present(rollouts[0])
  const { results } = await superadmin.call(`${admin}/rollouts/get`, { id, outcome: 'failed' })
  assert.deepEqual(
    results.map(({ project_id }) => project_id),
    refusedIds,
  )
  const others = projectIds.filter((projectId) => !refusedIds.includes(projectId))
  await assertExact(db, fleet, others)
  assert.deepEqual([answer.synced_count, counts.changed], [others.length, others.length])
  return tries
}

test('one refusing project of 500 is found by halves', async () => {
  const tries = await rollOut(500, [321])
  // 500, 250, 125, … 1: ten batches that contain the project, and nine siblings that succeed at once.
  assert.ok(tries <= 19, `${tries} tries`)
})

test('several refusing projects of 500 are found the same way', async () => {
  const tries = await rollOut(500, [0, 100, 101, 499])
  assert.ok(tries <= 4 * 19, `${tries} tries`)
})
