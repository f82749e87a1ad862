import assert from 'node:assert/strict'
import test from 'node:test'
import { addPlatform, firstPlatform } from '#projects/platform.ts'
import { waitingForLocks } from '#tests/lock-waits.ts'
import { present } from '#tests/master.ts'
import { post } from '#tests/post.ts'
import { eventually } from '#tests/process.ts'
import { readsOf } from '#tests/reads.ts'
import { startTestService } from '#tests/service.ts'
import { countProjects } from './counting.ts'
import { catchUpFigures, countNews } from './follower.ts'
import { keepOverviews, readOverview } from './overview.ts'

const service = await startTestService({ figures: false })
const { sql } = service.db
const admin = '/services/operations/v1/admin'
const area = '/services/operations/v1/operations'
const superadmin = await service.addUser({ superadmin: true })
const client = service.client(superadmin.token)

const count = (...ids: number[]) => service.db.transaction((queries) => countProjects(queries, ids))

let tools = 0
/** A template with two cards in three projects. */
async function createScene() {
  const tool = `tool-${++tools}`
  const projectIds: number[] = []
  for (let number = 1; number <= 3; number++)
    projectIds.push(await service.addProject(`${tool} ${number}`, [tool]))
  const { board } = await client.call(`${admin}/master-boards/create`, { title: tool, tool_key: tool })
  const { group } = await client.call(`${admin}/master-groups/create`, { board_id: board.id, title: 'Now' })
  const cardIds: number[] = []
  for (const title of ['One', 'Two']) {
    const { card } = await client.call(`${admin}/master-cards/create`, { group_id: group.id, title })
    cardIds.push(card.id)
  }
  await client.call(`${admin}/master-boards/sync`, { board_id: board.id })
  await count(...projectIds)
  const copyOf = async (project: number, card: number) => {
    const [copy] = await sql<{ id: number }[]>`
      select id from cards where project_id = ${projectIds[project] as number} and master_card_id = ${cardIds[card] as number}`
    return copy?.id as number
  }
  const read = async () => (await client.call(`${admin}/roll-ups/get`, { board_id: board.id })).roll_up
  const countsOf = async (card: number) =>
    Object.fromEntries(
      Object.entries((await read()).cards[card]?.counts ?? {}).filter(
        ([name, value]) => value > 0 && name !== 'received' && name !== 'begun',
      ),
    )
  return { projectIds, boardId: board.id, cardIds, copyOf, read, countsOf }
}

test('what is changed while a project is counted leaves it to be counted again', async () => {
  const { projectIds, cardIds, copyOf, countsOf } = await createScene()
  const [id] = projectIds as [number]
  const card = await copyOf(0, 0)
  await client.call(`${area}/cards/update`, { id: card, status: 'blocked' })
  const isChanged = Promise.withResolvers<void>()
  const isHeld = Promise.withResolvers<void>()
  // The cards have been read by the statement that waits for this row.
  const holding = service.db.transaction(async (queries) => {
    await queries.sql`select from template_card_counts where master_card_id = ${cardIds[0] as number} for update`
    isHeld.resolve()
    await isChanged.promise
  })
  await isHeld.promise
  const counting = count(id)
  try {
    await waitingForLocks(service.db, 1)
    await client.call(`${area}/cards/update`, { id: card, status: 'closed' })
  } finally {
    isChanged.resolve()
    await holding
  }
  await counting
  assert.deepEqual(await countsOf(0), { open: 2, blocked: 1 })
  const due = await sql`
    select from project_figures f join project_versions v on v.project_id = f.project_id where f.project_id = ${id} and f.version < v.version`
  assert.equal(due.length, 1)
  await count(id)
  assert.deepEqual(await countsOf(0), { open: 2, done: 1 })
})

