import assert from 'node:assert/strict'
import test from 'node:test'
import { createBoard } from '#tests/board.ts'
import { startTestService } from '#tests/service.ts'

const operations = '/services/operations/v1/operations'
const views = `${operations}/views` as const
const service = await startTestService()
const clientOf = ({ token }: { token: string }) => service.client(token)
const filters = { name: 'Late', parameters: 'view=table&due=overdue' }
const search = { ...filters, page: 'search' } as const

const eventsOf = async (projectId: number) => {
  const rows = await service.db.sql<{ kind: string; data: object }[]>`
    select kind, data from events where project_id = ${projectId} and kind like 'views.%' order by id`
  return rows.map(({ kind, data }) => [kind, data])
}

test('201: a view of a board is saved for oneself, and only that person lists it', async () => {
  const { projectId, members, boardId } = await createBoard(service)
  const member = clientOf(members.member)
  const { view } = await member.call(`${views}/create`, { ...filters, board_id: boardId })
  assert.deepEqual(view, {
    id: view.id,
    project_id: projectId,
    page: 'board',
    board_id: boardId,
    ...filters,
    is_shared: false,
    created_by: members.member.id,
    created_at: view.created_at,
    updated_at: view.created_at,
  })
  assert.deepEqual((await member.call(`${views}/list`)).views, [view])
  assert.deepEqual((await clientOf(members.owner).call(`${views}/list`)).views, [])
  assert.deepEqual(await eventsOf(projectId), [])
})

test('200: a view for the project is listed by everyone after their own, and told as an event', async () => {
  const { projectId, members } = await createBoard(service)
  const member = clientOf(members.member)
  const viewer = clientOf(members.viewer)
  const { view: shared } = await member.call(`${views}/create`, { ...search, name: 'A', is_shared: true })
  const { view: own } = await viewer.call(`${views}/create`, { ...filters, name: 'B', page: 'my_cards' })
  assert.deepEqual([shared.page, own.page], ['search', 'my_cards'])
  assert.deepEqual((await viewer.call(`${views}/list`)).views, [own, shared])
  const changed = await clientOf(members.admin).call(`${views}/update`, { id: shared.id, name: 'C' })
  assert.deepEqual(changed.view, { ...shared, name: 'C', updated_at: changed.view.updated_at })
  await clientOf(members.admin).call(`${views}/update`, { id: shared.id, name: 'C' })
  await member.call(`${views}/delete`, { id: shared.id })
  assert.deepEqual((await viewer.call(`${views}/list`)).views, [own])
  const told = ['views.changed', { view_id: shared.id }]
  assert.deepEqual(await eventsOf(projectId), [told, told, told])
})

test('200: sharing a view shows it to all, and taking it back makes it the caller’s own', async () => {
  const { members } = await createBoard(service)
  const [member, owner] = [clientOf(members.member), clientOf(members.owner)]
  const { view } = await member.call(`${views}/create`, search)
  await member.call(`${views}/update`, { id: view.id, is_shared: true, parameters: 'view=calendar' })
  assert.deepEqual((await owner.call(`${views}/list`)).views[0]?.parameters, 'view=calendar')
  await owner.call(`${views}/update`, { id: view.id, is_shared: false })
  assert.deepEqual((await member.call(`${views}/list`)).views, [])
  assert.equal((await owner.call(`${views}/list`)).views[0]?.id, view.id)
})

test('403 for a viewer who shares, changes or deletes a view of the project', async () => {
  const { members } = await createBoard(service)
  const viewer = clientOf(members.viewer)
  const { view } = await clientOf(members.member).call(`${views}/create`, { ...search, is_shared: true })
  const { view: own } = await viewer.call(`${views}/create`, search)
  for (const refused of [
    await viewer.attempt(`${views}/create`, { ...search, is_shared: true }),
    await viewer.attempt(`${views}/update`, { id: view.id, name: 'Mine' }),
    await viewer.attempt(`${views}/update`, { id: own.id, is_shared: true }),
    await viewer.attempt(`${views}/delete`, { id: view.id }),
  ])
    assert.deepEqual(refused.ok ? refused.data : [refused.status, refused.code], [403, 'only_own_views'])
  await viewer.call(`${views}/delete`, { id: own.id })
})

test("404 for another person's view", async () => {
  const { members } = await createBoard(service)
  const { view } = await clientOf(members.member).call(`${views}/create`, search)
  const owner = clientOf(members.owner)
  for (const refused of [
    await owner.attempt(`${views}/update`, { id: view.id, name: 'Mine' }),
    await owner.attempt(`${views}/delete`, { id: view.id }),
  ])
    assert.deepEqual(refused.ok ? refused.data : [refused.status, refused.code], [404, 'view_not_found'])
})

test('422 for a deleted board, whose views are not listed until it is restored', async () => {
  const { members, boardId } = await createBoard(service)
  const owner = clientOf(members.owner)
  await owner.call(`${views}/create`, { ...filters, board_id: boardId })
  await owner.call(`${operations}/boards/delete`, { id: boardId })
  assert.deepEqual((await owner.call(`${views}/list`)).views, [])
  const refused = await owner.attempt(`${views}/create`, { ...filters, board_id: boardId })
  assert.deepEqual(refused.ok ? refused.data : [refused.status, refused.code], [422, 'board_id_not_found'])
  await owner.call(`${operations}/boards/restore`, { id: boardId })
  assert.equal((await owner.call(`${views}/list`)).views.length, 1)
})

test('422 unless a view is of a page or of a board', async () => {
  const { members, boardId } = await createBoard(service)
  const owner = clientOf(members.owner)
  for (const wrong of [{}, { page: 'search', board_id: boardId }, { page: null, board_id: null }] as const) {
    const refused = await owner.attempt(`${views}/create`, { ...filters, ...wrong })
    assert.deepEqual(refused.ok ? refused.data : [refused.status, refused.code], [
      422,
      'page_not_exactly_one',
    ])
  }
  assert.deepEqual((await owner.call(`${views}/list`)).views, [])
})
