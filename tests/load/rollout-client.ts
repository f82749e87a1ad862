// A superadmin who changes a template and rolls it out, again and again.
import assert from 'node:assert/strict'
import type { Database } from '#database/connect.ts'
import { addProjects, admin, assertExact, assertSound, type Fleet } from '../templates/fleet.ts'
import { type Caller, startCaller, type Tally, type Where } from './caller.ts'

interface RolloutState extends Fleet {
  title: string
  rollouts: number
  /** The template has changed since the last rollout. */
  isBehind: boolean
}

export interface RolloutClient extends Caller<RolloutState> {
  projectIds: number[]
  /** Changes the template, or rolls the change out; false if that was not acknowledged. */
  work(): Promise<boolean>
}

/** More than one batch of a rollout, so that some may be done and others not. */
const projects = 600

export async function startRolloutClient(
  who: { name: string; where: Where; tally: Tally },
  db: Database,
): Promise<RolloutClient> {
  const toolKey = who.name
  const projectIds = await addProjects(db, projects, [toolKey])
  let count = 0
  const caller = await startCaller<RolloutState>(
    { ...who, email: 'superadmin@cardinal.test' },
    async (call) => {
      const { board } = await call<{ board: { id: number } }>(`${admin}/master-boards/create`, {
        title: 'Launch',
        tool_key: toolKey,
      })
      const { group } = await call<{ group: { id: number } }>(`${admin}/master-groups/create`, {
        board_id: board.id,
        title: 'First',
      })
      const cardIds: number[] = []
      for (let number = 1; number <= 3; number++) {
        const input = { group_id: group.id, title: `Card ${number}` }
        cardIds.push((await call<{ card: { id: number } }>(`${admin}/master-cards/create`, input)).card.id)
      }
      const fleet = { boardId: board.id, groupIds: [group.id], cardIds }
      return { ...fleet, title: 'Card 1', rollouts: 0, isBehind: true }
    },
  )
  const change = () => {
    const title = `Edition ${++count}`
    return caller.send({
      path: `${admin}/master-cards/update`,
      input: { id: caller.known().cardIds[0], title },
      change: (state) => void Object.assign(state, { title, isBehind: true }),
    })
  }
  const rollOut = () =>
    caller.send({
      path: `${admin}/master-boards/sync`,
      input: { board_id: caller.known().boardId },
      change(state) {
        state.rollouts++
        state.isBehind = false
      },
      learn: (_state, { synced_count }: { synced_count: number }) => assert.equal(synced_count, projects),
    })
  return { ...caller, projectIds, work: () => (caller.known().isBehind ? rollOut() : change()) }
}

/** Asserts that the template is as before or as after the request without an answer; true if that has begun a rollout. */
export async function assertPossible({ sql }: Database, client: RolloutClient): Promise<boolean> {
  const { boardId, cardIds } = client.known()
  const [found] = await sql<{ title: string; rollouts: number }[]>`
    select (select title from master_cards where id = ${cardIds[0] as number}) as title,
      (select count(*) from rollouts where board_id = ${boardId}) as rollouts`
  const possible = [client.known(), client.possible() ?? client.known()]
  const views = possible.map(({ title, rollouts }) => ({ title, rollouts }))
  assert.ok(
    views.some(({ title, rollouts }) => found?.title === title && found.rollouts === rollouts),
    `the template is ${JSON.stringify(found)}, not one of ${JSON.stringify(views)}`,
  )
  return found?.rollouts !== client.known().rollouts
}

/** After a rollout: every project has exactly the template, and each rollout was done once. */
export async function assertRolledOut(db: Database, client: RolloutClient): Promise<void> {
  await assertPossible(db, client)
  await assertExact(db, client.known(), client.projectIds)
  await assertSound(db)
  const { boardId, rollouts } = client.known()
  const twice = await db.sql`
    select e.project_id from events e join rollouts p on (e.data ->> 'rollout_id')::bigint = p.id
    where p.board_id = ${boardId} and e.project_id = any(${client.projectIds}::bigint[])
    group by e.project_id having count(*) <> ${rollouts} or count(distinct p.id) <> ${rollouts}`
  assert.equal(twice.length, 0, 'every project has one event of each rollout')
}