test('200 each card says how many projects are how far, and which they are', async () => {
  const { projectIds, cardIds, copyOf, read, countsOf } = await createScene()
  assert.deepEqual(await countsOf(0), { open: 3 })
  await client.call(`${area}/cards/update`, { id: await copyOf(0, 0), status: 'closed' })
  await client.call(`${area}/cards/update`, { id: await copyOf(1, 0), status: 'blocked', title: 'Own' })
  await client.call(`${area}/cards/update`, { id: await copyOf(1, 0), due_date: '2020-01-01' })
  await client.call(`${area}/cards/delete`, { id: await copyOf(2, 0) })
  await count(...projectIds)
  assert.deepEqual(await countsOf(0), { blocked: 1, done: 1, deleted: 1, overdue: 1, customized: 1 })
  assert.deepEqual(await countsOf(1), { open: 3 })
  const rolledUp = await read()
  assert.equal(rolledUp.projects_count, 3)
  assert.deepEqual([rolledUp.weeks.length, rolledUp.cards[0]?.median_days], [12, 0])
  assert.deepEqual(rolledUp.cards[0]?.trend.slice(-2), [0, 1])
  const { received, begun, done } = present(rolledUp.cards[0]).counts
  assert.deepEqual({ received, begun, done }, { received: 3, begun: 2, done: 1 })
  const behind = (measure: 'blocked' | 'customized' | 'open' | 'received' | 'begun') =>
    client.call(`${admin}/roll-ups/list-projects`, { card_id: cardIds[0] as number, measure })
  assert.deepEqual(
    (await behind('blocked')).projects.map(({ id }) => id),
    [projectIds[1]],
  )
  assert.deepEqual(
    (await behind('customized')).projects.map(({ id }) => id),
    [projectIds[1]],
  )
  assert.deepEqual((await behind('open')).projects, [])
  assert.deepEqual(
    (await behind('received')).projects.map(({ id }) => id),
    projectIds,
  )
  assert.deepEqual(
    (await behind('begun')).projects.map(({ id }) => id),
    projectIds.slice(0, 2),
  )
})

test('404, 422 for what does not exist, and pages of projects', async () => {
  const { cardIds, projectIds } = await createScene()
  const asked = async (path: string, input: object) =>
    (await post(service, path, superadmin.token, input)).status
  assert.equal(await asked(`${admin}/roll-ups/get`, { board_id: 99_999 }), 404)
  assert.equal(await asked(`${admin}/roll-ups/list-projects`, { card_id: 99_999, measure: 'open' }), 404)
  const card_id = cardIds[0] as number
  assert.equal(await asked(`${admin}/roll-ups/list-projects`, { card_id, measure: 'open', cursor: 'x' }), 422)
  const first = await client.call(`${admin}/roll-ups/list-projects`, { card_id, measure: 'open', limit: 2 })
  const rest = await client.call(`${admin}/roll-ups/list-projects`, {
    card_id,
    measure: 'open',
    cursor: first.next_cursor,
  })
  assert.deepEqual(
    [...first.projects, ...rest.projects].map(({ id }) => id),
    projectIds,
  )
})

test('a card that is reopened and done again counts once, and what it took stays', async () => {
  const { projectIds, copyOf, read, countsOf } = await createScene()
  const id = await copyOf(0, 0)
  await sql`update cards set created_at = now() - interval '10 days' where project_id = ${projectIds[0] as number} and id = ${id}`
  await client.call(`${area}/cards/update`, { id, status: 'closed' })
  await count(projectIds[0] as number)
  assert.equal((await read()).cards[0]?.median_days, 10)
  // A later change of a card that is done is not a second end of the work.
  await sql`
    update cards set updated_at = now() + interval '20 days' where project_id = ${projectIds[0] as number} and id = ${id}`
  await count(projectIds[0] as number)
  assert.equal((await read()).cards[0]?.median_days, 10)
  await client.call(`${area}/cards/update`, { id, status: 'open' })
  await count(projectIds[0] as number)
  assert.deepEqual(await countsOf(0), { open: 3 })
  assert.equal((await read()).cards[0]?.median_days, null)
  assert.deepEqual((await read()).cards[0]?.trend, Array(12).fill(0))
})

test('the roll-up and the customized cards have the titles and groups of the newest version, not of the draft', async () => {
  const { projectIds, boardId, cardIds, copyOf, read } = await createScene()
  await client.call(`${area}/cards/update`, { id: await copyOf(0, 0), title: 'Own' })
  await count(...projectIds)
  const shown = async () => {
    const { title, cards } = await read()
    const { customized } = await client.call(`${admin}/customized/get`, { board_id: boardId })
    return [
      title,
      cards.map((card) => [card.group_title, card.title]),
      [customized.title, customized.cards.map((card) => [card.group_title, card.title])],
    ]
  }
  const before = await shown()
  const { group } = await client.call(`${admin}/master-groups/create`, { board_id: boardId, title: 'Draft' })
  const [id] = cardIds as [number]
  await client.call(`${admin}/master-boards/update`, { id: boardId, title: 'Draft' })
  await client.call(`${admin}/master-cards/update`, { id, title: 'Draft' })
  await client.call(`${admin}/master-cards/move`, { id, group_id: group.id, position: 1 })
  assert.deepEqual(await shown(), before)
})

