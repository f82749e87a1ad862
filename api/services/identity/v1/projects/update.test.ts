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
  })
  const { current_project } = await admin.call(me)
  assert.deepEqual([current_project?.name, current_project?.website_url], ['Acme', 'https://acme.test/'])
  const { projects } = await admin.call('/services/identity/v1/projects/list', {})
  assert.deepEqual(projects, [project])
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
