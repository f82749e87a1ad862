// Rollouts beside everything else that can happen at the same time, with real parallel calls.
import assert from 'node:assert/strict'
import test from 'node:test'
import { writeOrder } from '#boards/ordering.ts'
import { insideTransaction, type Transaction } from '#database/connect.ts'
import { change } from '#events/change.ts'
import { archiveProject, unarchiveProject } from '#projects/archiving.ts'
import { publishWhole } from '#templates/version/publishing.ts'
import { assertCoverageTrue } from '#tests/coverage.ts'
import { seldom } from '#tests/drawn.ts'
import { effort, rounds } from '#tests/effort.ts'
import { waitingCount, waitingForLocks } from '#tests/lock-waits.ts'
import { eventually, within } from '#tests/process.ts'
import { randomNumbers } from '#tests/random.ts'
import { startTestService } from '#tests/service.ts'
import {
  addProjects,
  admin,
  assertExact,
  assertSound,
  copiesOf,
  createMaster,
  type Fleet,
} from '#tests/templates/fleet.ts'
import { workOnBatch } from './batch.ts'
import { closeRollout } from './closing.ts'
import { receiveMasters } from './new-project.ts'
import { startRollout } from './starting.ts'

const operations = '/services/operations/v1/operations'
const service = await startTestService()
const { db } = service
const { sql } = db
await service.addProject('Home')
const user = await service.addUser({ superadmin: true })
const superadmin = service.client(user.token)

const times = <Result>(count: number, work: (index: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)))
const last = <Thing>(things: readonly Thing[]) => things.at(-1) as Thing

const sync = ({ boardId }: Fleet) => superadmin.attempt(`${admin}/master-boards/sync`, { board_id: boardId })
const push = (cardId: number) => superadmin.attempt(`${admin}/master-cards/push`, { card_id: cardId })
const retitle = (id: number, title: string) => superadmin.call(`${admin}/master-cards/update`, { id, title })
const newestRollout = async () =>
  (await superadmin.call(`${admin}/rollouts/list`, { limit: 1 })).rollouts[0] as NonNullable<
    Awaited<ReturnType<typeof readRollout>>
  >
const readRollout = async (id: number) => (await superadmin.call(`${admin}/rollouts/get`, { id })).rollout

/** More than one batch. */
const usualProjects = effort === 1 ? 600 : 1_200

/** Deletes the projects of earlier tests, because they share one platform. */
async function freshFleet({ projects = usualProjects, cards = 4, toolKey = null as string | null } = {}) {
  await sql`update projects set deleted_at = now() where deleted_at is null`
  const fleet = await createMaster(superadmin, { cards, toolKey })
  const projectIds = await addProjects(db, projects, toolKey ? [toolKey] : [])
  return { ...fleet, projectIds }
}

/** Runs the work while a rollout waits for projects, each in its own batch. */
async function whileStalled<Result>(
  projectIds: number[],
  started: () => Promise<unknown>[],
  work: () => Promise<Result>,
) {
  return db.transaction(async (holding) => {
    await holding.sql`select lock_project(id) from unnest(${projectIds}::bigint[]) id order by id`
    const running = started()
    for (const each of running) each.catch(() => {})
    await eventually(async () => assert.ok((await waitingCount(db)) >= projectIds.length))
    return { running, result: await work() }
  })
}

test('200 rollouts and syncs of one board at the same moment bring everything once', async () => {
  const fleet = await freshFleet()
  const [cardId] = fleet.cardIds as [number]
  const answers = await Promise.all([sync(fleet), push(cardId), sync(fleet), push(cardId), sync(fleet)])
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200, 200, 200],
  )
  await assertExact(db, fleet, fleet.projectIds)
  await assertSound(db)
})