test('many who count at once, again and again, leave the same sums as one', async () => {
  const { projectIds, copyOf, countsOf } = await createScene()
  const statuses = ['open', 'in_progress', 'closed', 'blocked', 'to_check']
  for (let round = 0; round < 6; round++) {
    const changes = projectIds.map(async (_, project) => {
      const id = await copyOf(project, round % 2)
      await client.call(`${area}/cards/update`, { id, status: statuses[(round + project) % 5] as string })
    })
    const counting = Array.from({ length: 4 }, () => count(...projectIds))
    await Promise.all([...changes, ...counting])
  }
  await count(...projectIds)
  for (const card of [0, 1]) {
    const [sums, stored] = [await countsOf(card), new Map<string, number>()]
    for (const [project, projectId] of projectIds.entries()) {
      const [copy] = await sql<{ status: string }[]>`
        select status from cards where project_id = ${projectId} and id = ${await copyOf(project, card)}`
      const status = copy?.status === 'closed' ? 'done' : (copy?.status as string)
      stored.set(status, (stored.get(status) ?? 0) + 1)
    }
    assert.deepEqual(sums, Object.fromEntries([...stored].sort()))
  }
})

test('a deleted project counts for nothing, and counts again when it is restored', async () => {
  const { projectIds, countsOf } = await createScene()
  await sql`update projects set deleted_at = now() where id = ${projectIds[0] as number}`
  await catchUpFigures(service.db, { signal: new AbortController().signal })
  assert.deepEqual(await countsOf(0), { open: 2 })
  await sql`update projects set deleted_at = null where id = ${projectIds[0] as number}`
  await catchUpFigures(service.db, { signal: new AbortController().signal })
  assert.deepEqual(await countsOf(0), { open: 3 })
})

test('what nobody has counted is found: new events, passed dates and new projects', async () => {
  const { projectIds, copyOf, countsOf } = await createScene()
  const catchUp = () => catchUpFigures(service.db, { signal: new AbortController().signal })
  await client.call(`${area}/cards/update`, { id: await copyOf(0, 0), status: 'closed' })
  await catchUp()
  assert.deepEqual(await countsOf(0), { open: 2, done: 1 })
  await sql`
    update cards set due_date = now() - interval '1 minute' where project_id = ${projectIds[1] as number} and id = ${await copyOf(1, 0)}`
  await catchUp()
  assert.deepEqual(await countsOf(0), { open: 2, done: 1 })
  await sql`update project_figures set stale_at = now() where project_id = ${projectIds[1] as number}`
  await catchUp()
  assert.deepEqual(await countsOf(0), { open: 2, done: 1, overdue: 1 })
  const id = await service.addProject('Never counted')
  await catchUp()
  assert.equal((await client.call(`${admin}/projects/get`, { id })).project.name, 'Never counted')
})

test('the overview sums up: projects, activity, stuck ones, trials, templates and failing checks', async () => {
  const { projectIds, boardId, cardIds, copyOf } = await createScene()
  // Drafts are nothing that projects have.
  await client.call(`${admin}/master-boards/update`, { id: boardId, title: 'Draft' })
  await client.call(`${admin}/master-cards/update`, { id: cardIds[1] as number, title: 'Draft' })
  const [first, second] = projectIds as [number, number]
  await sql`update project_figures set active_at = now() - interval '20 days' where project_id = ${first}`
  await sql`
    insert into subscriptions (project_id, product, status, trial_ends_at)
    values (${second}, 'ending', 'trialing', now() + interval '3 days')`
  await sql`
    update cards set evaluation_check = 'x', evaluation_passed = false
    where project_id = ${second} and id = ${await copyOf(1, 1)}`
  await count(second)
  // Created a moment ago by somebody else, and nobody has done anything in them.
  const active = { template_id: boardId, active_within_days: 7 }
  assert.deepEqual((await client.call(`${admin}/projects/list`, active)).projects, [])
  const { overview } = await client.call(`${admin}/overview/get`)
  assert.ok(overview.stuck.some(({ id }) => id === first))
  assert.deepEqual(
    overview.trials.map(({ id }) => id),
    [second],
  )
  assert.equal(overview.trials_count, 1)
  assert.deepEqual([overview.failing_count, overview.failing[0]?.title], [1, 'Two'])
  const template = overview.templates.find(({ id }) => id === boardId)
  assert.deepEqual([template?.projects_count, template?.access_count], [3, 3])
  assert.match(present(template).title, /^tool-/)
  assert.equal(overview.weeks.length, 26)
  assert.equal(overview.weeks.at(-1)?.projects_count, overview.projects_count)
  assert.ok(overview.active_count < overview.projects_count)

  const read = async () => (await client.call(`${admin}/overview/get`)).overview
  await keepOverviews(service.db, 0)
  await sql`update project_figures set active_at = now() - interval '20 days' where project_id = ${second}`
  // It was counted a moment later, and is otherwise the same.
  const kept = await read()
  assert.deepEqual({ ...kept, as_of: overview.as_of }, overview)
  assert.ok(kept.as_of > overview.as_of)
  await sql`update overviews set counted_at = now() - interval '6 minutes'`
  assert.equal((await read()).stuck_count, overview.stuck_count + 1)
  await keepOverviews(service.db, Number.POSITIVE_INFINITY)
  assert.equal((await sql`select from overviews`).length, 0)
})

