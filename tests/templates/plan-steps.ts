// A rollout that is planned, and applied after people have worked on in their projects.
import assert from 'node:assert/strict'
import { readPlannedProject } from '#rollouts/plan.ts'
import { localSteps, pick, type Step } from './local-steps.ts'
import { onBoard, receiveInAll } from './master-steps.ts'
import { live, type MasterBoard, type Published } from './model.ts'
import { call, type World } from './world.ts'

type Plan = NonNullable<Awaited<ReturnType<typeof readPlannedProject>>>

/** What each project of a plan would receive now, by its id; projects that were left out when it was made are not in it. */
async function readPlans(world: World, rolloutId: number): Promise<Map<number, Plan>> {
  const listed = await world.db.run<{ id: number }>(
    'select key::bigint as id from rollout_batches, jsonb_object_keys(planned) key where rollout_id = $1 and planned is not null order by 1',
    [rolloutId],
  )
  const plans = new Map<number, Plan>()
  for (const { id } of listed) plans.set(id, (await readPlannedProject(world.db, rolloutId, id)) as Plan)
  return plans
}

const ofCards = ({ things }: Plan) => things.filter(({ thing }) => thing === 'card')

/** In the form of the events. */
const expected = (plan: Plan) => ({
  added: ofCards(plan).filter(({ change }) => change === 'added' || change === 'returned').length,
  updated: ofCards(plan)
    .filter(({ fields, is_moved }) => fields.length > 0 || is_moved)
    .map(({ id, fields, kept, is_moved }) => ({ id, fields, kept, is_moved })),
})

const receivedStatement = `
  select e.project_id, sum((e.data ->> 'added_count')::integer)::integer as added, (
    select coalesce(json_agg(json_build_object('id', c.master_card_id, 'fields', card -> 'fields', 'kept', card -> 'kept', 'is_moved', card -> 'is_moved')
      order by c.master_card_id), '[]')
    from events own, jsonb_array_elements(own.data -> 'updated') card join cards c on c.id = (card ->> 'card_id')::bigint
    where own.project_id = e.project_id and c.project_id = e.project_id and own.data ->> 'rollout_id' = $1::bigint::text
  ) as updated
  from events e where e.data ->> 'rollout_id' = $1::bigint::text group by e.project_id`

interface Received {
  project_id: number
  added: number
  updated: object[]
}

async function work(world: World, choices: readonly number[], times: number) {
  const kinds = Object.keys(localSteps) as (keyof typeof localSteps)[]
  const [a = 0, b = 0, c = 0, d = 0] = choices
  for (let time = 0; time < times; time++) {
    const kind = pick(kinds, a * 5 + b * 3 + time * 7 + c) as keyof typeof localSteps
    const words = await localSteps[kind](world, [a + time, b + time * 5, c + d, d + time * 3])
    if (words) world.history.push(`${words} (since the plan)`)
  }
}

const planned = async (world: World, master: MasterBoard, choices: readonly [number, number, number]) => {
  const [a, b, c] = choices
  const { cards } = master.versions.at(-1) as Published
  const card =
    a % 3 === 0
      ? pick(
          live(cards.values()).filter(({ isActive }) => isActive),
          b,
        )
      : undefined
  const input = { board_id: master.id, ...(card && { card_id: card.id }) }
  const answer = await call(world, 'admin/rollouts/plan', input)
  assert.equal(answer.status, master.isActive ? 201 : 400)
  if (!master.isActive) return 'plan: refused'
  const { id } = answer.data['rollout'] as unknown as { id: number }
  await world.rollouts.finish(id)
  const before = await readPlans(world, id)
  for (const [projectId, plan] of before) assert.equal(plan.differs, false, `plan of project ${projectId}`)
  await work(world, [...choices, a + b + c], c % 4)
  const plans = await readPlans(world, id)
  const differing = [...plans].filter(([projectId, plan]) => {
    const { outcome, things } = before.get(projectId) as Plan
    const isOther = JSON.stringify([outcome, things]) !== JSON.stringify([plan.outcome, plan.things])
    assert.equal(plan.differs, isOther, `plan of project ${projectId} since then`)
    return isOther
  })
  assert.equal((await call(world, 'admin/rollouts/apply', { id })).status, 200)
  await world.rollouts.finish(id)
  const [marked] = await world.db.run<{ ids: number[] }>(
    `select coalesce(json_agg(id order by id), '[]') as ids from rollout_batches, unnest(differs_ids) id where rollout_id = $1`,
    [id],
  )
  assert.deepEqual(
    marked?.ids,
    differing.map(([projectId]) => projectId),
    'marked projects',
  )
  const received = new Map(
    (await world.db.run<Received>(receivedStatement, [id])).map(({ project_id, ...one }) => [
      project_id,
      one,
    ]),
  )
  for (const [projectId, plan] of plans) {
    const isChanged = plan.outcome === 'changed'
    assert.deepEqual(
      received.get(projectId),
      isChanged ? expected(plan) : undefined,
      `project ${projectId} receives the plan`,
    )
  }
  // A project that was up to date when the plan was made waits for the next rollout, whatever its people bring back meanwhile.
  const inPlan = world.projects.filter(({ id }) => plans.has(id))
  receiveInAll(world, master, card?.id, inPlan)
  return `plan and apply${card ? ` card ${card.id}` : ''}, ${differing.length} differ`
}

export const planSteps = { planAndApply: onBoard(planned) } satisfies Record<string, Step>
