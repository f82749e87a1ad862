// A plan is made, read, applied and discarded. rollouts/model.test.ts compares plans with what is applied, in random histories.
import assert from 'node:assert/strict'
import test from 'node:test'
import { usualQuotas } from '#quotas/quotas.ts'
import { createMaster, type MasterFixture, present, type Receiver } from '#tests/master.ts'
import { sender } from '#tests/post.ts'
import { eventually } from '#tests/process.ts'
import { startTestService } from '#tests/service.ts'

const masters = '/services/operations/v1/admin'
const operations = '/services/operations/v1/operations'
/** A board of these tests has a few cards; one that is full has this many. */
const mostCards = 12
const service = await startTestService({ quotas: { ...usualQuotas, cardsPerBoard: mostCards } })
const { sql } = service.db
const superadmin = await service.addUser({ superadmin: true })
const admin = service.client(superadmin.token)
const send = sender(service, superadmin.token, `${masters}/rollouts`)

const read = async (id: number) => (await admin.call(`${masters}/rollouts/get`, { id })).rollout

const reaches = (id: number, status: string) =>
  eventually(async () => {
    const rollout = await read(id)
    assert.equal(rollout.status, status)
    return rollout
  })

async function plan(
  { boardId }: Pick<MasterFixture, 'boardId'>,
  input: { version?: number; card_id?: number; project_ids?: number[]; delete_from_projects?: boolean } = {},
) {
  const { rollout } = await admin.call(`${masters}/rollouts/plan`, { board_id: boardId, ...input })
  assert.ok(['planning', 'planned'].includes(rollout.status))
  return reaches(rollout.id, 'planned')
}

const apply = async (id: number) => {
  await admin.call(`${masters}/rollouts/apply`, { id })
  return reaches(id, 'done')
}

const cardIn = async ({ id }: Receiver, masterCardId: number) => {
  const [card] = await sql<{ id: number; title: string; priority: string; is_deleted: boolean }[]>`
    select id, title, priority::text, deleted_at is not null as is_deleted from cards
    where project_id = ${id} and master_card_id = ${masterCardId}`
  return present(card)
}
const change = (id: number, fields: { title?: string; priority?: 'high' | 'urgent' }) =>
  admin.call(`${masters}/master-cards/update`, { id, ...fields })

/** A template that three projects have; in the second a title is customized, in the third a card is deleted. Then the template changes. */
async function createChanged() {
  const master = await createMaster(service, { projects: 3, cards: 2 })
  await master.sync()
  const [, second, third] = master.projects as [Receiver, Receiver, Receiver]
  const [first, other] = master.cardIds as [number, number]
  await second.client.call(`${operations}/cards/update`, {
    id: (await cardIn(second, first)).id,
    title: 'Ours',
  })
  await third.client.call(`${operations}/cards/delete`, { id: (await cardIn(third, other)).id })
  await change(first, { title: 'Newer', priority: 'high' })
  await change(other, { priority: 'urgent' })
  const added = await master.addCard({ title: 'Added', group_id: master.groupIds[1] })
  await master.publish()
  return { ...master, first, other, added }
}

test('200 a plan shows what changes in the template itself and in its groups, and a revert the way back', async () => {
  const master = await createMaster(service, { projects: 2 })
  await master.sync()
  const groupId = master.groupIds[0]
  await admin.call(`${masters}/master-boards/update`, {
    id: master.boardId,
    title: 'Lift-off',
    description: 'New',
  })
  await admin.call(`${masters}/master-groups/update`, { id: groupId, title: 'Prepare' })
  await master.publish()
  const differences = async (id: number) =>
    (await admin.call(`${masters}/rollouts/plan/list-cards`, { id })).cards.map((one) => [
      one.thing,
      one.id,
      one.difference.map(({ field, before, after }) => [field, before, after]),
    ])
  const { id } = await plan(master)
  assert.deepEqual(await differences(id), [
    [
      'template',
      master.boardId,
      [
        ['title', 'Launch', 'Lift-off'],
        ['description', null, 'New'],
      ],
    ],
    ['group', groupId, [['title', 'Plan', 'Prepare']]],
  ])
  const { rollout } = await admin.call(`${masters}/rollouts/apply`, { id })
  await eventually(async () =>
    assert.equal((await admin.call(`${masters}/rollouts/get`, { id: rollout.id })).rollout.status, 'done'),
  )
  const { rollout: revert } = await admin.call(`${masters}/rollouts/revert`, { id })
  await eventually(async () =>
    assert.equal((await admin.call(`${masters}/rollouts/get`, { id: revert.id })).rollout.status, 'planned'),
  )
  assert.deepEqual(await differences(revert.id), [
    [
      'template',
      master.boardId,
      [
        ['title', 'Lift-off', 'Launch'],
        ['description', 'New', null],
      ],
    ],
    ['group', groupId, [['title', 'Prepare', 'Plan']]],
  ])
})

