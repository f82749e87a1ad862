// Compares the SQL of a rollout, and of its plan, with a model of it, after each rollout in random histories of masters and projects.
import assert from 'node:assert/strict'
import test, { after } from 'node:test'
import { recountCoverage } from '#coverage/counts.ts'
import { connect, type Queries, type Transaction } from '#database/connect.ts'
import { isBehind } from '#templates/coverage.ts'
import { publishWhole } from '#templates/version/publishing.ts'
import { assertCoverageTrue } from '#tests/coverage.ts'
import { effort } from '#tests/effort.ts'
import { assertEventsTrue } from '#tests/events.ts'
import { present } from '#tests/master.ts'
import { createTestDatabase } from '#tests/postgres.ts'
import { fc } from '#tests/random.ts'
import { assertSizesTrue } from '#tests/sizes.ts'
import {
  assertAnyRefusalPlanned,
  assertRefusalsPlanned,
  limitNames,
  nearlyFull,
} from '#tests/templates/limits.ts'
import { type Choice, localSteps } from '#tests/templates/local-steps.ts'
import { masterSteps, pushSteps } from '#tests/templates/master-steps.ts'
import { hasAccess, type Published } from '#tests/templates/model.ts'
import { planSteps } from '#tests/templates/plan-steps.ts'
import {
  addProject,
  compare,
  createWorld,
  type RolledOut,
  type Testbed,
  type World,
} from '#tests/templates/world.ts'
import { quietLog } from '../log.ts'
import { apply } from './apply.ts'
import type { Applying } from './changing-copies.ts'
import { planProjects } from './planning.ts'
import { revertCopies } from './revert.ts'
import { startRolloutWorker } from './worker.ts'

const histories = effort === 1 ? 4 : 20 * effort
const longestHistory = 60

const steps = { ...localSteps, ...masterSteps, ...pushSteps, ...planSteps }
type Kind = keyof typeof steps
type Planned = { kind: Kind; choice: Choice }

/** How often a step is chosen, if not once. */
const weights: Partial<Record<Kind, number>> = {
  ...{
    sync: 10,
    planAndApply: 8,
    pushCard: 8,
    editMasterCard: 6,
    moveMasterCard: 6,
    createMasterCard: 3,
    editMasterGroup: 3,
    restoreMasterCard: 2,
    restoreMasterGroup: 2,
    publishDraft: 3,
    restoreVersion: 2,
  },
  ...{
    editCard: 6,
    moveCard: 9,
    createCard: 3,
    deleteCard: 3,
    restoreCard: 4,
    resetCard: 5,
    reorderGroups: 2,
    editGroup: 4,
    archiveGroup: 2,
  },
}

/** The steps that bring templates to projects. */
const compared = new Set<Kind>([
  ...([
    'sync',
    'pushCard',
    'planAndApply',
    'createMasterCard',
    'deleteMasterCard',
    'newProject',
    'changeTools',
  ] as const),
])

/** The steps after which a project may be behind without being counted. */
const mayLeaveBehind = new Set<Kind>([
  ...(['pushCard', 'planAndApply', 'createMasterCard', 'deleteMasterCard', 'restoreMasterCard'] as const),
  ...(['activateMasterCard', 'deleteMasterGroup', 'restoreCard', 'changeTools'] as const),
  ...(['publishDraft', 'restoreVersion', 'restoreMasterGroup'] as const),
])

const planned = fc.record<Planned>({
  kind: fc.oneof(
    ...(Object.keys(steps) as Kind[]).map((kind) => ({
      arbitrary: fc.constant(kind),
      weight: weights[kind] ?? 1,
    })),
  ),
  choice: fc.tuple(fc.nat(11), fc.nat(11), fc.nat(11), fc.nat(11)),
})

/** Every row of the projects with the transaction that wrote it, so that a rewrite with equal values is noticed too. */
const checksumStatement = `
  select md5(string_agg(line, '\n' order by line)) as checksum from (
    select (to_jsonb(b) - 'synced_revision')::text as line from boards b
    union all select to_jsonb(g)::text || xmin from groups g
    union all select to_jsonb(c)::text || xmin from cards c
    union all select to_jsonb(m)::text || xmin from comments m
    union all select to_jsonb(e)::text || xmin from events e
  ) lines`

async function checksum(queries: Queries) {
  return (await queries.run<{ checksum: string }>(checksumStatement, []))[0]?.checksum
}

