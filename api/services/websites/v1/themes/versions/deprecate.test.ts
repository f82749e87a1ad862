import assert from 'node:assert/strict'
import test from 'node:test'
import { post } from '#tests/post.ts'
import { startTestService } from '#tests/service.ts'
import { createTheme, recordOf, type Stage } from '#tests/themes.ts'

const path = '/services/websites/v1/themes/versions/deprecate'
const service = await startTestService()
const fixture = await createTheme(service)
const { members, addVersion, projectId } = fixture

test('200 v1: the exact body, version_id as text', async () => {
  const id = await addVersion('published')
  const { status, text } = await post(service, path, members.admin.token, { version_id: id })
  assert.equal(status, 200)
  assert.equal(
    text,
    `{"error":false,"message":"The theme version was deprecated.","data":{"version_id":"${id}","theme_status":"deprecated"}}`,
  )
})

test('200 v2: version_id is the integer', async () => {
  const id = await addVersion('published')
  const { body } = await post(service, path.replace('/v1/', '/v2/'), members.owner.token, { version_id: id })
  assert.deepEqual(body.data, { version_id: id, theme_status: 'deprecated' })
})

test('200 as admin, owner and superadmin; 403 as viewer and member, and nothing changes', async () => {
  for (const { token } of [members.admin, members.owner, fixture.reviewer])
    assert.equal((await post(service, path, token, { version_id: await addVersion('approved') })).status, 200)
  const id = await addVersion('published')
  const before = await recordOf(service, id)
  for (const { token } of [members.viewer, members.member])
    assert.equal((await post(service, path, token, { version_id: id })).status, 403)
  assert.deepEqual(await recordOf(service, id), before)
})

test('the record has the time, and there is one event', async () => {
  const id = await addVersion('published', 'told')
  const { version } = await fixture.admin.call('/services/websites/v1/themes/versions/get', {
    version_id: id,
  })
  await fixture.admin.call(path, { version_id: id })
  const after = await fixture.admin.call('/services/websites/v1/themes/versions/get', { version_id: id })
  const { deprecated_at: deprecatedAt, updated_at: updatedAt } = after.version
  assert.ok(deprecatedAt !== null && deprecatedAt >= version.updated_at)
  assert.deepEqual(after.version, {
    ...version,
    theme_status: 'deprecated',
    deprecated_at: deprecatedAt,
    updated_at: updatedAt,
  })
  const events = await service.db.sql`
    select project_id, board_id, actor_id, data from events
    where kind = 'theme_version.deprecated' and data ->> 'version_id' = ${String(id)}`
  assert.deepEqual(
    [...events],
    [
      {
        project_id: projectId,
        board_id: null,
        actor_id: members.admin.id,
        data: {
          version_id: id,
          theme_name: 'Aurora',
          version: 'told',
          theme_status: 'deprecated',
          approval_status: 'approved',
        },
      },
    ],
  )
})

test('200 for a deprecated version: no change and no event', async () => {
  const id = await addVersion('deprecated')
  const before = await recordOf(service, id)
  const { status, body } = await post(service, path, members.owner.token, { version_id: id })
  assert.deepEqual([status, body.data], [200, { version_id: String(id), theme_status: 'deprecated' }])
  assert.deepEqual(await recordOf(service, id), before)
})

for (const stage of ['draft', 'pending', 'rejected'] satisfies Stage[])
  test(`400 for a version that is ${stage}, and nothing changes`, async () => {
    const id = await addVersion(stage)
    const before = await recordOf(service, id)
    const { status, body } = await post(service, path, members.owner.token, { version_id: id })
    assert.equal(status, 400)
    assert.deepEqual(body, {
      error: true,
      message: 'Only an approved version can be deprecated.',
      data: [],
    })
    assert.deepEqual(await recordOf(service, id), before)
  })

test('404 for an unknown id or an ordinary project; 422 for no integer', async () => {
  for (const version_id of [projectId, 999_999, 0, -1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]) {
    const { status, body } = await post(service, path, members.owner.token, { version_id })
    assert.equal(status, 404)
    assert.deepEqual(body, { error: true, message: 'There is no theme version with this id.', data: [] })
  }
  for (const version_id of ['5', 5.5, 2 ** 53, 1e300, true, [1]])
    assert.equal((await post(service, path, members.owner.token, { version_id })).status, 422)
})

test('403 for the version of another project, whose admin may; 404 once that project is deleted', async () => {
  const other = await createTheme(service, 'Borealis')
  const id = await other.addVersion('published')
  const before = await recordOf(service, id)
  const { status, body } = await post(service, path, members.owner.token, { version_id: id })
  assert.deepEqual([status, body], [403, { error: true, message: 'This action is unauthorized.' }])
  assert.deepEqual(await recordOf(service, id), before)
  await service.db.sql`update projects set deleted_at = now() where id = ${other.projectId}`
  for (const { token } of [members.owner, other.reviewer])
    assert.equal((await post(service, path, token, { version_id: id })).status, 404)
  assert.deepEqual(await recordOf(service, id), before)
})

test('an Idempotency-Key gives the same answer again', async () => {
  const id = await addVersion('approved')
  const headers = { 'idempotency-key': `deprecate-${id}` }
  const first = await post(service, path, members.owner.token, { version_id: id }, headers)
  await fixture.admin.call('/services/websites/v1/themes/versions/restore', { version_id: id })
  const again = await post(service, path, members.owner.token, { version_id: id }, headers)
  assert.equal(again.headers.get('idempotency-replayed'), 'true')
  assert.equal(again.text, first.text)
  const [row] = await service.db.sql`select theme_status from theme_versions where id = ${id}`
  assert.deepEqual(row, { theme_status: 'draft' })
})
