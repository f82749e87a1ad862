// Reverting a rollout; rollouts/model.test.ts does it in random histories.
import assert from 'node:assert/strict'
import test from 'node:test'
import { createMaster, present, type Receiver } from '#tests/master.ts'
import { sender } from '#tests/post.ts'
import { eventually } from '#tests/process.ts'
import { startTestService } from '#tests/service.ts'
import { assertSizesTrue } from '#tests/sizes.ts'

const masters = '/services/operations/v1/admin'
const operations = '/services/operations/v1/operations'
const service = await startTestService()
const { sql } = service.db
const superadmin = await service.addUser({ superadmin: true })
const admin = service.client(superadmin.token)
const send = sender(service, superadmin.token, `${masters}/rollouts`)

const reaches = (id: number, status: string) =>
  eventually(async () => {
    const { rollout } = await admin.call(`${masters}/rollouts/get`, { id })
    assert.equal(rollout.status, status)
    return rollout
  })

const planRevert = async (id: number) => {
  const { rollout } = await admin.call(`${masters}/rollouts/revert`, { id })
  return reaches(rollout.id, 'planned')
}

const apply = async (id: number) => {
  await admin.call(`${masters}/rollouts/apply`, { id })
  return reaches(id, 'done')
}

const lastRollout = async (boardId: number) =>
  present((await admin.call(`${masters}/rollouts/list`, { board_id: boardId, limit: 1 })).rollouts[0])

const cardsOf = ({ id }: Receiver) => sql<
  {
    id: number
    master_card_id: number | null
    title: string
    description: string | null
    is_deleted: boolean
  }[]
>`
  select id, master_card_id, title, description, deleted_at is not null as is_deleted from cards where project_id = ${id} order by id`

const copyOf = async (project: Receiver, masterCardId: number) =>
  present((await cardsOf(project)).find((card) => card.master_card_id === masterCardId))

/** A template that two projects have; then a title and a description change, and two cards come. */
async function createRolledOut() {
  const master = await createMaster(service, { projects: 2, cards: 2 })
  await master.sync()
  const [first] = master.cardIds as [number]
  await admin.call(`${masters}/master-cards/update`, { id: first, title: 'Newer', description: 'Longer' })
  const added = [
    await master.addCard({ title: 'One more' }),
    await master.addCard({ title: 'And another' }),
  ] as [number, number]
  await master.sync()
  return { ...master, first, added, rolloutId: (await lastRollout(master.boardId)).id }
}

test('the plan of a revert names the cards that a project has deleted, which stay deleted', async () => {
  const master = await createRolledOut()
  const [one] = master.projects as [Receiver, Receiver]
  const [added] = master.added
  for (const id of [master.first, added])
    await one.client.call(`${operations}/cards/delete`, { id: (await copyOf(one, id)).id })
  const planned = await planRevert(master.rolloutId)
  assert.equal(planned.plan?.skipped, 2)
  const skips = [{ reason: 'deleted', count: 1 }]
  const { cards } = await admin.call(`${masters}/rollouts/plan/list-cards`, { id: planned.id })
  assert.deepEqual(
    cards.map((card) => [card.id, card.updated, card.removed, card.skips]),
    [
      [master.first, 1, 0, skips],
      [added, 0, 1, skips],
      [master.added[1], 0, 2, []],
    ],
  )
  const { things } = await admin.call(`${masters}/rollouts/plan/get-project`, {
    ...{ id: planned.id, project_id: one.id },
  })
  assert.deepEqual(
    things.filter(({ change }) => change === 'skipped').map(({ title, reason }) => [title, reason]),
    [
      ['Newer', 'deleted'],
      ['One more', 'deleted'],
    ],
  )
  const { counts } = await apply(planned.id)
  assert.deepEqual([counts.changed, counts.differs, counts.failed], [2, 0, 0])
  assert.ok((await copyOf(one, master.first)).is_deleted)
})