/** Asserts that exactly the changed boards have an event, and that nothing else has a new `updated_at`. */
async function assertAllRecorded({ db }: World, { changes }: RolledOut) {
  const [recorded] = await db.run<{ boards: string[]; silent: number }>(recordedStatement, [])
  const boards = changes.map(({ project, board }) => `${project.id} ${board.id}`)
  assert.deepEqual(recorded?.boards, boards.toSorted())
  assert.equal(recorded?.silent, 0, 'updated_at has changed and nothing else')
}

const recordedStatement = `
  with p as (select id, worked_at from rollouts order by id desc limit 1),
  recorded as (select project_id, board_id from events, p where data ->> 'rollout_id' = p.id::text and kind <> 'template.kept'),
  touched as (
    select project_id, board_id, updated_at from cards union all select project_id, board_id, updated_at from groups
    union all select project_id, id, updated_at from boards
  )
  select (select coalesce(json_agg(project_id || ' ' || board_id order by (project_id || ' ' || board_id) collate "C"), '[]')
      from recorded) as boards,
    (select count(*) from touched, p where updated_at = p.worked_at
      and (project_id, board_id) not in (select project_id, board_id from recorded)) as silent`

/** Does something and undoes it. */
async function undone(world: World, work: (queries: Transaction) => Promise<unknown>) {
  const undo = new Error('undone')
  const attempt = world.db.transaction(async (queries) => {
    await work(queries)
    throw undo
  })
  await attempt.catch((error) => {
    if (error !== undo) throw error
  })
}

/** Rolls out once more, ignoring what earlier rollouts stored about copies, and undoes it afterwards. */
const rollOutOnceMore = (world: World, work: (queries: Queries) => Promise<unknown>) =>
  undone(world, async (queries) => {
    await queries.sql`update boards set synced_revision = 0 where synced_revision > 0`
    await work(queries)
  })

function assertNothingLeft(world: World, { master, cardId, reached }: RolledOut) {
  const projectIds = reached.map(({ id }) => id)
  const { id: boardId } = master
  const { revision } = master.versions.at(-1) as Published
  return rollOutOnceMore(world, async (queries) => {
    const before = await checksum(queries)
    await apply(queries, { boardId, cardId, revision, rolloutId: null }, projectIds)
    assert.equal(await checksum(queries), before, 'the same rollout once more has changed something')
  })
}

/** Asserts that a project that does not count as behind has nothing to receive. */
async function assertNobodyForgotten(world: World) {
  for (const master of world.masters) {
    const { id: boardId } = master
    const { revision } = master.versions.at(-1) as Published
    const withAccess = world.projects.filter((project) => hasAccess(project, master)).map(({ id }) => id)
    const upToDate = await world.db.run<{ project_id: number }>(
      `select b.project_id from boards b join master_boards m on m.id = b.master_board_id
       where m.id = $1 and b.project_id = any($2::bigint[]) and b.deleted_at is null and not ${isBehind}`,
      [boardId, withAccess],
    )
    const projectIds = upToDate.map((row) => row.project_id)
    if (projectIds.length === 0) continue
    await rollOutOnceMore(world, async (queries) => {
      const { changes } = await apply(
        queries,
        { boardId, cardId: null, revision, rolloutId: null },
        projectIds,
      )
      assert.deepEqual(changes, [], 'a project that is up to date has received something')
    })
  }
}

/** The steps after which the newest state is rolled out and reverted again. */
const reverted = new Set<Kind>([
  'moveMasterCard',
  'createMasterGroup',
  'restoreVersion',
  'reorderGroups',
  'restoreMasterCard',
])

const liveStatement = `
  select 'board ' || id as key, to_jsonb(b) as row from boards b where project_id = any($1::bigint[]) and deleted_at is null
  union all select 'group ' || id, to_jsonb(g) from groups g where project_id = any($1::bigint[]) and deleted_at is null
  union all select 'card ' || id, to_jsonb(c) from cards c where project_id = any($1::bigint[]) and deleted_at is null
  order by 1`

type LiveRows = Map<string, Record<string, unknown>>

/** What people see, with the revisions that later rollouts compare with. */
async function readLive(queries: Queries, projectIds: number[]): Promise<LiveRows> {
  const rows = await queries.run<{ key: string; row: Record<string, unknown> }>(liveStatement, [projectIds])
  const forgotten = [
    'updated_at',
    'synced_revision',
    'version_with',
    'previous_version_revision',
    'received_with',
    'received_before',
    'previous_revision',
    'returned_at',
    'withdrawn_at',
    'own_fields',
  ]
  return new Map(
    rows.map(({ key, row }) => [
      key,
      Object.fromEntries(Object.entries(row).filter(([name]) => !forgotten.includes(name))),
    ]),
  )
}