test('200 of two rollouts of one card the newer wins everywhere, whichever comes first', async () => {
  const fleet = await freshFleet()
  const [cardId] = fleet.cardIds as [number]
  await sync(fleet)
  for (const [older, newer] of [
    ['1', '2'],
    ['3', '4'],
    ['5', '6'],
  ] as const) {
    await retitle(cardId, older)
    const { running } = await whileStalled(
      [last(fleet.projectIds)],
      () => [push(cardId)],
      async () => {
        await retitle(cardId, newer)
      },
    )
    const answers = await Promise.all([...(running as ReturnType<typeof push>[]), push(cardId)])
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200],
    )
    const titles = new Set((await copiesOf(db, cardId)).map(({ title }) => title))
    assert.deepEqual(titles, new Set([newer]))
  }
  await assertExact(db, fleet, fleet.projectIds)
  await assertSound(db)
})

test('200 a push brings the state it was started with, though the master changes meanwhile', async () => {
  const fleet = await freshFleet()
  const [cardId] = fleet.cardIds as [number]
  await retitle(cardId, 'pinned')
  const { running } = await whileStalled(
    [last(fleet.projectIds)],
    () => [sync(fleet)],
    async () => {
      await retitle(cardId, 'later')
      await superadmin.call(`${admin}/master-cards/create`, {
        group_id: fleet.groupIds[0] as number,
        title: 'later',
      })
      await superadmin.call(`${admin}/master-cards/move`, { id: fleet.cardIds[1] as number, position: 2 })
    },
  )
  assert.equal((await (running[0] as ReturnType<typeof sync>)).status, 200)
  const titles = (await copiesOf(db, cardId)).map(({ title }) => title)
  assert.deepEqual([new Set(titles), titles.length], [new Set(['pinned']), fleet.projectIds.length])
  const [row] = await sql<{ cards: number }[]>`
    select count(*) as cards from cards where project_id = any(${fleet.projectIds}::bigint[])`
  assert.equal(row?.cards, fleet.projectIds.length * fleet.cardIds.length)
  assert.equal((await sync(fleet)).status, 200)
  await assertExact(db, fleet, fleet.projectIds)
  await assertSound(db)
})

test('400 a canceled push keeps what it has done, and a retry does the rest without undoing anything newer', async () => {
  const fleet = await freshFleet({ projects: 1_200 })
  const [cardId] = fleet.cardIds as [number]
  const { running, result: id } = await whileStalled(
    [fleet.projectIds[100], fleet.projectIds[1_100]] as number[],
    () => [sync(fleet)],
    async () => {
      const { id } = await newestRollout()
      await superadmin.call(`${admin}/rollouts/cancel`, { id })
      return id
    },
  )
  assert.equal((await (running[0] as ReturnType<typeof sync>)).status, 400)
  const canceled = await readRollout(id)
  assert.equal(canceled.status, 'canceled')
  const { changed, pending } = canceled.counts
  // The two batches at work when it was canceled are rolled back, and no other begins.
  assert.deepEqual([changed, pending], [500, 700])
  assert.equal((await copiesOf(db, cardId)).length, changed)

  await retitle(cardId, 'newer')
  assert.equal((await push(cardId)).status, 200)
  const retried = await superadmin.attempt(`${admin}/rollouts/retry`, { id })
  assert.equal(retried.status, 200)
  const titles = (await copiesOf(db, cardId)).map(({ title }) => title)
  assert.deepEqual([new Set(titles), titles.length], [new Set(['newer']), fleet.projectIds.length])
  await assertExact(db, fleet, fleet.projectIds)
  await assertSound(db)
})

seldom('200 requests are answered while more rollouts wait than there are connections', async () => {
  const fleet = await freshFleet({ projects: 1 })
  const isRunning = async () => {
    const { rollouts } = await superadmin.call(`${admin}/rollouts/list`, { board_id: fleet.boardId })
    assert.deepEqual(new Set(rollouts.map(({ status }) => status)), new Set(['running']))
    assert.equal(rollouts.length, 12)
  }
  const { running } = await whileStalled(
    fleet.projectIds,
    () => Array.from({ length: 12 }, () => sync(fleet)),
    () => within(5_000, eventually(isRunning)),
  )
  for (const { status } of await Promise.all(running as ReturnType<typeof sync>[])) assert.equal(status, 200)
  await assertExact(db, fleet, fleet.projectIds)
})