test('201 a plan says what each project would receive, changes nothing, and 200 apply does exactly that', async () => {
  const master = await createChanged()
  const [one, two, three] = master.projects as [Receiver, Receiver, Receiver]
  const versions = async () => [
    ...(await sql`select project_id, version from project_versions where project_id = any(${master.projects.map(({ id }) => id)}::bigint[]) order by 1`),
  ]
  const before = await versions()
  const planned = await plan(master)
  assert.deepEqual(
    { ...planned.plan, expected_seconds: null },
    {
      ...{ changed: 3, unchanged: 0, opted_out: 0, added: 3, updated: 5, moved: 0, kept: 1, skipped: 1 },
      ...{ failed: 0, removed: 0, in_use: 0, used: 0, overtaken: 0 },
      no_access: planned.counts.projects - 3,
      expected_seconds: null,
    },
  )
  // It follows from how long earlier rollouts took, so a busy machine expects more.
  assert.ok((planned.plan?.expected_seconds ?? 0) >= 1)
  assert.deepEqual([planned.is_partial, planned.kind, planned.version], [false, 'board', 2])

  const { cards } = await admin.call(`${masters}/rollouts/plan/list-cards`, { id: planned.id })
  const shown = cards.map(({ title, added, updated, kept, skipped, updated_fields, kept_fields }) => ({
    ...{ title, added, updated, kept, skipped },
    updated_fields: Object.fromEntries(updated_fields.map(({ field, count }) => [field, count])),
    kept_fields: Object.fromEntries(kept_fields.map(({ field, count }) => [field, count])),
  }))
  assert.deepEqual(shown, [
    {
      ...{ title: 'Newer', added: 0, updated: 3, kept: 1, skipped: 0 },
      ...{ updated_fields: { title: 2, priority: 3 }, kept_fields: { title: 1 } },
    },
    {
      ...{ title: 'Card 2', added: 0, updated: 2, kept: 0, skipped: 1 },
      ...{ updated_fields: { priority: 2 }, kept_fields: {} },
    },
    { title: 'Added', added: 3, updated: 0, kept: 0, skipped: 0, updated_fields: {}, kept_fields: {} },
  ])
  assert.deepEqual(cards[0]?.difference, [
    { field: 'title', before: 'Card 1', after: 'Newer' },
    { field: 'priority', before: 'normal', after: 'high' },
  ])
  assert.deepEqual(cards[2]?.sample_project_ids, [one.id, two.id, three.id])

  const listed = await admin.call(`${masters}/rollouts/plan/list-projects`, {
    id: planned.id,
    outcome: 'changed',
  })
  assert.deepEqual(
    listed.projects.map(({ project_id, added, updated, kept, skipped }) => [
      project_id,
      added,
      updated,
      kept,
      skipped,
    ]),
    [
      [one.id, 1, 2, 0, 0],
      [two.id, 1, 2, 1, 0],
      [three.id, 1, 1, 0, 1],
    ],
  )
  const found = await admin.call(`${masters}/rollouts/plan/list-projects`, {
    id: planned.id,
    query: String(two.id),
  })
  assert.deepEqual(
    found.projects.map(({ project_id }) => project_id),
    [two.id],
  )
  assert.equal((await send('/plan/list-projects', { id: planned.id, cursor: 'x' })).status, 422)
  const detail = await admin.call(`${masters}/rollouts/plan/get-project`, {
    id: planned.id,
    project_id: two.id,
  })
  assert.deepEqual(
    detail.things.map(({ title, change, fields, kept }) => [title, change, fields, kept]),
    [
      ['Newer', 'updated', ['priority'], ['title']],
      ['Card 2', 'updated', ['priority'], []],
      ['Added', 'added', [], []],
    ],
  )
  assert.deepEqual([detail.outcome, detail.differs], ['changed', false])
  assert.deepEqual(await versions(), before, 'planning has changed projects')

  const { counts } = await apply(planned.id)
  assert.deepEqual([counts.changed, counts.differs, counts.failed], [3, 0, 0])
  const received = await admin.call(`${masters}/rollouts/get-project`, {
    ...{ id: planned.id, project_id: two.id },
  })
  assert.deepEqual(
    received.things.map(({ title, change, fields, kept }) => [title, change, fields, kept]),
    [
      ['Ours', 'updated', ['priority'], ['title']],
      ['Card 2', 'updated', ['priority'], []],
      ['Added', 'added', [], []],
    ],
  )
  const left = async (id: number) => {
    const { results } = await admin.call(`${masters}/rollouts/get`, { id, outcome: 'changed' })
    return results.map(({ kept_fields, skips }) => [kept_fields, skips])
  }
  assert.deepEqual(await left(planned.id), [
    [[], []],
    [[{ field: 'title', count: 1 }], []],
    [[], [{ reason: 'deleted', count: 1 }]],
  ])
  const copies = await Promise.all(master.projects.map((project) => cardIn(project, master.first)))
  assert.deepEqual(
    copies.map(({ title, priority }) => [title, priority]),
    [
      ['Newer', 'high'],
      ['Ours', 'high'],
      ['Newer', 'high'],
    ],
  )
  assert.equal((await cardIn(three, master.other)).is_deleted, true)
  const again = await plan(master)
  assert.deepEqual([again.plan?.changed, again.plan?.unchanged], [0, 3])
})

