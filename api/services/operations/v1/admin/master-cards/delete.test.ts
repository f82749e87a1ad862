import assert from 'node:assert/strict'
import test from 'node:test'
import { waitingCount } from '#tests/lock-waits.ts'
import { createMaster, present } from '#tests/master.ts'
import { sender } from '#tests/post.ts'
import { startTestService } from '#tests/service.ts'

const operations = '/services/operations/v1/operations'
const masters = '/services/operations/v1/admin'
const service = await startTestService()
const { sql } = service.db
const superadmin = await service.addUser({ superadmin: true })
const send = sender(service, superadmin.token, `${masters}/master-cards`)
const missing = [0, -1, 999_999, Number.MAX_SAFE_INTEGER]

/** A master whose cards are in every project, with a comment on the first in each. */
async function rolledOut() {
  const master = await createMaster(service, { projects: 2, cards: 2 })
  await master.sync()
  const id = present(master.cardIds[0])
  const copies = await Promise.all(
    master.projects.map(async (project) => {
      const card = present(await project.cardOf(id))
      const { comment } = await project.client.call(`${operations}/comments/create`, {
        card_id: card.id,
        comment: 'x',
      })
      return { project, card, commentId: comment.id }
    }),
  )
  return { master, id, copies }
}

test('200 and an empty list; the copies stay as ordinary cards that remember where they came from', async () => {
  for (const flag of [{}, { delete_from_projects: false }, { delete_from_projects: null }]) {
    const { master, id, copies } = await rolledOut()
    const events = await Promise.all(copies.map(({ project }) => project.countEvents()))
    const { status, body } = await send('/delete', { id, ...flag })
    assert.deepEqual(
      { status, body },
      { status: 200, body: { error: false, message: 'The template card was deleted.', data: [] } },
    )
    assert.deepEqual(
      (await master.whole()).groups[0]?.cards.map((card) => card.id),
      [master.cardIds[1]],
    )
    await master.sync()
    for (const { project, card } of copies) {
      assert.deepEqual(await project.cardOf(id), card)
      const { provenance } = await project.client.call(`${operations}/cards/get`, { id: card.id })
      assert.equal(provenance, null)
      assert.equal((await project.client.attempt(`${operations}/cards/delete`, { id: card.id })).status, 200)
    }
    assert.deepEqual(
      await Promise.all(copies.map(({ project }) => project.countEvents())),
      events.map((count) => count + 1),
    )
  }
})

test('200 with delete_from_projects: the copies go with their comments, and restoring one brings both back', async () => {
  const { master, id, copies } = await rolledOut()
  const { status, body } = await send('/delete', { id, delete_from_projects: true })
  assert.deepEqual([status, body.data], [200, []])
  for (const { project, card, commentId } of copies) {
    const { client } = project
    assert.equal(await project.cardOf(id), undefined)
    assert.equal((await client.attempt(`${operations}/cards/get`, { id: card.id })).status, 404)
    const update = { id: commentId, comment: 'y' }
    assert.equal((await client.attempt(`${operations}/comments/update`, update)).status, 404)
    assert.deepEqual(
      (await master.copyIn(project)).groups[0]?.cards.map((other) => other.master_card_id),
      [master.cardIds[1]],
    )
  }
  const { project, card, commentId } = present(copies[0])
  await project.client.call(`${operations}/cards/restore`, { id: card.id })
  const { comments } = await project.client.call(`${operations}/comments/list`, { card_id: card.id })
  assert.deepEqual(
    comments.map((comment) => comment.id),
    [commentId],
  )
  await master.sync()
  assert.equal((await project.cardOf(id))?.id, card.id)
  assert.equal(await present(copies[1]).project.cardOf(id), undefined)
})

