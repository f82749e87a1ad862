// A template card that was deleted in every project and then restored: the next rollout brings its copies back.
import assert from 'node:assert/strict'
import test from 'node:test'
import { purges } from '#boards/trash/purging.ts'
import { reachedQuota, usualQuotas } from '#quotas/quotas.ts'
import { readVersion } from '#templates/version/version.ts'
import { coverageNames, createMaster, present, type Receiver } from '#tests/master.ts'
import { startTestService } from '#tests/service.ts'
import { assertSizesTrue } from '#tests/sizes.ts'
import { apply } from './apply.ts'

const operations = '/services/operations/v1/operations'
const masters = '/services/operations/v1/admin'
const service = await startTestService()
const { sql } = service.db

/** A template of three cards in every project, with a comment on the second card, which the tests delete. */
async function createScene(projects = 1) {
  const master = await createMaster(service, { projects, cards: 3 })
  await master.sync()
  const id = present(master.cardIds[1])
  const copies = await Promise.all(
    master.projects.map(async (project) => {
      const card = present(await project.cardOf(id))
      await project.client.call(`${operations}/comments/create`, { card_id: card.id, comment: 'Words' })
      return { project, card }
    }),
  )
  const deleteEverywhere = () =>
    master.admin.call(`${masters}/master-cards/delete`, { id, delete_from_projects: true })
  const restore = () => master.admin.call(`${masters}/master-cards/restore`, { id })
  return {
    ...{ master, id, copies, deleteEverywhere, restore },
    first: present(copies[0]),
    change: (input: object) => master.admin.call(`${masters}/master-cards/update`, { id, ...input }),
    /** The latest rollout: how many projects it changed, and how many not. */
    async outcome() {
      const { rollouts } = await master.admin.call(`${masters}/rollouts/list`, { board_id: master.boardId })
      const { changed, unchanged, failed } = present(rollouts[0]).counts
      return { changed, unchanged, failed }
    },
    /** The newest version, as a rollout brings it. */
    async newestVersion() {
      const { boardId } = master
      const version = await readVersion(service.db, boardId)
      return { boardId, cardId: null, revision: present(version).revision, rolloutId: null }
    },
    async numbers() {
      const whole = await master.whole()
      const [access, , upToDate, behind] = coverageNames.map((name) => whole[name])
      return { access, upToDate, behind }
    },
  }
}

const titlesIn = async (scene: Scene, project: Receiver) =>
  (await scene.master.copyIn(project)).groups.map((group) => group.cards.map(({ title }) => title))

const commentsOn = async ({ client }: Receiver, card_id: number) =>
  (await client.call(`${operations}/comments/list`, { card_id })).comments.map(({ comment }) => comment)

async function addOwnGroup({ client }: Receiver) {
  const { board } = await client.call(`${operations}/boards/create`, { title: 'Own' })
  const { group } = await client.call(`${operations}/groups/create`, { board_id: board.id, title: 'Own' })
  return { boardId: board.id, groupId: group.id }
}

type Scene = Awaited<ReturnType<typeof createScene>>

test('a rollout after the restore brings the copies back, with their comments and places, and they leave the trash', async () => {
  const scene = await createScene(2)
  const { master, copies } = scene
  await scene.deleteEverywhere()
  assert.deepEqual(await scene.numbers(), { access: 2, upToDate: 2, behind: 0 })
  await scene.restore()
  assert.deepEqual(await scene.numbers(), { access: 2, upToDate: 2, behind: 0 })
  await scene.master.publish()
  assert.deepEqual(await scene.numbers(), { access: 2, upToDate: 0, behind: 2 })
  assert.equal((await master.sync()).synced_count, 2)
  assert.deepEqual(await scene.outcome(), { changed: 2, unchanged: 0, failed: 0 })
  assert.deepEqual(await scene.numbers(), { access: 2, upToDate: 2, behind: 0 })
  for (const { project, card } of copies) {
    assert.deepEqual(await titlesIn(scene, project), [['Card 1', 'Card 2', 'Card 3'], []])
    assert.equal(present(await project.cardOf(scene.id)).id, card.id)
    assert.deepEqual(await commentsOn(project, card.id), ['Words'])
    assert.deepEqual((await project.client.call(`${operations}/trash/list`)).things, [])
    const { id: board_id } = await master.copyIn(project)
    const { activity } = await project.client.call(`${operations}/activity/list`, { board_id, limit: 1 })
    const { kind, data } = present(activity[0])
    const { added_count, updated_count } = data as { added_count: number; updated_count: number }
    assert.deepEqual([kind, added_count, updated_count], ['template.rolled_out', 1, 0])
  }
  await assertSizesTrue(service.db)
  await master.sync()
  assert.deepEqual(await scene.outcome(), { changed: 0, unchanged: 2, failed: 0 })
})