/** What came from the template, without what the database chooses. */
const contentOf = (rows: LiveRows) =>
  [...rows.values()]
    .filter(
      (row) => (row['master_board_id'] ?? row['master_group_id'] ?? row['master_card_id'] ?? null) !== null,
    )
    .map(({ id, board_id, group_id, rank, created_at, words, ...row }) => JSON.stringify(row))
    .toSorted()

/** A rollout that is reverted at once leaves every project as it was, and rolled out again it brings the same. */
async function assertRevertible(world: World, master: World['masters'][number]) {
  const projectIds = world.projects.filter((project) => hasAccess(project, master)).map(({ id }) => id)
  const { id: boardId } = master
  const actorId = world.userId
  await undone(world, async (queries) => {
    const revision = await publishWhole(queries, { boardId, actorId })
    const before = await readLive(queries, projectIds)
    const [first, second] = [1_000_000_001, 1_000_000_002]
    const rollout = { boardId, cardId: null, revision, rolloutId: first }
    const { changes } = await apply(queries, rollout, projectIds)
    const brought = await readLive(queries, projectIds)
    const what = {
      kind: 'revert' as const,
      board_id: boardId,
      card_id: null,
      revision,
      reverts_id: first,
      reset_fields: null,
    }
    const plan = await planProjects(queries, what, projectIds)
    const { changes: taken } = await revertCopies(queries, { boardId, revertsId: first, actorId }, projectIds)
    const changedIds = [...new Set(taken.map((change) => change.project_id))].toSorted((a, b) => a - b)
    assert.deepEqual(
      changedIds,
      projectIds.filter((id) => plan.projects[id]?.outcome === 'changed'),
    )
    await assertSizesTrue(queries)
    const after = await readLive(queries, projectIds)
    assert.deepEqual([...after], [...before], `reverted, ${changes.length} boards had changed`)
    await apply(queries, { ...rollout, rolloutId: second }, projectIds)
    assert.deepEqual(contentOf(await readLive(queries, projectIds)), contentOf(brought), 'rolled out again')
  })
}

const wholeRollout = (boardId: number, revision: number): Applying => ({
  ...{ id: 1_000_000_001, kind: 'board', board_id: boardId, card_id: null, revision, created_by: 0 },
  ...{ reverts_id: null, reverted_kind: null, reset_fields: null },
})

/** A plan of the draft, or of one of its cards, names the projects that have no room for it. */
async function assertLimitsPlanned(world: World, master: World['masters'][number], [a, b, c, d]: Choice) {
  const projectIds = world.projects.filter((project) => hasAccess(project, master)).map(({ id }) => id)
  const card = d % 3 === 0 ? [...master.cards.values()][d] : undefined
  await undone(world, async (queries) => {
    const whole = wholeRollout(
      master.id,
      await publishWhole(queries, { boardId: master.id, actorId: world.userId }),
    )
    const rollout = card ? { ...whole, kind: 'card' as const, card_id: card.id } : whole
    await assertAnyRefusalPlanned(queries, rollout, projectIds, [a, b, c])
  })
}

/** What is compared after steps of some kinds. */
const looks: [ReadonlySet<Kind>, (world: World, choice: Planned['choice']) => Promise<void>][] = [
  [compared, compare],
  [mayLeaveBehind, assertNobodyForgotten],
  [
    reverted,
    async (world) => {
      for (const master of world.masters) await assertRevertible(world, master)
    },
  ],
  [
    compared,
    async (world, choice) => {
      for (const master of world.masters) await assertLimitsPlanned(world, master, choice)
    },
  ],
]

async function perform(world: World, { kind, choice }: Planned) {
  const words = await steps[kind](world, choice)
  if (words === undefined) return
  world.history.push(words)
  for (const [kinds, look] of looks) if (kinds.has(kind)) await look(world, choice)
  await assertSizesTrue(world.db)
  await assertCoverageTrue(world.db)
  const { rolledOut } = world
  world.rolledOut = undefined
  if (!rolledOut) return
  await assertAllRecorded(world, rolledOut)
  await assertNothingLeft(world, rolledOut)
}