test('201 a revert is planned, and 200 applied: what nobody touched returns, what somebody used stays', async () => {
  const master = await createRolledOut()
  const [one, two] = master.projects as [Receiver, Receiver]
  const [used] = master.added
  await two.client.call(`${operations}/cards/update`, {
    id: (await copyOf(two, master.first)).id,
    title: 'Ours',
  })
  await two.client.call(`${operations}/comments/create`, {
    card_id: (await copyOf(two, used)).id,
    comment: 'Hi',
  })
  const planned = await planRevert(master.rolloutId)
  assert.deepEqual(
    [planned.kind, planned.reverts_id, planned.plan?.changed, planned.plan?.kept],
    ['revert', master.rolloutId, 2, 2],
  )
  assert.deepEqual([planned.plan?.added, planned.plan?.removed], [0, 3])
  const { projects } = await admin.call(`${masters}/rollouts/plan/list-projects`, { id: planned.id })
  assert.deepEqual(
    projects.filter(({ outcome }) => outcome === 'changed').map(({ added, removed }) => [added, removed]),
    [
      [0, 2],
      [0, 1],
    ],
  )
  const { cards } = await admin.call(`${masters}/rollouts/plan/list-cards`, { id: planned.id })
  assert.deepEqual(
    cards.map(({ id, updated, removed, kept_fields }) => [id, updated, removed, kept_fields]),
    [
      [master.first, 2, 0, [{ field: 'title', count: 1 }]],
      [used, 0, 1, [{ field: 'used', count: 1 }]],
      [master.added[1], 0, 2, []],
    ],
  )
  assert.deepEqual(
    cards[0]?.difference.map(({ field, before, after }) => [field, before, after]),
    [
      ['title', 'Newer', 'Card 1'],
      ['description', 'Longer', null],
    ],
  )
  const { counts } = await apply(planned.id)
  assert.deepEqual([counts.changed, counts.differs, counts.failed], [2, 0, 0])
  const back = await copyOf(one, master.first)
  assert.deepEqual([back.title, back.description], ['Card 1', null])
  const kept = await copyOf(two, master.first)
  assert.deepEqual([kept.title, kept.description], ['Ours', null])
  const titles = async (project: Receiver) =>
    (await cardsOf(project)).filter((card) => !card.is_deleted).map(({ title }) => title)
  assert.deepEqual(await titles(one), ['Card 1', 'Card 2'])
  assert.deepEqual(await titles(two), ['Ours', 'Card 2', 'One more'])
  const { things } = await one.client.call(`${operations}/trash/list`)
  assert.deepEqual(things.map(({ title }) => title).toSorted(), ['And another', 'One more'])
  await assertSizesTrue(service.db)
  assert.equal(
    (await admin.call(`${masters}/rollouts/get`, { id: master.rolloutId })).rollout.reverted_by_id,
    planned.id,
  )

  // Rolled out again, everything arrives that was reverted, and what was customized stays.
  await master.sync()
  assert.deepEqual(await titles(one), ['Newer', 'Card 2', 'One more', 'And another'])
  assert.deepEqual(await titles(two), ['Ours', 'Card 2', 'One more', 'And another'])
  assert.equal((await copyOf(two, master.first)).description, 'Longer')
})

test('200 a title that a project had chosen itself stays, though the rollout brought the same one; a card that only keeps something says so', async () => {
  const master = await createMaster(service, { projects: 1, cards: 2 })
  await master.sync()
  const [project] = master.projects as [Receiver]
  const [cardId, otherId] = master.cardIds as [number, number]
  const { id } = await copyOf(project, cardId)
  await project.client.call(`${operations}/cards/update`, { id, title: 'Chosen' })
  await admin.call(`${masters}/master-cards/update`, { id: cardId, title: 'Chosen', description: 'Longer' })
  await admin.call(`${masters}/master-cards/update`, { id: otherId, title: 'Newer' })
  await master.sync()
  const other = await copyOf(project, otherId)
  await project.client.call(`${operations}/cards/update`, { id: other.id, title: 'Ours' })
  const planned = await planRevert((await lastRollout(master.boardId)).id)
  await apply(planned.id)
  const { title, description } = await copyOf(project, cardId)
  assert.deepEqual([title, description], ['Chosen', null])
  const { activity } = await project.client.call(`${operations}/activity/list`, {
    board_id: (await master.copyIn(project)).id,
    card_id: other.id,
  })
  assert.deepEqual(
    [activity[0]?.kind, activity[0]?.data['rollout_kind'], activity[0]?.data['card']],
    ['template.kept', 'revert', { kept: ['title'] }],
  )
})