test('200 apply: projects that changed since are merged anew, and marked where they receive something else', async () => {
  const master = await createChanged()
  const [one, two, three] = master.projects as [Receiver, Receiver, Receiver]
  const { id } = await plan(master)
  await one.client.call(`${operations}/cards/update`, {
    id: (await cardIn(one, master.first)).id,
    title: 'Mine',
  })
  // A change that makes no difference for the rollout.
  await two.client.call(`${operations}/cards/update`, {
    id: (await cardIn(two, master.first)).id,
    status: 'closed',
  })
  const detail = await admin.call(`${masters}/rollouts/plan/get-project`, { id, project_id: one.id })
  assert.equal(detail.differs, true)
  const [before] =
    await sql`update rollouts set created_at = now() - interval '3 hours' where id = ${id} and started_at is null returning id`
  assert.ok(before)
  const { counts, started_at } = await apply(id)
  assert.deepEqual([counts.changed, counts.differs], [3, 1])
  assert.ok(started_at !== null && Date.now() - Date.parse(started_at) < 3_600_000)
  const listed = async (differs: boolean) =>
    (await admin.call(`${masters}/rollouts/get`, { id, differs })).results.map(({ project_id }) => project_id)
  assert.deepEqual(await listed(true), [one.id])
  const others = await listed(false)
  assert.deepEqual([others.includes(one.id), others.includes(two.id)], [false, true])
  const { projects } = await admin.call(`${masters}/rollouts/plan/list-projects`, { id, outcome: 'changed' })
  assert.deepEqual(
    projects.map(({ project_id, differs }) => [project_id, differs]),
    [
      [one.id, true],
      [two.id, false],
      [three.id, false],
    ],
  )
  assert.deepEqual((await cardIn(one, master.first)).title, 'Mine')
})

test('200 apply brings the pinned version, also when a newer one was published since', async () => {
  const master = await createChanged()
  const { id } = await plan(master, { version: 2 })
  await change(master.first, { title: 'Newest' })
  await master.publish()
  const { counts } = await apply(id)
  assert.deepEqual([counts.changed, counts.differs], [3, 0])
  assert.equal((await cardIn(master.projects[0] as Receiver, master.first)).title, 'Newer')
  const newest = await plan(master)
  assert.deepEqual([newest.plan?.changed, newest.plan?.updated, newest.plan?.kept], [2, 2, 1])
})