async function live(testbed: Testbed, { isTight, history }: { isTight: boolean; history: Planned[] }) {
  const world = await createWorld(testbed, isTight)
  try {
    for (const tools of [['shop'], []]) await addProject(world, tools)
    await compare(world)
    for (const step of history) {
      await perform(world, step)
      counted++
    }
    await compare(world)
    await assertEventsTrue(world.db)
  } catch (error) {
    const steps = world.history.map((words, index) => `${index + 1}. ${words}`).join('\n')
    throw new Error(`${(error as Error).message}\nafter\n${steps}`, { cause: error })
  } finally {
    for (const table of ['events', 'comments', 'board_sizes', 'group_sizes', 'cards', 'groups', 'boards'])
      await testbed.db.sql.unsafe(`delete from ${table}`)
    await recountCoverage(testbed.db)
  }
}

let counted = 0

const database = await createTestDatabase()
const db = connect(database.address)
const rollouts = startRolloutWorker(db, { log: quietLog })
after(async () => {
  await rollouts.stop()
  await db.end()
  await database.drop()
})
const [user] = await db.sql<{ id: number }[]>`
  insert into users (email, name, password_hash, superadmin) values ('model@example.test', 'Model', '', true) returning id`
const testbed: Testbed = { db, rollouts, userId: user?.id as number }

test('what is added to a master after many changes of its order comes last', async () => {
  const world = await createWorld(testbed, false)
  for (let time = 0; time < 30; time++) await masterSteps.reorderMasterGroups(world, [1, 0, 0, 0])
  assert.match((await masterSteps.createMasterGroup(world, [1, 0, 0, 0])) as string, /new master group/)
  for (let time = 0; time < 30; time++) await masterSteps.moveMasterCard(world, [1, 0, 0, 3])
  assert.match((await masterSteps.createMasterCard(world, [1, 0, 1, 1])) as string, /new master card/)
})

test('a project that loses a tool, and with it the cards that are pushed meanwhile, counts again when it is back', async () => {
  const tools = (choice: number): Planned => ({ kind: 'changeTools', choice: [0, choice, 0, 0] })
  const pushed: Planned = { kind: 'createMasterCard', choice: [1, 5, 5, 0] }
  const off: Planned = { kind: 'activateMasterBoard', choice: [1, 0, 0, 0] }
  const on: Planned = { kind: 'activateMasterBoard', choice: [1, 1, 0, 0] }
  const checked: Planned = { kind: 'deleteMasterCard', choice: [1, 0, 1, 0] }
  await live(testbed, { isTight: false, history: [tools(1), pushed, tools(0)] })
  await live(testbed, { isTight: false, history: [tools(1), pushed, off, tools(0), on, checked] })
})

test('a card that was deleted while its master changed catches up when it is back', async () => {
  const first = (kind: Kind): Planned => ({ kind, choice: [1, 0, 0, 0] })
  const inProject = (kind: Kind): Planned => ({ kind, choice: [0, 0, 0, 0] })
  const history = [inProject('deleteCard'), first('editMasterCard'), first('sync')]
  await live(testbed, { isTight: false, history: [...history, inProject('restoreCard'), first('sync')] })
})

test('a project that was up to date when a plan was made, and then brought back an older card, waits for the next rollout', async () => {
  const first = (kind: Kind, choice: Choice = [1, 0, 0, 0]): Planned => ({ kind, choice })
  // A plan of the whole template, after which the first project brings back a card.
  const restoredSince: Planned = { kind: 'planAndApply', choice: [1, 2, 2, 9] }
  const history = [
    first('deleteCard', [0, 0, 0, 0]),
    first('editMasterCard'),
    first('sync'),
    restoredSince,
    first('sync'),
  ]
  await live(testbed, { isTight: false, history })
})

test('a card that takes no updates stays as it is, in plans too, and catches up when it takes them again', async () => {
  const inProject = (kind: Kind, isStopped: number): Planned => ({ kind, choice: [0, 0, isStopped, 0] })
  const edited: Planned = { kind: 'editMasterCard', choice: [1, 0, 0, 0] }
  const published: Planned = { kind: 'publishDraft', choice: [1, 0, 0, 0] }
  const applied: Planned = { kind: 'planAndApply', choice: [1, 1, 0, 0] }
  const history = [inProject('stopUpdates', 1), edited, published, applied]
  await live(testbed, { isTight: false, history: [...history, inProject('stopUpdates', 0), applied] })
})

test('a group that a rollout added goes again when it is reverted, with a card that the rollout moved into it', async () => {
  const created: Planned = { kind: 'createMasterGroup', choice: [1, 0, 0, 0] }
  const moved = (group: number): Planned => ({ kind: 'moveMasterCard', choice: [1, 0, group, 0] })
  for (const group of [1, 3, 5, 7]) await live(testbed, { isTight: false, history: [created, moved(group)] })
})