test('200 the first rollout of a template is reverted with its board, which waits in the trash', async () => {
  const master = await createMaster(service, { projects: 1, cards: 2 })
  await master.sync()
  const [project] = master.projects as [Receiver]
  const planned = await planRevert((await lastRollout(master.boardId)).id)
  await apply(planned.id)
  assert.equal(await project.findBoard(master.boardId), undefined)
  const { things } = await project.client.call(`${operations}/trash/list`)
  assert.deepEqual(
    things.map(({ kind, title }) => [kind, title]),
    [['board', 'Launch']],
  )
  await assertSizesTrue(service.db)
  await master.sync()
  assert.equal((await project.boardOf(master.boardId)).groups.length, 2)
})

test('200 a card that somebody follows and a board with a saved view are in use', async () => {
  const master = await createMaster(service, { projects: 3, cards: 2 })
  await master.sync()
  const [one, two, three] = master.projects as [Receiver, Receiver, Receiver]
  const { id } = await copyOf(one, master.cardIds[0] as number)
  await one.client.call(`${operations}/cards/follow`, { id })
  const { id: boardId } = await master.copyIn(two)
  await two.client.call(`${operations}/views/create`, { name: 'Mine', parameters: 'q=x', board_id: boardId })
  const planned = await planRevert((await lastRollout(master.boardId)).id)
  assert.deepEqual([planned.plan?.removed, planned.plan?.used], [5, 1])
  await apply(planned.id)
  assert.equal((await copyOf(one, master.cardIds[0] as number)).is_deleted, false)
  assert.ok(await two.findBoard(master.boardId))
  assert.equal(await three.findBoard(master.boardId), undefined)
})

test('200 a rollout of a template that was deleted since is reverted', async () => {
  const master = await createRolledOut()
  await admin.call(`${masters}/master-boards/delete`, { id: master.boardId })
  const planned = await planRevert(master.rolloutId)
  await apply(planned.id)
  const [one] = master.projects as [Receiver]
  assert.equal((await copyOf(one, master.first)).title, 'Card 1')
})

test('200 the deletion of a card is reverted: it returns with its comments', async () => {
  const master = await createRolledOut()
  const [one] = master.projects as [Receiver]
  const { id } = await copyOf(one, master.first)
  await one.client.call(`${operations}/comments/create`, { card_id: id, comment: 'Hi' })
  await admin.call(`${masters}/master-cards/delete`, { id: master.first, delete_from_projects: true })
  assert.equal((await copyOf(one, master.first)).is_deleted, true)
  const planned = await planRevert((await lastRollout(master.boardId)).id)
  const { cards } = await admin.call(`${masters}/rollouts/plan/list-cards`, { id: planned.id })
  assert.deepEqual(
    cards.map(({ id, returned }) => [id, returned]),
    [[master.first, 2]],
  )
  await apply(planned.id)
  assert.equal((await copyOf(one, master.first)).is_deleted, false)
  const { comments } = await one.client.call(`${operations}/comments/list`, { card_id: id })
  assert.deepEqual(
    comments.map(({ comment }) => comment),
    ['Hi'],
  )
  await assertSizesTrue(service.db)
  const again = await send('/revert', { id: planned.reverts_id })
  assert.deepEqual([again.status, again.body.message], [400, 'This rollout was reverted already.'])
  // The rollout that had changed the card before can be reverted as if the deletion had never been.
  const { plan: earlier } = await planRevert(master.rolloutId)
  assert.deepEqual([earlier?.updated, earlier?.overtaken], [2, 0])
})