/** Holds a project until released, as somebody does who changes much in it. */
async function hold(projectId: number) {
  const isHeld = Promise.withResolvers<void>()
  const isReleased = Promise.withResolvers<void>()
  const holding = change(db, projectId, async () => {
    isHeld.resolve()
    await isReleased.promise
  })
  await isHeld.promise
  return async () => {
    isReleased.resolve()
    await holding
  }
}

test('200 while one project is busy, a sync brings the board to the others and keeps nobody in them waiting', async () => {
  const fleet = await freshFleet({ projects: 5 })
  const [busy] = fleet.projectIds as [number]
  const others = fleet.projectIds.slice(1)
  await sync(fleet)
  await retitle(fleet.cardIds[0] as number, 'newer')
  const release = await hold(busy)
  const syncing = sync(fleet)
  try {
    await waitingForLocks(db, 1)
    await eventually(async () => {
      const newer = (await copiesOf(db, fleet.cardIds[0] as number)).filter(({ title }) => title === 'newer')
      assert.deepEqual(
        newer.map(({ project_id }) => project_id),
        others,
      )
    })
    for (const projectId of others)
      await within(
        5_000,
        change(db, projectId, async () => {}),
      )
  } finally {
    await release()
  }
  assert.equal((await syncing).status, 200)
  const { counts } = await newestRollout()
  assert.deepEqual([counts.changed, counts.pending], [5, 0])
  await assertExact(db, fleet, fleet.projectIds)
  await assertSound(db)
})

test('200 a sync ends although others change all of its projects without a pause', async () => {
  const fleet = await freshFleet({ projects: 4 })
  let isDone = false
  // Two at a time, so that each project is locked by the next one as soon as the last one is done.
  const changing = fleet.projectIds
    .flatMap((id) => [id, id])
    .map(async (projectId) => {
      while (!isDone) await change(db, projectId, () => new Promise((resolve) => setTimeout(resolve, 20)))
    })
  try {
    assert.equal((await within(20_000, sync(fleet))).status, 200)
  } finally {
    isDone = true
    await Promise.all(changing)
  }
  await assertExact(db, fleet, fleet.projectIds)
  await assertSound(db)
})

test('no project is left out where several work on a batch that has to be taken apart', async () => {
  const fleet = await freshFleet({ projects: 40 })
  const refused = fleet.projectIds[20] as number
  await sql.unsafe(`alter table cards add constraint refused check (project_id <> ${refused}) not valid`)
  const { boardId } = fleet
  const { rolloutId: id } = await db.transaction(async (queries) => {
    const revision = await publishWhole(queries, { boardId, actorId: user.id })
    return startRollout(queries, { kind: 'board', boardId, cardId: null, revision, actorId: user.id })
  })
  const isOpen = async () =>
    (await sql`select from rollout_batches where rollout_id = ${id} and done_at is null`).length > 0
  await times(4, async () => {
    while (await isOpen()) await workOnBatch(db, id)
  })
  await sql.unsafe('alter table cards drop constraint refused')
  assert.equal(await closeRollout(db, id), 'done')
  const { counts } = await readRollout(id)
  assert.deepEqual([counts.changed, counts.failed, counts.unchanged], [39, 1, 0])
  await assertExact(
    db,
    fleet,
    fleet.projectIds.filter((projectId) => projectId !== refused),
  )
})