/** Plans, and applies when it is planned. */
async function rollOut(path: 'plan' | 'revert', input: object) {
  const { body } = await post<{ rollout: { id: number } }>(
    service,
    `${admin}/rollouts/${path}`,
    superadmin.token,
    input,
  )
  const { id } = body.data.rollout
  const reaches = (status: string) =>
    eventually(async () =>
      assert.equal((await client.call(`${admin}/rollouts/get`, { id })).rollout.status, status),
    )
  await reaches('planned')
  await client.call(`${admin}/rollouts/apply`, { id })
  await reaches('done')
  return id
}

test('a card that was deleted and is back counts again, and as done since it was done', async () => {
  const { projectIds, boardId, cardIds, copyOf, countsOf, read } = await createScene()
  const [id, projectId, copyId] = [cardIds[0] as number, projectIds[0] as number, await copyOf(0, 0)]
  await sql`
    update cards set status = 'closed', created_at = now() - interval '40 days', updated_at = now() - interval '30 days'
    where project_id = ${projectId} and id = ${copyId}`
  await count(...projectIds)
  const shown = async () => {
    const [card] = (await read()).cards
    return { counts: await countsOf(0), trend: card?.trend, median: card?.median_days }
  }
  const before = await shown()
  assert.deepEqual([before.counts, before.median, before.trend?.at(-3)], [{ open: 2, done: 1 }, 10, 1])
  const none = { trend: Array(12).fill(0), median: null }

  await client.call(`${admin}/master-cards/delete`, { id, delete_from_projects: true })
  await count(...projectIds)
  assert.equal((await read()).cards.length, 1)
  await client.call(`${admin}/master-cards/restore`, { id })
  await client.call(`${admin}/master-boards/sync`, { board_id: boardId })
  await countNews(service.db, projectIds)
  assert.deepEqual(await shown(), before)

  await client.call(`${area}/cards/delete`, { id: copyId })
  await count(...projectIds)
  assert.deepEqual(await shown(), { counts: { open: 2, deleted: 1 }, ...none })
  await client.call(`${area}/cards/restore`, { id: copyId })
  await count(...projectIds)
  assert.deepEqual(await shown(), before)

  await sql`update cards set updated_at = now() where project_id = ${projectId} and id = ${copyId}`
  await sql`update projects set deleted_at = now() where id = ${projectId}`
  await count(...projectIds)
  assert.deepEqual(await shown(), { counts: { open: 2 }, ...none })
  await sql`update projects set deleted_at = null where id = ${projectId}`
  await count(...projectIds)
  assert.deepEqual(await shown(), before)
})