test('200 a plan for one card and chosen projects reaches only these', async () => {
  const master = await createChanged()
  const [one, two] = master.projects as [Receiver, Receiver, Receiver]
  const planned = await plan(master, { card_id: master.first, project_ids: [one.id] })
  assert.deepEqual([planned.kind, planned.is_partial, planned.counts.projects], ['card', true, 1])
  await apply(planned.id)
  assert.equal((await cardIn(one, master.first)).title, 'Newer')
  assert.equal((await cardIn(two, master.first)).priority, 'normal')
  const { board } = await admin.call(`${masters}/master-boards/get`, { id: master.boardId })
  assert.equal(board.behind_count, 3)
})

test('200 the deletion of a card is planned once a version does not have it any more', async () => {
  const master = await createChanged()
  await admin.call(`${masters}/master-cards/delete`, { id: master.other })
  await master.publish()
  const planned = await plan(master, { card_id: master.other })
  assert.deepEqual([planned.kind, planned.plan?.added, planned.plan?.removed], ['removal', 0, 2])
  const { cards } = await admin.call(`${masters}/rollouts/plan/list-cards`, { id: planned.id })
  assert.deepEqual(
    cards.map(({ id, removed }) => [id, removed]),
    [[master.other, 2]],
  )
  const { counts } = await apply(planned.id)
  assert.deepEqual([counts.changed, counts.differs], [2, 0])
  assert.equal((await cardIn(master.projects[0] as Receiver, master.other)).is_deleted, true)
  await admin.call(`${masters}/master-cards/restore`, { id: master.other })
  await master.publish()
  const back = await plan(master, { card_id: master.other })
  const listed = await admin.call(`${masters}/rollouts/plan/list-cards`, { id: back.id })
  assert.deepEqual(
    listed.cards.map(({ returned, skipped }) => [returned, skipped]),
    [[2, 1]],
  )
  await apply(back.id)
  assert.equal((await cardIn(master.projects[0] as Receiver, master.other)).is_deleted, false)
})

test('200 with delete_from_projects a card is planned to be deleted, and goes from the template when the plan is applied', async () => {
  const master = await createChanged()
  const { boardId, other: card_id } = master
  const [one, two] = master.projects as [Receiver, Receiver, Receiver]
  const cardsOf = async () => {
    const { board } = await admin.call(`${masters}/master-boards/get`, { id: boardId })
    return [board.version, board.groups.flatMap(({ cards }) => cards).some(({ id }) => id === card_id)]
  }
  const [version] = await cardsOf()
  await change(card_id, { title: 'Draft' })
  await admin.call(`${masters}/master-boards/update`, { id: boardId, is_active: false })
  const planned = await plan(master, { card_id, delete_from_projects: true })
  assert.deepEqual([planned.kind, planned.title, planned.plan?.removed], ['removal', 'Card 2', 2])
  const read = await admin.call(`${masters}/rollouts/plan/get-project`, {
    id: planned.id,
    project_id: one.id,
  })
  assert.deepEqual([read.differs, read.things.map((thing) => thing.change)], [false, ['removed']])
  assert.deepEqual(await cardsOf(), [version, true])
  await two.client.call(`${operations}/cards/delete`, { id: (await cardIn(two, card_id)).id })
  const { counts, version: applied } = await apply(planned.id)
  assert.deepEqual([counts.changed, counts.differs, applied], [1, 1, Number(version) + 1])
  assert.equal((await admin.call(`${masters}/rollouts/get`, { id: planned.id })).request, null)
  assert.deepEqual(await cardsOf(), [applied, false])
  assert.equal((await cardIn(one, card_id)).is_deleted, true)
  await admin.call(`${masters}/master-cards/restore`, { id: card_id })
  await admin.call(`${masters}/master-boards/update`, { id: boardId, is_active: true })
  await master.sync()
  assert.equal((await cardIn(one, card_id)).is_deleted, false)

  await admin.call(`${masters}/master-cards/delete`, { id: card_id, delete_from_projects: true })
  await admin.call(`${masters}/master-cards/restore`, { id: card_id })
  await one.client.call(`${operations}/cards/restore`, { id: (await cardIn(one, card_id)).id })
  const [withoutCard] = await cardsOf()
  const again = await plan(master, { card_id, delete_from_projects: true })
  assert.deepEqual([again.plan?.removed, await cardsOf()], [1, [withoutCard, true]])
  await apply(again.id)
  assert.deepEqual(await cardsOf(), [withoutCard, false])
  assert.equal((await cardIn(one, card_id)).is_deleted, true)
  const { board } = await admin.call(`${masters}/master-boards/get`, { id: boardId })
  assert.equal(board.has_draft_changes, false)

  await admin.call(`${masters}/master-cards/restore`, { id: card_id })
  await master.sync()
  const forgotten = await plan(master, { card_id, delete_from_projects: true })
  await admin.call(`${masters}/master-boards/delete`, { id: boardId })
  assert.equal((await send('/apply', { id: forgotten.id })).status, 400)
})