seldom('200 projects are deleted, made, and given the tool while a board is synced to them', async () => {
  const fleet = await freshFleet({ toolKey: 'shop' })
  const withoutTool = await addProjects(db, 20)
  const added: number[] = []
  const deleted = fleet.projectIds.filter((_, index) => index % 40 === 0)
  const addOne = () =>
    db.transaction(async (queries) => {
      const [id] = (await addProjects(queries, 1, ['shop'])) as [number]
      await receiveMasters(queries, id)
      return id
    })
  const gain = async (id: number) => {
    await sql`update projects set tool_keys = '["shop"]' where id = ${id}`
    await db.transaction((queries) => receiveMasters(queries, id))
  }
  const answers = await Promise.all([
    ...[sync(fleet), sync(fleet)],
    times(8, async () => added.push(await addOne())),
    Promise.all(deleted.map((id) => sql`update projects set deleted_at = now() where id = ${id}`)),
    Promise.all(withoutTool.map(gain)),
    ...[sync(fleet), sync(fleet)],
  ])
  for (const answer of [...answers.slice(0, 2), ...answers.slice(-2)] as { status: number }[])
    assert.equal(answer.status, 200)
  assert.equal((await sync(fleet)).status, 200)
  const present = fleet.projectIds.filter((id) => !deleted.includes(id))
  await assertExact(db, fleet, [...present, ...withoutTool, ...added])
  await assertSound(db)
})

test('200 a project gains the tool while a push is about to bring it the board', async () => {
  const fleet = await freshFleet({ projects: 1, toolKey: 'shop' })
  await sync(fleet)
  await retitle(fleet.cardIds[0] as number, 'newer')
  const [gaining] = (await addProjects(db, 1, ['shop'])) as [number]
  // As every project that was created, it has been changed before.
  await change(db, gaining, async () => {})
  const [pushed, received] = await db.transaction(async (holding) => {
    // The rollout has added the board to one project, and waits for the other one.
    await holding.sql`select from boards where project_id = ${fleet.projectIds[0] as number} for update`
    const pushing = sync(fleet)
    await waitingForLocks(db, 1)
    const receiving = db.transaction((queries) => receiveMasters(queries, gaining))
    receiving.catch(() => {})
    await waitingForLocks(db, 2)
    return [{ pushing }, { receiving }] as const
  })
  assert.equal((await pushed.pushing).status, 200)
  await received.receiving
  await assertExact(db, fleet, [...fleet.projectIds, gaining])
  await assertSound(db)
})

seldom('200 many boards are synced at the same moment to the same projects', async () => {
  const first = await freshFleet({ projects: 700 })
  const fleets = [first, ...(await times(5, () => createMaster(superadmin)))]
  const answers = await Promise.all(fleets.flatMap((fleet) => [sync(fleet), sync(fleet)]))
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
  for (const fleet of fleets) await assertExact(db, fleet, first.projectIds)
  await assertSound(db)
})

seldom(
  '200 the copies of a deleted master card go everywhere, also where a push of it was under way',
  async () => {
    const fleet = await freshFleet()
    const [cardId] = fleet.cardIds as [number]
    const { running, result } = await whileStalled(
      [last(fleet.projectIds)],
      () => [push(cardId)],
      async () => {
        const removal = superadmin.attempt(`${admin}/master-cards/delete`, {
          id: cardId,
          delete_from_projects: true,
        })
        return { removal }
      },
    )
    await Promise.all([...running, result.removal])
    const copies = await copiesOf(db, cardId)
    assert.equal(copies.filter((copy) => !copy.is_deleted).length, 0)
    await assertSound(db)
  },
)

/** Starts a rollout while a change of a project is not committed yet. */
async function syncBeside(fleet: Fleet, projectId: number, work: (queries: Transaction) => Promise<unknown>) {
  const { syncing } = await change(db, projectId, async (queries) => {
    await work(queries)
    const syncing = sync(fleet)
    syncing.catch(() => {})
    await waitingForLocks(db, 1)
    return { syncing }
  })
  assert.equal((await syncing).status, 200)
  await assertSound(db)
}

