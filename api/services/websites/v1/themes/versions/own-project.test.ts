// A version is a project, but no customer's: nobody works in it.
import assert from 'node:assert/strict'
import test from 'node:test'
import { listProjects } from '#projects/listing.ts'
import { addMember } from '#projects/members.ts'
import { startTestService } from '#tests/service.ts'
import { createTheme } from '#tests/themes.ts'

const service = await startTestService()
const { addVersion, reviewer, members, projectId } = await createTheme(service)
const versionId = await addVersion('published')

test('403 for superadmins too in the project of a version: it has no boards, no tags, no stream', async () => {
  const inside = { 'x-project-id': String(versionId) }
  const client = service.client(reviewer.token, inside)
  const operations = '/services/operations/v1/operations'
  assert.equal((await client.attempt('/services/identity/v1/users/me')).status, 403)
  assert.equal((await client.attempt(`${operations}/boards/list`)).status, 403)
  assert.equal((await client.attempt(`${operations}/boards/create`, { title: 'x' })).status, 403)
  assert.equal((await client.attempt('/services/websites/v1/themes/create', { name: 'x' })).status, 403)
  const choice = await client.attempt('/services/websites/v1/themes/versions/choose', {
    version_id: versionId,
  })
  assert.equal(choice.status, 403)
  const headers = { authorization: `Bearer ${reviewer.token}`, ...inside }
  assert.equal((await service.fetch(`${operations}/events/stream`, { headers })).status, 403)
})

test('it cannot have members and is not listed as a project', async () => {
  assert.equal(await addMember(service.db, versionId, members.owner.id, 'owner'), 'no project')
  assert.deepEqual(
    (await listProjects(service.db)).map(({ id }) => id),
    [projectId],
  )
  const me = await service.client(members.admin.token).call('/services/identity/v1/users/me')
  assert.deepEqual(
    me.memberships.map(({ project_id: id }) => id),
    [projectId],
  )
})