test('the rollout of that card alone brings the copies back', async () => {
  const scene = await createScene(2)
  await scene.deleteEverywhere()
  await scene.restore()
  assert.equal(await scene.master.push(scene.id), 2)
  assert.deepEqual(await scene.numbers(), { access: 2, upToDate: 2, behind: 0 })
  for (const { project, card } of scene.copies)
    assert.deepEqual(await commentsOn(project, card.id), ['Words'])
  assert.equal(await scene.master.push(scene.id), 0)
  await assertSizesTrue(service.db)
})

test('projects that a sync reached while the card was deleted are behind after the restore', async () => {
  const scene = await createScene()
  await scene.deleteEverywhere()
  await scene.master.sync()
  await scene.restore()
  await scene.master.publish()
  assert.deepEqual(await scene.numbers(), { access: 1, upToDate: 0, behind: 1 })
  await scene.master.sync()
  assert.ok(await scene.first.project.cardOf(scene.id))
})

test('a copy takes over what changed in the template meanwhile, and keeps what its project changed before', async () => {
  const scene = await createScene(2)
  const [{ project, card }, other] = scene.copies as [Scene['first'], Scene['first']]
  await project.client.call(`${operations}/cards/update`, { id: card.id, title: 'Ours', status: 'closed' })
  await scene.change({ title: 'Renamed' })
  await scene.deleteEverywhere()
  await scene.restore()
  await scene.change({ description: 'New' })
  await scene.master.admin.call(`${masters}/master-cards/move`, {
    id: scene.id,
    group_id: scene.master.groupIds[1],
  })
  await scene.master.sync()
  const own = present(await project.cardOf(scene.id))
  assert.deepEqual([own.id, own.title, own.status, own.description], [card.id, 'Ours', 'closed', 'New'])
  assert.deepEqual(await titlesIn(scene, project), [['Card 1', 'Card 3'], ['Ours']])
  assert.deepEqual(await titlesIn(scene, other.project), [['Card 1', 'Card 3'], ['Renamed']])
  await assertSizesTrue(service.db)
})

test('what the project deleted itself stays gone: before the template did, or after it had restored its copy', async () => {
  const scene = await createScene(3)
  const [before, after, restored] = scene.copies as [Scene['first'], Scene['first'], Scene['first']]
  const own = ({ project, card }: Scene['first'], step: 'delete' | 'restore') =>
    project.client.call(`${operations}/cards/${step}`, { id: card.id })
  await own(before, 'delete')
  await scene.deleteEverywhere()
  await own(after, 'restore')
  await own(after, 'delete')
  await own(restored, 'restore')
  await scene.restore()
  await scene.master.sync()
  assert.deepEqual(await scene.outcome(), { changed: 0, unchanged: 3, failed: 0 })
  assert.equal(await scene.master.push(scene.id), 0)
  for (const { project } of [before, after]) assert.equal(await project.cardOf(scene.id), undefined)
  assert.deepEqual(await commentsOn(restored.project, restored.card.id), ['Words'])
})

test('a copy whose group or board the project deleted stays gone, until the project restores that', async () => {
  const scene = await createScene(3)
  const [group, board, own] = scene.copies as [Scene['first'], Scene['first'], Scene['first']]
  const { boardId, groupId } = await addOwnGroup(own.project)
  await own.project.client.call(`${operations}/cards/move`, { id: own.card.id, group_id: groupId })
  await scene.deleteEverywhere()
  const gone = [
    { ...group, kind: 'groups', thing: group.card.group_id as number },
    { ...board, kind: 'boards', thing: (await scene.master.copyIn(board.project)).id },
    { ...own, kind: 'boards', thing: boardId },
  ] as const
  for (const { project, kind, thing } of gone)
    await project.client.call(`${operations}/${kind}/delete`, { id: thing })
  await scene.restore()
  await scene.master.sync()
  assert.equal((await scene.outcome()).changed, 0)
  for (const { project } of gone) assert.equal(await project.cardOf(scene.id), undefined)
  for (const { project, kind, thing } of gone)
    await project.client.call(`${operations}/${kind}/restore`, { id: thing })
  await scene.master.sync()
  for (const { project, card } of gone) assert.deepEqual(await commentsOn(project, card.id), ['Words'])
  await assertSizesTrue(service.db)
})

test('comments that were deleted before stay deleted', async () => {
  const scene = await createScene()
  const { project, card } = scene.first
  const { comment } = await project.client.call(`${operations}/comments/create`, {
    card_id: card.id,
    comment: 'No',
  })
  await project.client.call(`${operations}/comments/delete`, { id: comment.id })
  await scene.deleteEverywhere()
  await scene.restore()
  await scene.master.sync()
  assert.deepEqual(await commentsOn(project, card.id), ['Words'])
})