test('what a revert takes away and what a reset returns is counted', async () => {
  const { projectIds, boardId, cardIds, copyOf, countsOf } = await createScene()
  const [cardId] = cardIds as [number]
  await client.call(`${area}/cards/update`, { id: await copyOf(0, 0), title: 'Own' })
  await countNews(service.db, projectIds)
  assert.deepEqual(await countsOf(0), { open: 3, customized: 1 })
  await rollOut('plan', {
    board_id: boardId,
    card_id: cardId,
    reset_fields: ['title'],
    project_ids: projectIds,
  })
  await countNews(service.db, projectIds)
  assert.deepEqual(await countsOf(0), { open: 3 })
  const [group] = await sql<{ id: number }[]>`select id from master_groups where board_id = ${boardId}`
  await client.call(`${admin}/master-cards/create`, {
    group_id: group?.id as number,
    title: 'Three',
    push_to_projects: true,
  })
  await countNews(service.db, projectIds)
  assert.deepEqual(await countsOf(2), { open: 3 })
  const { rollouts } = await client.call(`${admin}/rollouts/list`, { board_id: boardId, limit: 1 })
  await rollOut('revert', { id: present(rollouts[0]).id })
  await countNews(service.db, projectIds)
  assert.deepEqual(await countsOf(2), {})
})

test('after a revert a project has the version from before, in its row and in filters', async () => {
  const { projectIds, boardId, cardIds } = await createScene()
  const [projectId] = projectIds as [number]
  const versionOf = async () =>
    (await client.call(`${admin}/projects/get`, { id: projectId })).project.templates[0]?.version
  const reached = async (template_version: number) => {
    const filter = { template_id: boardId, template_version, template_state: 'reached' } as const
    return (await client.call(`${admin}/projects/list`, filter)).projects.length
  }
  for (const title of ['Second', 'Third']) {
    await client.call(`${admin}/master-cards/update`, { id: cardIds[0] as number, title })
    await client.call(`${admin}/master-boards/publish`, { id: boardId })
  }
  const id = await rollOut('plan', { board_id: boardId })
  await count(...projectIds)
  assert.deepEqual([await versionOf(), await reached(3)], [3, 3])
  await rollOut('revert', { id })
  await count(...projectIds)
  assert.deepEqual([await versionOf(), await reached(1), await reached(2)], [1, 3, 0])
})

test('a card counts until its deletion is published, and the cards of a template until that is deleted', async () => {
  const { projectIds, boardId, cardIds, copyOf, read } = await createScene()
  const [projectId] = projectIds as [number]
  await client.call(`${area}/cards/update`, { id: await copyOf(0, 0), status: 'closed' })
  await sql`
    update cards set evaluation_check = 'x', evaluation_passed = false where project_id = ${projectId} and id = ${await copyOf(0, 0)}`
  const figures = async () => {
    await catchUpFigures(service.db, { signal: new AbortController().signal })
    const { project } = await client.call(`${admin}/projects/get`, { id: projectId })
    const { overview } = await client.call(`${admin}/overview/get`)
    return {
      cards: project.cards_count,
      done: project.done_count,
      failing: overview.failing.filter(({ board_id }) => board_id === boardId).length,
    }
  }
  const withBoth = { cards: 2, done: 1, failing: 1 }
  assert.deepEqual(await figures(), withBoth)
  await client.call(`${admin}/master-cards/delete`, { id: cardIds[0] as number })
  await count(...projectIds)
  assert.deepEqual(await figures(), withBoth)
  assert.equal((await read()).cards[0]?.counts.done, 1)
  const behind = async () => {
    const input = { card_id: cardIds[0] as number, measure: 'done' as const }
    const answer = await client.attempt(`${admin}/roll-ups/list-projects`, input)
    return answer.ok && answer.data.projects.map(({ id }) => id)
  }
  assert.deepEqual(await behind(), [projectId])
  await client.call(`${admin}/master-boards/publish`, { id: boardId })
  assert.equal(await behind(), false)
  assert.deepEqual(await figures(), { cards: 1, done: 0, failing: 0 })
  assert.equal((await read()).cards.length, 1)
  await client.call(`${admin}/master-boards/delete`, { id: boardId })
  assert.deepEqual(await figures(), { cards: 0, done: 0, failing: 0 })
  await client.call(`${admin}/master-boards/restore`, { id: boardId })
  await client.call(`${admin}/master-cards/restore`, { id: cardIds[0] as number })
  await client.call(`${admin}/master-boards/publish`, { id: boardId })
  assert.deepEqual(await figures(), withBoth)
  assert.equal((await read()).cards[0]?.counts.done, 1)
})

