import assert from 'node:assert/strict'
import test from 'node:test'
import { createBoard } from '#tests/board.ts'
import { post } from '#tests/post.ts'
import { startTestService } from '#tests/service.ts'

const path = '/services/identity/v1/projects/update' as const
const me = '/services/identity/v1/users/me' as const
const service = await startTestService()

test('200 with the new name and website, which users/me and projects/list show; the change is an event', async () => {
  const { projectId, admin, members } = await createBoard(service)
  const { project } = await admin.call(path, {
    ...{ id: projectId, name: 'Acme' },
    website_url: 'HTTPS://Acme.Test',
  })
  assert.deepEqual(project, {
    ...{ id: projectId, platform_id: 1, name: 'Acme', role: 'admin' },
    website_url: 'https://acme.test/',
    ...{ language: null, time_zone: null },
  })
  const { current_project } = await admin.call(me)
  assert.deepEqual([current_project?.name, current_project?.website_url], ['Acme', 'https://acme.test/'])
  const { projects } = await admin.call('/services/identity/v1/projects/list', {})
  assert.deepEqual(projects, [{ ...project, archived_at: null }])
  const events = await service.db.sql`
    select actor_id, board_id, data from events where project_id = ${projectId} and kind = 'project.updated'`
  const changes = {
    name: { from: 'Project', to: 'Acme' },
    website_url: { from: null, to: 'https://acme.test/' },
  }
  assert.deepEqual([...events], [{ actor_id: members.admin.id, board_id: null, data: { changes } }])
})

test('200 an absent field is left, null clears the website and leaves the name; the same again is no event', async () => {
  const { projectId, admin } = await createBoard(service)
  await admin.call(path, { id: projectId, website_url: 'https://acme.test/shop' })
  await admin.call(path, { id: projectId, name: null })
  await admin.call(path, { id: projectId, website_url: 'https://acme.test/shop' })
  const { project } = await admin.call(path, { id: projectId, name: 'Blue' })
  assert.deepEqual([project.name, project.website_url], ['Blue', 'https://acme.test/shop'])
  assert.equal((await admin.call(path, { id: projectId, website_url: null })).project.website_url, null)
  const [row] = await service.db.sql<{ count: number }[]>`
    select count(*) from events where project_id = ${projectId} and kind = 'project.updated'`
  assert.equal(row?.count, 3)
})

test('422 for what is no address of a website', async () => {
  const { projectId, members } = await createBoard(service)
  for (const website_url of [
    'acme.test',
    'ftp://acme.test/',
    'javascript:alert(1)',
    'https://user@acme.test/',
    'https://user:word@acme.test/',
    'https://acme.test/?page=1',
    'https://acme.test/#top',
    'https://',
    'http://[::1',
  ]) {
    const answer = await post(service, path, members.admin.token, { id: projectId, website_url })
    assert.equal(answer.status, 422, website_url)
    assert.equal(answer.headers.get('x-error-code'), 'website_url_not_a_website')
  }
})

test('200 a language and a time zone: new members get them unless they choose, and days end by the zone', async () => {
  const { projectId, admin, boardId, member } = await createBoard(service, { cards: 1 })
  const changed = await admin.call(path, { id: projectId, language: 'de', time_zone: 'Pacific/Kiritimati' })
  assert.deepEqual([changed.project.language, changed.project.time_zone], ['de', 'Pacific/Kiritimati'])
  const { current_project } = await admin.call(me)
  assert.deepEqual([current_project?.language, current_project?.time_zone], ['de', 'Pacific/Kiritimati'])
  const cards = '/services/operations/v1/operations'
  const { board } = await member.call(`${cards}/boards/get`, { id: boardId })
  const { id } = board.groups.flatMap((group) => group.cards)[0] as { id: number }
  const zoned = (offset: number) => new Date(Date.now() + offset * 3_600_000).toISOString().slice(0, 10)
  // Kiritimati is 14 hours ahead, and Niue 11 behind: their dates always differ.
  await member.call(`${cards}/cards/update`, { id, due_date: zoned(-11), due_is_date: true })
  const overdue = async () =>
    (await member.call(`${cards}/boards/list`, {})).boards[0]?.['overdue_cards_count']
  assert.equal(await overdue(), 1)
  await admin.call(path, { id: projectId, time_zone: 'Pacific/Niue' })
  assert.equal(await overdue(), 0)
  await admin.call(path, { id: projectId, time_zone: null, language: null })
  const [row] = await service.db.sql`select language, time_zone from projects where id = ${projectId}`
  assert.deepEqual({ ...row }, { language: null, time_zone: null })
})

test('422 for a time zone that nobody knows', async () => {
  const { projectId, members } = await createBoard(service)
  for (const time_zone of ['Mars/Olympus', '+02:00', 'UTC+2'])
    for (const headers of [{}, { 'idempotency-key': `zone ${time_zone}` }]) {
      const answer = await post(service, path, members.admin.token, { id: projectId, time_zone }, headers)
      assert.deepEqual([answer.status, answer.headers.get('x-error-code')], [422, 'time_zone_not_found'])
    }
})