test('with delete_from_projects each copy is in the trash of its project and in its history, and comes back from there', async () => {
  const { master, id, copies } = await rolledOut()
  const [renamed] = copies
  const title = 'The project’s own title'
  await renamed?.project.client.call(`${operations}/cards/update`, { id: renamed.card.id, title })
  await send('/delete', { id, delete_from_projects: true })
  const [rollout] = (await master.admin.call(`${masters}/rollouts/list`, { limit: 1 })).rollouts
  for (const { project, card } of copies) {
    const { client } = project
    const copy = await master.copyIn(project)
    const expected = card.id === renamed?.card.id ? title : card.title
    const { things } = await client.call(`${operations}/trash/list`)
    assert.deepEqual(
      things.map(({ kind, thing_id, title, board_title }) => ({ kind, thing_id, title, board_title })),
      [{ kind: 'card', thing_id: card.id, title: expected, board_title: copy.title }],
    )
    const { activity } = await client.call(`${operations}/activity/list`, { board_id: copy.id, limit: 1 })
    assert.deepEqual(
      activity.map(({ kind, card_id, actor_id, data }) => ({ kind, card_id, actor_id, data })),
      [
        {
          kind: 'card.deleted',
          card_id: card.id,
          actor_id: null,
          data: { title: expected, rollout_id: rollout?.id, rollout_kind: 'removal' },
        },
      ],
    )
    await client.call(`${operations}/cards/restore`, { id: card.id })
    assert.equal((await project.cardOf(id))?.id, card.id)
    assert.deepEqual((await client.call(`${operations}/trash/list`)).things, [])
  }
})

test('with delete_from_projects a copy goes also from where the project moved it, and from a project that lost its access', async () => {
  const { id, copies } = await rolledOut()
  const [moved, lost] = copies as [(typeof copies)[number], (typeof copies)[number]]
  const { client } = moved.project
  const { board } = await client.call(`${operations}/boards/create`, { title: 'Own' })
  const { group } = await client.call(`${operations}/groups/create`, { board_id: board.id, title: 'Own' })
  await client.call(`${operations}/cards/move`, { id: moved.card.id, group_id: group.id })
  await sql`update projects set tool_keys = '[]' where id = ${lost.project.id}`
  await send('/delete', { id, delete_from_projects: true })
  assert.equal(await moved.project.cardOf(id), undefined)
  assert.equal(
    (await client.call(`${operations}/boards/get`, { id: board.id })).board.groups[0]?.cards.length,
    0,
  )
  const live = await sql`select from cards where master_card_id = ${id} and deleted_at is null`
  assert.equal(live.length, 0)
})

test('with delete_from_projects a copy goes also where a sync that began before makes it only now', async () => {
  const master = await createMaster(service, { projects: 2, cards: 2 })
  const id = present(master.cardIds[0])
  const slow = present(master.projects[1])
  const { sync, removal } = await service.db.transaction(async (queries) => {
    await queries.sql`select lock_project(${slow.id})`
    const started = master.sync()
    await waiting(1)
    const asked = send('/delete', { id, delete_from_projects: true })
    await waiting(2, asked)
    return { sync: started, removal: asked }
  })
  await sync
  assert.equal((await removal).status, 200)
  for (const project of master.projects) {
    assert.equal(await project.cardOf(id), undefined)
    assert.ok(await project.cardOf(present(master.cardIds[1])))
  }
})

/** Until so many transactions wait for a lock, or the work is done without waiting. */
async function waiting(count: number, work?: Promise<unknown>) {
  let isDone = false
  work?.finally(() => {
    isDone = true
  })
  while (!isDone && (await waitingCount(service.db)) < count)
    await new Promise((resolve) => setTimeout(resolve, 10))
}

test('404 a card that is not there, and a second time', async () => {
  const { id } = await rolledOut()
  assert.equal((await send('/delete', { id })).status, 200)
  for (const unknown of [id, ...missing]) {
    const { status, body } = await send('/delete', { id: unknown, delete_from_projects: true })
    assert.equal(status, 404)
    assert.deepEqual(body, { error: true, message: 'There is no template card with this id.', data: [] })
  }
})

test('of eight deletions at once one does it, and one event tells each project', async () => {
  const { id, copies } = await rolledOut()
  const project = present(copies[0]).project
  const before = await project.countEvents()
  const results = await Promise.all(
    Array.from({ length: 8 }, () => send('/delete', { id, delete_from_projects: true })),
  )
  assert.deepEqual(results.map(({ status }) => status).sort(), [200, ...Array(7).fill(404)])
  assert.equal(await project.countEvents(), before + 1)
})