test('200 cards that a rollout brought back go to the trash again, and those in use since stay and are named', async () => {
  const master = await createMaster(service, { projects: 3, cards: 2 })
  await master.sync()
  const [one, two, three] = master.projects as [Receiver, Receiver, Receiver]
  const [cardId] = master.cardIds as [number]
  const say = async (project: Receiver, comment: string) =>
    project.client.call(`${operations}/comments/create`, {
      card_id: (await copyOf(project, cardId)).id,
      comment,
    })
  await say(one, 'Before')
  const { id } = await copyOf(one, cardId)
  await one.client.call(`${operations}/cards/update`, { id, status: 'closed' })
  await admin.call(`${masters}/master-cards/delete`, { id: cardId, delete_from_projects: true })
  const removal = await lastRollout(master.boardId)
  await admin.call(`${masters}/master-cards/restore`, { id: cardId })
  await admin.call(`${masters}/master-cards/push`, { card_id: cardId })
  await say(two, 'Since')
  const used = await copyOf(three, cardId)
  await three.client.call(`${operations}/cards/update`, { id: used.id, priority: 'high' })
  const planned = await planRevert((await lastRollout(master.boardId)).id)
  assert.deepEqual([planned.plan?.changed, planned.plan?.removed, planned.plan?.used], [1, 1, 2])
  const { counts } = await apply(planned.id)
  assert.deepEqual([counts.changed, counts.differs, counts.failed], [1, 0, 0])
  const areDeleted = async () =>
    Promise.all(master.projects.map(async (project) => (await copyOf(project, cardId)).is_deleted))
  assert.deepEqual(await areDeleted(), [true, false, false])
  await assertSizesTrue(service.db)
  // The deletion can still be reverted, and the card returns with what was said.
  await apply((await planRevert(removal.id)).id)
  assert.deepEqual(await areDeleted(), [false, false, false])
  const { comments } = await one.client.call(`${operations}/comments/list`, { card_id: id })
  assert.deepEqual(
    comments.map(({ comment }) => comment),
    ['Before'],
  )
  await assertSizesTrue(service.db)
})

test('200 what later rollouts have changed stays; the plan and the results say so, and what is in use', async () => {
  const master = await createRolledOut()
  const [one, two] = master.projects as [Receiver, Receiver]
  for (const title of ['Newest', 'Newest of all']) {
    await admin.call(`${masters}/master-cards/update`, { id: master.first, title })
    await master.sync()
  }
  const use = async (project: Receiver, cardId: number) =>
    project.client.call(`${operations}/cards/update`, {
      id: (await copyOf(project, cardId)).id,
      status: 'in_progress',
    })
  await use(two, master.added[0])
  const planned = await planRevert(master.rolloutId)
  const kept = (counts: { kept: number; used: number; overtaken: number } | null | undefined) =>
    counts && [counts.kept, counts.used, counts.overtaken]
  assert.deepEqual(kept(planned.plan), [3, 1, 2])
  const { cards } = await admin.call(`${masters}/rollouts/plan/list-cards`, { id: planned.id })
  assert.deepEqual(
    cards.map(({ id, kept_fields }) => [id, kept_fields]),
    [
      [master.first, [{ field: 'later_rollout', count: 2 }]],
      [master.added[0], [{ field: 'used', count: 1 }]],
      [master.added[1], []],
    ],
  )
  const { projects } = await admin.call(`${masters}/rollouts/plan/list-projects`, { id: planned.id })
  assert.deepEqual(projects.filter(({ outcome }) => outcome === 'changed').map(kept), [
    [1, 0, 1],
    [2, 1, 1],
  ])
  // After the plan, so that this project differs from it.
  await use(one, master.added[1])
  await apply(planned.id)
  assert.equal((await copyOf(one, master.first)).title, 'Newest of all')
  const { results } = await admin.call(`${masters}/rollouts/get`, { id: planned.id })
  assert.deepEqual(
    results.map((result) => [result.differs, result.removed, ...(kept(result) ?? [])]),
    [
      [true, 1, 2, 1, 1],
      [false, 1, 2, 1, 1],
    ],
  )
})

test('400 for what cannot be reverted, 404 and 422', async () => {
  const master = await createRolledOut()
  const code = async (input: object) => {
    const answer = await send('/revert', input)
    return [answer.status, answer.body.message]
  }
  await master.sync()
  const { id: nothing } = await lastRollout(master.boardId)
  assert.deepEqual(await code({ id: nothing }), [400, 'This rollout changed no projects.'])
  const stages = [{ projects: [999_999] }]
  assert.equal((await send('/revert', { id: master.rolloutId, stages })).status, 422)
  const planned = await planRevert(master.rolloutId)
  assert.deepEqual(await code({ id: planned.id }), [400, 'This rollout has not ended yet.'])
  await apply(planned.id)
  assert.deepEqual(await code({ id: planned.id }), [
    400,
    'This rollout is a revert or a reset, which cannot be reverted.',
  ])
  assert.equal((await send('/revert', { id: planned.id + 1_000 })).status, 404)
})