test('200 the plan of a deletion says how many of the cards are in use, and how: done, under way, with comments, customized', async () => {
  const master = await createMaster(service, { projects: 4, cards: 1 })
  await master.sync()
  const [untouched, done, talked, stopped] = master.projects as [Receiver, Receiver, Receiver, Receiver]
  const [card_id] = master.cardIds as [number]
  const copy = async (project: Receiver) => (await cardIn(project, card_id)).id
  const finished = { id: await copy(done), status: 'closed', title: 'Ours' }
  await done.client.call(`${operations}/cards/update`, finished)
  const talkedAbout = await copy(talked)
  await talked.client.call(`${operations}/cards/update`, { id: talkedAbout, status: 'in_progress' })
  for (const comment of ['One', 'Two'])
    await talked.client.call(`${operations}/comments/create`, { card_id: talkedAbout, comment })
  await stopped.client.call(`${operations}/cards/stop-updates`, { id: await copy(stopped) })
  const forgotten = await stopped.client.call(`${operations}/comments/create`, {
    ...{ card_id: await copy(stopped), comment: 'Deleted again' },
  })
  await stopped.client.call(`${operations}/comments/delete`, { id: forgotten.comment.id })
  const { id, plan: counts } = await plan(master, { card_id, delete_from_projects: true })
  assert.deepEqual([counts?.removed, counts?.in_use], [4, 3])
  const { cards } = await admin.call(`${masters}/rollouts/plan/list-cards`, { id })
  assert.deepEqual(
    cards.map(({ removed, uses }) => [removed, uses.map(({ use, count }) => `${use} ${count}`).join()]),
    [[4, 'done 1,under_way 1,commented 1,customized 2']],
  )
  const { projects } = await admin.call(`${masters}/rollouts/plan/list-projects`, { id, outcome: 'changed' })
  const usesIn = Object.fromEntries(projects.map((one) => [one.project_id, one.uses.map(({ use }) => use)]))
  assert.deepEqual(usesIn, {
    [untouched.id]: [],
    [done.id]: ['customized', 'done'],
    [talked.id]: ['commented', 'under_way'],
    [stopped.id]: ['customized'],
  })
  const { counts: applied } = await apply(id)
  assert.deepEqual([applied.changed, applied.differs], [4, 0])
})

test('200 projects that lose or gain access between plan and apply are marked', async () => {
  const master = await createChanged()
  const [one] = master.projects as [Receiver, Receiver, Receiver]
  const { id } = await plan(master)
  await sql`update projects set tool_keys = '[]' where id = ${one.id}`
  const { counts } = await apply(id)
  assert.deepEqual([counts.changed, counts.differs], [2, 1])
  assert.equal((await cardIn(one, master.first)).title, 'Card 1')
})

test('200 discard deletes a plan; 400 for a rollout that has begun, and 404 afterwards', async () => {
  const master = await createChanged()
  const { id } = await plan(master)
  await admin.call(`${masters}/rollouts/discard`, { id })
  for (const path of ['/discard', '/apply', '/get', '/plan/list-cards', '/plan/list-projects'])
    assert.deepEqual((await send(path, { id })).status, 404)
  assert.equal((await send('/plan/get-project', { id, project_id: 999_999 })).status, 404)
  const applied = await plan(master)
  await apply(applied.id)
  for (const path of ['/discard', '/apply']) {
    const refused = await send(path, { id: applied.id })
    assert.deepEqual([refused.status, refused.body.message], [400, 'This rollout has begun already.'])
  }
  for (const path of ['/plan/get-project', '/get-project']) {
    const unknown = await send(path, { id: applied.id, project_id: 999_999 })
    assert.deepEqual([unknown.status, Object.keys(unknown.body.errors ?? {})], [422, ['project_id']])
  }
})