test('a project is not counted for a rollout that changes no figure of it', async () => {
  const { projectIds, boardId, cardIds, copyOf } = await createScene()
  /** Which of the projects are counted for what has happened since; all of them have followed it then. */
  const countedAfter = async (work: () => Promise<unknown>) => {
    await sql`update project_figures set cards = 77 where project_id = any(${projectIds}::bigint[])`
    await work()
    await countNews(service.db, projectIds)
    const figures = await sql<{ cards: number; is_behind: boolean }[]>`
      select f.cards, f.version < v.version as is_behind from project_figures f join project_versions v on v.project_id = f.project_id
      where f.project_id = any(${projectIds}::bigint[]) order by f.project_id`
    assert.deepEqual(
      figures.map(({ is_behind }) => is_behind),
      [false, false, false],
    )
    return figures.map(({ cards }) => cards !== 77)
  }
  const id = cardIds[0] as number
  const rollOut = async (changes: object) => {
    await client.call(`${admin}/master-cards/update`, { id, ...changes })
    await client.call(`${admin}/master-cards/push`, { card_id: id })
  }
  assert.deepEqual(await countedAfter(() => rollOut({ title: 'First' })), [false, false, false])
  const customized = { id: await copyOf(0, 0), title: 'Own' }
  const customize = () => client.call(`${area}/cards/update`, customized)
  assert.deepEqual(await countedAfter(customize), [true, false, false])
  const keptInOne = () => rollOut({ title: 'Again', priority: 'high' })
  assert.deepEqual(await countedAfter(keptInOne), [true, false, false])
  assert.deepEqual(await countedAfter(() => rollOut({ evaluation_check: 'site.is_live' })), [
    true,
    true,
    true,
  ])
  const { group } = await client.call(`${admin}/master-groups/create`, { board_id: boardId, title: 'Later' })
  const added = { group_id: group.id, title: 'Three', push_to_projects: true }
  const add = () => client.call(`${admin}/master-cards/create`, added)
  assert.deepEqual(await countedAfter(add), [true, true, true])
})

test('the overview of a platform reads its own projects only', async () => {
  await createScene()
  const platformId = (await addPlatform(service.db, 'Small')) as number
  await count(await service.addProject('Alone', [], platformId))
  const reads = await readsOf(service.db, ['project_figures'], async (queries) => {
    // The table is small here.
    await queries.sql`set local enable_seqscan = off`
    assert.equal((await readOverview(queries, platformId)).projects_count, 1)
  })
  const [others] = await sql<{ count: number }[]>`
    select count(*) from project_figures where platform_id <> ${platformId}`
  // More than four if its project was counted again meanwhile.
  assert.ok(reads < 10 && (others?.count ?? 0) > 20, `${reads} of ${others?.count}`)
})

test('pages agree on which projects have a template that has no cards, or whose board was deleted', async () => {
  const tool = `tool-${++tools}`
  const ids = [await service.addProject(`${tool} A`, [tool]), await service.addProject(`${tool} B`, [tool])]
  const { board } = await client.call(`${admin}/master-boards/create`, {
    ...{ title: tool, tool_key: tool, platform_id: await firstPlatform(service.db) },
  })
  await client.call(`${admin}/master-boards/sync`, { board_id: board.id })
  const having = async () => {
    await count(...ids)
    const { boards } = await client.call(`${admin}/master-boards/list`)
    const { roll_up } = await client.call(`${admin}/roll-ups/get`, { board_id: board.id })
    const present = { template_id: board.id, template_state: 'present' as const }
    const pages = await Promise.all(ids.map((id) => client.call(`${admin}/projects/get`, { id })))
    return [
      boards.find(({ id }) => id === board.id)?.projects_count,
      roll_up.projects_count,
      (await client.call(`${admin}/projects/list`, present)).count,
      pages.filter(({ project }) => project.templates.some(({ id }) => id === board.id)).length,
    ]
  }
  assert.deepEqual(await having(), [2, 2, 2, 2], 'without cards')
  const { group } = await client.call(`${admin}/master-groups/create`, { board_id: board.id, title: 'Now' })
  await client.call(`${admin}/master-cards/create`, { group_id: group.id, title: 'One' })
  await client.call(`${admin}/master-boards/sync`, { board_id: board.id })
  assert.deepEqual(await having(), [2, 2, 2, 2], 'with a card')
  const [copy] = await sql<{ id: number }[]>`
    select id from boards where project_id = ${ids[0] as number} and master_board_id = ${board.id}`
  await client.call(`${area}/boards/delete`, { id: copy?.id as number })
  assert.deepEqual(await having(), [1, 1, 1, 1], 'deleted by a project')
})