test('200 a template that was reverted comes again, also where a member had deleted or moved some of it', async () => {
  const master = await createMaster(service, { projects: 2, cards: 3 })
  await master.sync()
  const [one, two] = master.projects as [Receiver, Receiver]
  const [first] = master.cardIds as [number]
  await one.client.call(`${operations}/cards/delete`, { id: (await copyOf(one, first)).id })
  const { board } = await two.client.call(`${operations}/boards/create`, { title: 'Ours' })
  const { group } = await two.client.call(`${operations}/groups/create`, {
    board_id: board.id,
    title: 'Ours',
  })
  await two.client.call(`${operations}/cards/move`, {
    id: (await copyOf(two, first)).id,
    group_id: group.id,
    position: 1,
  })
  const planned = await planRevert((await lastRollout(master.boardId)).id)
  await apply(planned.id)
  const { rollout } = await admin.call(`${masters}/rollouts/plan`, { board_id: master.boardId })
  await reaches(rollout.id, 'planned')
  const { counts } = await apply(rollout.id)
  assert.deepEqual([counts.changed, counts.failed], [2, 0])
  for (const project of [one, two])
    for (const cardId of master.cardIds) assert.equal((await copyOf(project, cardId)).is_deleted, false)
  await assertSizesTrue(service.db)
})

test('200 a revert that was canceled before it changed anything has reverted nothing', async () => {
  const { rolloutId } = await createRolledOut()
  const revertedBy = async () =>
    (await admin.call(`${masters}/rollouts/get`, { id: rolloutId })).rollout.reverted_by_id
  const starts_at = new Date(Date.now() + 3_600_000).toISOString()
  const { rollout: revert } = await admin.call(`${masters}/rollouts/revert`, { id: rolloutId, starts_at })
  await reaches(revert.id, 'planned')
  await admin.call(`${masters}/rollouts/apply`, { id: revert.id })
  const retried = async (id: number) => (await send('/retry', { id })).body.message
  assert.equal(await revertedBy(), revert.id)
  assert.equal(await retried(rolloutId), 'This rollout was reverted; plan a new one.')
  await admin.call(`${masters}/rollouts/cancel`, { id: revert.id })
  await reaches(revert.id, 'canceled')
  assert.equal(await revertedBy(), null)
  assert.equal(await retried(rolloutId), 'This rollout has reached every project; there is nothing to retry.')
  await sql`update rollouts set finished_at = null, status = 'paused' where id = ${rolloutId}`
  assert.equal(
    await retried(revert.id),
    'The rollout that it reverts is running again; wait until it has ended.',
  )
  await sql`update rollouts set finished_at = now(), status = 'done' where id = ${rolloutId}`
  await apply((await planRevert(rolloutId)).id)
  assert.ok(await revertedBy())
})

test('200 get says in how many projects a rollout was reverted, and in how many it can still be', async () => {
  const { rolloutId, projects } = await createRolledOut()
  const takenBack = async () =>
    (await admin.call(`${masters}/rollouts/get`, { id: rolloutId, limit: 1 })).taken_back
  assert.equal(await takenBack(), null)
  const stages = [{ projects: [present(projects[0]).id] }, {}]
  const { rollout: revert } = await admin.call(`${masters}/rollouts/revert`, { id: rolloutId, stages })
  await reaches(revert.id, 'planned')
  await admin.call(`${masters}/rollouts/apply`, { id: revert.id })
  await reaches(revert.id, 'waiting')
  assert.deepEqual(await takenBack(), { changed: 1, left: 0 })
  await admin.call(`${masters}/rollouts/cancel`, { id: revert.id })
  assert.deepEqual(await takenBack(), { changed: 1, left: 1 })
  await apply((await planRevert(rolloutId)).id)
  assert.deepEqual(await takenBack(), { changed: 2, left: 0 })
})

test('422 for stages of a revert that contradict each other', async () => {
  const master = await createRolledOut()
  const errorsOf = async (...stages: object[]) =>
    (await send('/revert', { id: master.rolloutId, stages })).body.errors
  assert.deepEqual(await errorsOf({ projects: [present(master.projects[0]).id], percent: 10 }, {}), {
    stages: ['A stage has projects, an audience or a share, and only one of these.'],
  })
  assert.deepEqual(await errorsOf({ percent: 50 }, { percent: 10 }, {}), {
    stages: ['The share of a stage must be larger than the shares before it.'],
  })
  assert.deepEqual(await errorsOf({}, { percent: 10 }), {
    stages: ['A stage after one with all remaining projects would be empty.'],
  })
})