test('200 a new card does not come to a group that is being deleted', async () => {
  const fleet = await freshFleet({ projects: 2 })
  const [projectId] = fleet.projectIds as [number]
  const [masterGroupId] = fleet.groupIds as [number]
  await sync(fleet)
  const added = await superadmin.call(`${admin}/master-cards/create`, {
    group_id: masterGroupId,
    title: 'new',
  })
  await syncBeside(fleet, projectId, async (queries) => {
    const [group] = await queries.sql<{ id: number }[]>`
      update groups set deleted_at = now() where project_id = ${projectId} and master_group_id = ${masterGroupId}
      returning id`
    await queries.sql`
      update cards set deleted_at = now() where project_id = ${projectId} and group_id = ${group?.id as number}`
    await queries.sql`select from groups where project_id = ${projectId} and id = ${group?.id as number} for update`
  })
  const owners = (await copiesOf(db, added.card.id)).map((copy) => copy.project_id)
  assert.deepEqual(owners, [last(fleet.projectIds)])
})

test('200 groups stay in the order that a project is giving them at the moment', async () => {
  const fleet = await freshFleet({ projects: 2 })
  const [projectId] = fleet.projectIds as [number]
  const [first, second] = fleet.groupIds as [number, number]
  const orderOf = async (id: number) =>
    (
      await sql<{ master_group_id: number }[]>`
        select master_group_id from groups where project_id = ${id} order by rank`
    ).map((group) => group.master_group_id)
  const turn = async () => {
    const groups = (await orderOf(last(fleet.projectIds)))
      .toReversed()
      .map((id, index) => ({ id, position: index + 1 }))
    await superadmin.call(`${admin}/master-groups/reorder`, { board_id: fleet.boardId, groups })
  }
  await sync(fleet)
  await turn()
  await syncBeside(fleet, projectId, async (queries) => {
    const groups = await queries.sql<{ id: number; board_id: number }[]>`
      select id, board_id from groups where project_id = ${projectId} order by rank`
    await writeOrder(
      queries,
      'groups',
      projectId,
      groups.map(({ id }) => id),
    )
  })
  assert.deepEqual(await orderOf(projectId), [first, second])
  assert.deepEqual(await orderOf(last(fleet.projectIds)), [second, first])
})

test('200 a project that is being archived receives nothing of a rollout, and what it missed once it is back', async () => {
  const fleet = await freshFleet({ projects: 2 })
  const [projectId, other] = fleet.projectIds as [number, number]
  const [cardId] = fleet.cardIds as [number]
  const origin = { source: 'api', actorId: user.id, address: null, requestId: null, log() {} } as const
  const archiving = { projectId, actorId: user.id }
  await sync(fleet)
  await retitle(cardId, 'Second')
  await syncBeside(fleet, projectId, (queries) =>
    archiveProject(insideTransaction(db, queries), archiving, origin),
  )
  const titles = async () => {
    const copies = new Map((await copiesOf(db, cardId)).map((copy) => [copy.project_id, copy.title]))
    return [copies.get(projectId), copies.get(other)]
  }
  assert.deepEqual(await titles(), ['Card 1', 'Second'])
  const { counts } = await newestRollout()
  assert.deepEqual([counts.changed, counts.no_access], [1, 1])
  await assertCoverageTrue(db)
  await unarchiveProject(db, archiving, origin)
  assert.equal((await sync(fleet)).status, 200)
  assert.deepEqual(await titles(), ['Second', 'Second'])
  await assertCoverageTrue(db)
})