test('400 what cannot be planned or applied, and what only a rollout that has begun can do', async () => {
  const master = await createMaster(service, { projects: 1 })
  const attempt = (input: object) =>
    admin.attempt(`${masters}/rollouts/plan`, { board_id: master.boardId, ...input })
  const code = async (input: object) => {
    const answer = await attempt(input)
    return [answer.status, !answer.ok && answer.code]
  }
  assert.deepEqual(await code({}), [400, 'template_not_published'])
  await admin.call(`${masters}/master-cards/update`, { id: master.cardIds[1] as number, is_active: false })
  await master.publish()
  assert.deepEqual(await code({ version: 9 }), [422, 'version_not_found'])
  assert.deepEqual(await code({ card_id: 999_999 }), [422, 'card_id_not_found'])
  assert.deepEqual(await code({ card_id: master.cardIds[1] }), [400, 'master_card_inactive'])
  const deletion = { card_id: master.cardIds[0], delete_from_projects: true }
  assert.deepEqual(await code({ ...deletion, card_id: null }), [422, 'card_id_required'])
  assert.deepEqual(await code({ ...deletion, card_id: 999_999 }), [422, 'card_id_not_found'])
  assert.deepEqual(await code({ ...deletion, version: 1 }), [422, 'version_deletion'])
  assert.deepEqual(await code({ ...deletion, reset_fields: ['title'] }), [422, 'reset_fields_deletion'])
  assert.deepEqual(await code({ project_ids: [999_999] }), [422, 'project_ids_not_found'])
  assert.deepEqual(await code({ project_ids: [] }), [422, 'project_ids_not_found'])
  assert.deepEqual(await code({ board_id: 999_999 }), [404, 'master_board_not_found'])
  const { id } = await plan(master)
  for (const path of ['/cancel', '/retry']) assert.deepEqual((await send(path, { id })).status, 400)
  const active = (is_active: boolean) =>
    admin.call(`${masters}/master-boards/update`, { id: master.boardId, is_active })
  await active(false)
  assert.deepEqual(await code({}), [400, 'master_board_inactive'])
  assert.deepEqual(
    (await send('/apply', { id })).body.message,
    'This template is inactive; activate it to roll it out.',
  )
  await active(true)
  const asked = {
    project_ids: [present(master.projects[0]).id],
    stages: [{ percent: 10, wait_minutes: 60 }, {}],
    stop_after_failures: 3,
  }
  const starts_at = new Date(Date.now() + 60_000).toISOString()
  const repeated = await admin.call(`${masters}/rollouts/plan`, {
    ...{ board_id: master.boardId, ...asked, starts_at },
  })
  const requestOf = async (one: number) => (await admin.call(`${masters}/rollouts/get`, { id: one })).request
  await reaches(repeated.rollout.id, 'planned')
  assert.deepEqual(await requestOf(repeated.rollout.id), { ...asked, starts_at })
  await sql`update rollouts set planned_at = now() - interval '25 hours' where id in (${id}, ${repeated.rollout.id})`
  assert.equal((await read(id)).status, 'expired')
  assert.deepEqual(await requestOf(repeated.rollout.id), { ...asked, starts_at })
  await sql`update rollouts set starts_at = now() where id = ${repeated.rollout.id}`
  assert.deepEqual(await requestOf(repeated.rollout.id), asked)
  assert.deepEqual(await requestOf(id), {})
  assert.deepEqual(
    (await send('/apply', { id })).body.message,
    'This plan is too old to be applied; plan the rollout again.',
  )
  await sql`update rollouts set status = 'planning', worked_at = now() + interval '2 seconds' where id = ${id}`
  assert.deepEqual((await send('/apply', { id })).body.message, 'This rollout is still being planned.')
  const { cards } = await admin.call(`${masters}/rollouts/plan/list-cards`, { id })
  assert.ok(cards)
})