test('a copy whose place was taken meanwhile comes last in its group', async () => {
  const scene = await createScene()
  const { project, card } = scene.first
  await scene.deleteEverywhere()
  await sql`
    update cards set rank = (select rank from cards where project_id = ${project.id} and id = ${card.id})
    where project_id = ${project.id} and master_card_id = ${present(scene.master.cardIds[2])}`
  await scene.restore()
  await scene.master.sync()
  assert.deepEqual(await titlesIn(scene, project), [['Card 1', 'Card 3', 'Card 2'], []])
  await assertSizesTrue(service.db)
})

test('of two copies that had one place after the other, the older one gets it back', async () => {
  const scene = await createScene()
  const { project, card } = scene.first
  const third = present(scene.master.cardIds[2])
  const own = await addOwnGroup(project)
  for (const { id } of [card, present(await project.cardOf(third))])
    await project.client.call(`${operations}/cards/move`, { id, group_id: own.groupId })
  await scene.deleteEverywhere()
  await sql`
    update cards set rank = (select rank from cards where project_id = ${project.id} and id = ${card.id})
    where project_id = ${project.id} and master_card_id = ${third}`
  await scene.master.admin.call(`${masters}/master-cards/delete`, { id: third, delete_from_projects: true })
  await scene.restore()
  await scene.master.admin.call(`${masters}/master-cards/restore`, { id: third })
  await scene.master.sync()
  assert.deepEqual(await scene.outcome(), { changed: 1, unchanged: 0, failed: 0 })
  const { board } = await project.client.call(`${operations}/boards/get`, { id: own.boardId })
  assert.deepEqual(
    board.groups[0]?.cards.map(({ title }) => title),
    ['Card 2', 'Card 3'],
  )
})

test('a copy that was deleted for good comes as a new card', async () => {
  for (const isAlone of [true, false]) {
    const scene = await createScene()
    const { project, card } = scene.first
    await scene.deleteEverywhere()
    await sql`
      update cards set deleted_at = now() - interval '31 days', withdrawn_at = now() - interval '31 days'
      where project_id = ${project.id} and id = ${card.id}`
    for (const purge of Object.values(purges)) await purge(service.db)
    await scene.restore()
    await (isAlone ? scene.master.push(scene.id) : scene.master.sync())
    assert.deepEqual(await titlesIn(scene, project), [['Card 1', 'Card 2', 'Card 3'], []])
    const made = present(await project.cardOf(scene.id))
    assert.notEqual(made.id, card.id)
    assert.deepEqual(await commentsOn(project, made.id), [])
    await assertSizesTrue(service.db)
  }
})

test('a project that has no room for it any more is refused, with nothing changed', async () => {
  const scene = await createScene()
  const { project } = scene.first
  await scene.deleteEverywhere()
  await scene.restore()
  await scene.master.publish()
  const newest = await scene.newestVersion()
  const [held] = await sql<{ bytes: number }[]>`
    select sum(bytes + comment_bytes)::bigint as bytes from board_sizes where project_id = ${project.id}`
  for (const full of [{ cardsPerGroup: 2 }, { cardsPerBoard: 2 }, { bytesPerProject: held?.bytes as number }])
    await assert.rejects(
      service.db.transaction((queries) =>
        apply(queries, newest, [project.id], { quotas: { ...usualQuotas, ...full } }),
      ),
      (error) => reachedQuota(error)?.quota === Object.keys(full)[0],
    )
  assert.deepEqual(await titlesIn(scene, project), [['Card 1', 'Card 3'], []])
})

test('a deletion that goes on after the restore removes nothing more', async () => {
  const scene = await createScene(2)
  const slow = present(scene.copies[1]).project
  await sql.unsafe(
    `alter table cards add constraint late check (project_id <> ${slow.id} or deleted_at is null) not valid`,
  )
  await scene.deleteEverywhere()
  await sql.unsafe('alter table cards drop constraint late')
  const { rollouts } = await scene.master.admin.call(`${masters}/rollouts/list`, {
    board_id: scene.master.boardId,
  })
  assert.equal(present(rollouts[0]).counts.failed, 1)
  await scene.restore()
  await scene.master.sync()
  await scene.master.admin.call(`${masters}/rollouts/retry`, { id: present(rollouts[0]).id })
  for (const { project, card } of scene.copies) assert.equal((await project.cardOf(scene.id))?.id, card.id)
})

test('a rollout that began before the deletion does not bring the copies back', async () => {
  const scene = await createScene()
  const { project } = scene.first
  await scene.change({ title: 'Newer' })
  await scene.master.publish()
  const older = await scene.newestVersion()
  await scene.deleteEverywhere()
  await scene.restore()
  await service.db.transaction(async (queries) =>
    assert.deepEqual((await apply(queries, older, [project.id])).changes, []),
  )
  await scene.master.publish()
  assert.deepEqual(await scene.numbers(), { access: 1, upToDate: 0, behind: 1 })
  await scene.master.sync()
  assert.equal(present(await project.cardOf(scene.id)).title, 'Newer')
})