test('a card that was deleted everywhere and restored comes back where the project did not delete it itself', async () => {
  const first = (kind: Kind, how = 0): Planned => ({ kind, choice: [1, 0, how, 0] })
  const inProject = (kind: Kind, project: number, card = 0): Planned => ({
    kind,
    choice: [project, card, 0, 0],
  })
  const said = [inProject('comment', 0), inProject('comment', 1)]
  const history = [...said, first('deleteMasterCard'), first('restoreMasterCard')]
  for (const rollout of ['sync', 'pushCard'] as const) {
    await live(testbed, { isTight: false, history: [...history, first(rollout), first('sync')] })
    const restored = [inProject('restoreCard', 0), inProject('deleteCard', 0), first('editMasterCard')]
    await live(testbed, { isTight: true, history: [...history, ...restored, first(rollout), first('sync')] })
  }
})

test('a plan names each limit that a nearly full project would exceed', async () => {
  const world = await createWorld(testbed, false)
  for (const tools of [['shop'], []]) await addProject(world, tools)
  await compare(world)
  const [master] = world.masters as [World['masters'][number]]
  const [shop, other] = world.projects.map(({ id }) => id) as [number, number]
  const cardId = present([...master.cards.keys()][0])
  // One card was deleted everywhere and is back with its comment, another one is shorter in the project, and a group and a card are new.
  await localSteps.comment(world, [0, 0, 0, 0])
  await localSteps.editCard(world, [0, 1, 0, 0])
  await masterSteps.deleteMasterCard(world, [1, 0, 0, 0])
  const [removal] = await db.run<{ id: number }>('select max(id) as id from rollouts', [])
  const refused = new Set<string>()
  await undone(world, async (queries) => {
    const removed: Applying = {
      ...{
        ...wholeRollout(master.id, 1),
        kind: 'revert',
        reverted_kind: 'removal',
        reverts_id: present(removal).id,
        card_id: cardId,
      },
    }
    for (const quota of ['cardsPerBoard', 'cardsPerGroup', 'bytesPerBoard', 'bytesPerProject'] as const)
      for (const room of [0, 2])
        for (const one of await assertRefusalsPlanned(
          queries,
          removed,
          [shop],
          await nearlyFull(queries, shop, quota, room),
        ))
          refused.add(`revert ${one}`)
  })
  await masterSteps.restoreMasterCard(world, [1, 0, 0, 0])
  await masterSteps.createMasterGroup(world, [1, 0, 0, 0])
  await masterSteps.createMasterCard(world, [1, 2, 1, 1])
  await undone(world, async (queries) => {
    await queries.sql`update projects set tool_keys = '["shop"]' where id = ${other}`
    const whole = wholeRollout(
      master.id,
      await publishWhole(queries, { boardId: master.id, actorId: world.userId }),
    )
    for (const quota of limitNames)
      for (const room of [0, 8])
        for (const projectId of [shop, other])
          for (const one of await assertRefusalsPlanned(
            queries,
            whole,
            [shop, other],
            await nearlyFull(queries, projectId, quota, room),
          ))
            refused.add(one)
    const reset: Applying = {
      ...whole,
      kind: 'reset',
      card_id: present([...master.cards.keys()][1]),
      reset_fields: ['title'],
    }
    for (const one of await assertRefusalsPlanned(
      queries,
      reset,
      [shop],
      await nearlyFull(queries, shop, 'bytesPerBoard', 0),
    ))
      refused.add(`reset ${one}`)
  })
  assert.deepEqual(
    refused,
    new Set([
      ...limitNames,
      ...['reset bytesPerBoard', 'revert bytesPerBoard', 'revert bytesPerProject'],
      ...['revert cardsPerBoard', 'revert cardsPerGroup'],
    ]),
  )
})

test('rollouts do what the rules say in random histories, and once more nothing', async () => {
  const history = fc.record({
    isTight: fc.boolean(),
    history: fc.array(planned, { minLength: longestHistory / 2, maxLength: longestHistory, size: 'max' }),
  })
  await fc.assert(
    fc.asyncProperty(history, (plan) => live(testbed, plan)),
    {
      numRuns: histories,
      interruptAfterTimeLimit: 120_000 * effort,
      markInterruptAsFailure: true,
    },
  )
  assert.ok(counted > histories * 15, `only ${counted} steps`)
})