test('200 a plan counts the projects that have no room for it as failed, with the cause, and marks one that fails unexpectedly', async () => {
  const master = await createChanged()
  const [full, filled, other] = master.projects as [Receiver, Receiver, Receiver]
  const fill = async (project: Receiver) => {
    const { groups } = await master.copyIn(project)
    const held = groups.flatMap(({ cards }) => cards).length
    const [group] = groups
    for (let number = held; number < mostCards; number++)
      await project.client.call(`${operations}/cards/create`, {
        group_id: present(group).id,
        title: `Own ${number}`,
      })
  }
  await fill(full)
  const planned = await plan(master)
  assert.deepEqual([planned.plan?.changed, planned.plan?.failed, planned.plan?.added], [2, 1, 2])
  const { projects } = await admin.call(`${masters}/rollouts/plan/list-projects`, {
    id: planned.id,
    outcome: 'failed',
  })
  assert.deepEqual(
    projects.map(({ project_id, added, error }) => [project_id, added, error]),
    [
      [
        full.id,
        0,
        'A board of this project would have more than 12 cards. Ask its members to delete some, or raise the limit, then retry.',
      ],
    ],
  )
  const ofProject = { id: planned.id, project_id: full.id }
  const detail = await admin.call(`${masters}/rollouts/plan/get-project`, ofProject)
  assert.deepEqual([detail.outcome, detail.error], ['failed', projects[0]?.error])
  await fill(filled)
  const { counts } = await apply(planned.id)
  assert.deepEqual([counts.changed, counts.failed, counts.differs], [1, 2, 1])
  const { results } = await admin.call(`${masters}/rollouts/get`, { id: planned.id, outcome: 'failed' })
  assert.deepEqual(
    results.map(({ project_id, differs }) => [project_id, differs]),
    [
      [full.id, false],
      [filled.id, true],
    ],
  )
  assert.equal((await cardIn(other, master.added)).title, 'Added')
})

test('200 a card that only moves counts as moved, in the plan and in the results', async () => {
  const master = await createMaster(service, { projects: 1, cards: 2 })
  await master.sync()
  const [moved, both] = master.cardIds as [number, number]
  for (const id of [moved, both])
    await admin.call(`${masters}/master-cards/move`, { id, group_id: master.groupIds[1] })
  await change(both, { title: 'Newer' })
  await master.publish()
  const planned = await plan(master)
  assert.deepEqual([planned.plan?.moved, planned.plan?.updated], [2, 1])
  const { cards } = await admin.call(`${masters}/rollouts/plan/list-cards`, { id: planned.id })
  assert.deepEqual(
    cards.map(({ id, moved: places, updated }) => [id, places, updated]),
    [
      [moved, 1, 0],
      [both, 1, 1],
    ],
  )
  await apply(planned.id)
  const { results } = await admin.call(`${masters}/rollouts/get`, { id: planned.id, outcome: 'changed' })
  assert.deepEqual(
    results.map((result) => [result.moved, result.updated]),
    [[2, 1]],
  )
})

test('201 a plan and its rollout have the titles of their version, not those of later ones or of the draft', async () => {
  const master = await createMaster(service, { projects: 1, cards: 1 })
  const [card_id] = master.cardIds as [number]
  const renameBoard = (title: string) =>
    admin.call(`${masters}/master-boards/update`, { id: master.boardId, title })
  await master.publish()
  await change(card_id, { title: 'Second' })
  await renameBoard('Launch 2')
  await master.publish()
  await change(card_id, { title: 'Draft' })
  await renameBoard('Draft')
  const titlesOf = async (version: number) => {
    const { id, title, template_title } = await plan(master, { version, card_id })
    const { cards } = await admin.call(`${masters}/rollouts/plan/list-cards`, { id })
    const whole = await plan(master, { version })
    return [title, template_title, cards.map((card) => card.title), whole.title]
  }
  assert.deepEqual(await titlesOf(1), ['Card 1', 'Launch', ['Launch', 'Plan', 'Card 1'], 'Launch'])
  assert.deepEqual(await titlesOf(2), ['Second', 'Launch 2', ['Launch 2', 'Plan', 'Second'], 'Launch 2'])
  await master.admin.call(`${masters}/master-cards/delete`, { id: card_id, delete_from_projects: true })
  const { rollouts } = await admin.call(`${masters}/rollouts/list`, { board_id: master.boardId, limit: 1 })
  assert.deepEqual([rollouts[0]?.kind, rollouts[0]?.title], ['removal', 'Second'])
})