/** Things that people do in their projects, with what exists at that moment. */
function activity(projectIds: readonly number[]) {
  const random = randomNumbers('activity')
  const allowed = new Set([200, 201, 400, 404, 422])
  const find = async (projectId: number, table: 'cards' | 'groups', isDeleted = false) =>
    sql<{ id: number; group_id: number; board_id: number }[]>`
      select * from ${sql(table)} where project_id = ${projectId} and (deleted_at is not null) = ${isDeleted}
      order by md5(id::text || ${String(random(1e9))}) limit 2`
  const inProject = (projectId: number) => service.client(user.token, { 'x-project-id': String(projectId) })
  const acts: ((projectId: number) => Promise<{ status: number } | undefined>)[] = [
    async (projectId) => {
      const [card] = await find(projectId, 'cards')
      const [group] = await find(projectId, 'groups')
      if (!card || !group) return undefined
      return inProject(projectId).attempt(`${operations}/cards/move`, {
        id: card.id,
        group_id: group.id,
        position: 1,
      })
    },
    async (projectId) => {
      const [card] = await find(projectId, 'cards')
      return (
        card &&
        inProject(projectId).attempt(`${operations}/cards/update`, { id: card.id, description: 'own' })
      )
    },
    async (projectId) => {
      const [card] = await find(projectId, 'cards')
      return card && inProject(projectId).attempt(`${operations}/cards/delete`, { id: card.id })
    },
    async (projectId) => {
      const [card] = await find(projectId, 'cards', true)
      return card && inProject(projectId).attempt(`${operations}/cards/restore`, { id: card.id })
    },
    async (projectId) => {
      const [card] = await find(projectId, 'cards')
      const fields = ['place', 'title', 'is_active'] as const
      return (
        card &&
        inProject(projectId).attempt(`${operations}/cards/reset`, { id: card.id, fields: [...fields] })
      )
    },
    async (projectId) => {
      const [first, second] = await find(projectId, 'groups')
      if (!first || !second || first.board_id !== second.board_id) return undefined
      const groups = [
        { id: first.id, position: 2 },
        { id: second.id, position: 1 },
      ]
      return inProject(projectId).attempt(`${operations}/groups/reorder`, { groups })
    },
    async (projectId) => {
      const [group] = await find(projectId, 'groups')
      return (
        group &&
        inProject(projectId).attempt(`${operations}/cards/create`, { group_id: group.id, title: 'own' })
      )
    },
    (projectId) => inProject(projectId).attempt(`${operations}/tour/cards/dismiss-all`),
    async (projectId) => {
      const [group] = projectId % 7 === 0 ? await find(projectId, 'groups') : []
      return group && inProject(projectId).attempt(`${operations}/groups/delete`, { id: group.id })
    },
  ]
  const seen = new Set<number>()
  return async (index: number) => {
    for (let round = 0; round < rounds(25); round++) {
      const projectId = projectIds[(index * 31 + round * 17) % projectIds.length] as number
      const answer = await (acts[(index + round) % acts.length] as (typeof acts)[number])(projectId)
      if (answer) seen.add(answer.status)
      assert.deepEqual(new Set([...allowed, ...seen]), allowed)
    }
  }
}

seldom('200 people work in their projects, and superadmins on the masters, while syncs run', async () => {
  const fleet = await freshFleet({ projects: 60, cards: 8 })
  assert.equal((await sync(fleet)).status, 200)
  const act = activity(fleet.projectIds)
  const lead = async () => {
    for (let round = 0; round < rounds(12); round++) {
      const id = fleet.cardIds[round % fleet.cardIds.length] as number
      await retitle(id, `Round ${round}`)
      await superadmin.call(`${admin}/master-cards/move`, {
        id,
        group_id: fleet.groupIds[round % 2] as number,
        position: 1,
      })
      const answers = await Promise.all([sync(fleet), push(id)])
      assert.deepEqual(
        answers.map(({ status }) => status),
        [200, 200],
      )
    }
  }
  await Promise.all([lead(), times(6, act)])
  assert.equal((await sync(fleet)).status, 200)
  await assertSound(db)
  const edited = await sql<{ description: string }[]>`
    select distinct e.data -> 'texts' as told, c.description
    from events e join cards c on c.project_id = e.project_id and c.id = e.card_id where e.kind = 'card.updated'`
  assert.deepEqual([...edited], [{ told: ['description'], description: 'own' }])
})
