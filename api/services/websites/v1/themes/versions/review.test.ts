// From the first draft to the last restoring, as the people see it.
import assert from 'node:assert/strict'
import test from 'node:test'
import { startTestService } from '#tests/service.ts'
import { createTheme, recordOf } from '#tests/themes.ts'

const versions = '/services/websites/v1/themes/versions'
const service = await startTestService()
const fixture = await createTheme(service)
const { admin, superadmin, members, reviewer, themeId, addVersion, projectId } = fixture

const read = async (version_id: number) => (await admin.call(`${versions}/get`, { version_id })).version

test('201 create: a draft, and a project of its own behind it', async () => {
  const { version } = await admin.call(`${versions}/create`, { theme_id: themeId, version: ' 7.1 ' })
  const { version_id, created_at, updated_at } = version
  assert.deepEqual(version, {
    version_id,
    project_id: projectId,
    project_name: 'Project',
    theme_id: themeId,
    theme_name: 'Aurora',
    version: '7.1',
    theme_status: 'draft',
    approval_status: null,
    rejection_reason: null,
    submitted_at: null,
    reviewed_by: null,
    reviewed_at: null,
    published_at: null,
    deprecated_at: null,
    deprecation: null,
    created_by: members.admin.id,
    created_at,
    updated_at,
  })
  assert.deepEqual(await read(version_id), version)
  const [own] = await service.db.sql`
    select p.kind, p.name, p.platform_id = o.platform_id as same_platform from projects p, projects o
    where p.id = ${version_id} and o.id = ${projectId}`
  assert.deepEqual(own, { kind: 'theme_version', name: 'Aurora 7.1', same_platform: true })
})

test('422 create for a version that the theme has, and no project is left behind; another theme may have it', async () => {
  await addVersion('draft', 'taken')
  const count = () => service.db.sql`select count(*) from projects`
  const before = await count()
  const refused = await admin.attempt(`${versions}/create`, { theme_id: themeId, version: 'taken' })
  assert.ok(!refused.ok && refused.status === 422)
  assert.deepEqual(refused.errors, { version: ['The version has already been taken.'] })
  assert.deepEqual(await count(), before)
  const { theme } = await admin.call('/services/websites/v1/themes/create', { name: 'Another' })
  const made = await admin.attempt(`${versions}/create`, { theme_id: theme.id, version: 'taken' })
  assert.equal(made.status, 201)
})

test('422 create for a version that is too long; 404 for a theme that does not exist', async () => {
  const attempt = async (input: { theme_id: number; version: string }) =>
    (await admin.attempt(`${versions}/create`, input)).status
  assert.equal(await attempt({ theme_id: themeId, version: '𝒙'.repeat(51) }), 422)
  assert.equal(await attempt({ theme_id: themeId, version: '𝒙'.repeat(50) }), 201)
  assert.equal(await attempt({ theme_id: Number.MAX_SAFE_INTEGER, version: '1.0' }), 404)
})

test('200 rejected, submitted again, approved, published, deprecated, restored', async () => {
  const id = await addVersion()
  const submitted = (await admin.call(`${versions}/submit`, { version_id: id })).version
  assert.equal(submitted.approval_status, 'pending')
  assert.ok(submitted.submitted_at)
  const rejected = (await superadmin.call(`${versions}/reject`, { version_id: id, reason: ' Too dark. ' }))
    .version
  assert.deepEqual(
    [rejected.approval_status, rejected.rejection_reason, rejected.reviewed_by],
    ['rejected', 'Too dark.', 0],
  )
  const again = (await admin.call(`${versions}/submit`, { version_id: id })).version
  assert.deepEqual(
    [again.approval_status, again.rejection_reason, again.reviewed_by, again.reviewed_at],
    ['pending', null, null, null],
  )
  const approved = (await superadmin.call(`${versions}/approve`, { version_id: id })).version
  assert.deepEqual(
    [approved.approval_status, approved.theme_status, approved.reviewed_by, approved.published_at],
    ['approved', 'draft', 0, null],
  )
  assert.ok(approved.reviewed_at)
  const published = (await admin.call(`${versions}/publish`, { version_id: id })).version
  assert.ok(published.published_at)
  await admin.call(`${versions}/deprecate`, { version_id: id })
  const restored = (await admin.call(`${versions}/restore`, { version_id: id })).version
  assert.deepEqual(restored, { ...published, updated_at: restored.updated_at })
  assert.deepEqual(await read(id), restored)
  const events = await service.db.sql<{ kind: string; actor_id: number; data: Record<string, unknown> }[]>`
    select kind, actor_id, data from events where data ->> 'version_id' = ${String(id)} order by id`
  const steps = ['created', 'submitted', 'rejected', 'submitted', 'approved']
  assert.deepEqual(
    events.map(({ kind }) => kind),
    [...steps, 'published', 'deprecated', 'restored'].map((word) => `theme_version.${word}`),
  )
  assert.deepEqual(
    events.map(({ actor_id: actor }) => actor === reviewer.id),
    [false, false, true, false, true, false, false, false],
  )
  assert.equal(events[2]?.data['rejection_reason'], 'Too dark.')
})

test('200 restore of an approved draft that was deprecated unpublished: a draft again', async () => {
  const id = await addVersion('approved')
  await admin.call(`${versions}/deprecate`, { version_id: id })
  const { version } = await admin.call(`${versions}/restore`, { version_id: id })
  assert.deepEqual(
    [version.theme_status, version.approval_status, version.deprecated_at],
    ['draft', 'approved', null],
  )
})

test('200 for the current state: no change and no event', async () => {
  const already = {
    submit: 'pending',
    approve: 'published',
    publish: 'published',
    restore: 'approved',
  } as const
  for (const [action, stage] of Object.entries(already) as [keyof typeof already, 'pending'][]) {
    const id = await addVersion(stage)
    const before = await recordOf(service, id)
    const { version } = await superadmin.call(`${versions}/${action}`, { version_id: id })
    assert.equal(version.version_id, id)
    assert.deepEqual(await recordOf(service, id), before)
  }
})

test('400 with the reason where the state forbids, and nothing changes', async () => {
  const forbidden = [
    ['submit', 'published', 'This version is already approved.'],
    ['approve', 'draft', 'Only a version that is waiting for review can be approved.'],
    ['approve', 'rejected', 'Only a version that is waiting for review can be approved.'],
    ['reject', 'approved', 'Only a version that is waiting for review can be rejected.'],
    ['reject', 'rejected', 'Only a version that is waiting for review can be rejected.'],
    ['publish', 'pending', 'Only an approved version that is not deprecated can be published.'],
    ['publish', 'deprecated', 'Only an approved version that is not deprecated can be published.'],
    ['restore', 'pending', 'Only a deprecated version can be restored.'],
  ] as const
  for (const [action, stage, message] of forbidden) {
    const id = await addVersion(stage)
    const before = await recordOf(service, id)
    const refused = await superadmin.attempt(`${versions}/${action}`, { version_id: id, reason: 'No.' })
    assert.deepEqual([refused.status, refused.message], [400, message], `${action} of ${stage}`)
    assert.deepEqual(await recordOf(service, id), before)
  }
})

test('404 for a version that does not exist', async () => {
  for (const action of ['submit', 'approve', 'reject', 'publish', 'restore'] as const) {
    const refused = await superadmin.attempt(`${versions}/${action}`, {
      version_id: 2 ** 53 - 1,
      reason: 'No.',
    })
    assert.equal(refused.status, 404, action)
  }
})

test('403 approve and reject for the owner of the theme; 403 submit, publish and restore for a member', async () => {
  const id = await addVersion('pending')
  const before = await recordOf(service, id)
  const owner = service.client(members.owner.token)
  const member = service.client(members.member.token)
  for (const action of ['approve', 'reject'] as const)
    assert.equal((await owner.attempt(`${versions}/${action}`, { version_id: id, reason: 'x' })).status, 403)
  for (const action of ['submit', 'publish', 'restore'] as const)
    assert.equal((await member.attempt(`${versions}/${action}`, { version_id: id })).status, 403)
  assert.equal((await member.attempt(`${versions}/create`, { theme_id: themeId, version: 'x' })).status, 403)
  assert.deepEqual(await recordOf(service, id), before)
})

test('422 reject without a reason, or with one that is too long', async () => {
  const id = await addVersion('pending')
  for (const reason of [' ', 'x'.repeat(1001)]) {
    const refused = await superadmin.attempt(`${versions}/reject`, { version_id: id, reason })
    assert.ok(!refused.ok && refused.status === 422)
    assert.deepEqual(Object.keys(refused.errors), ['reason'])
  }
  assert.equal((await read(id)).approval_status, 'pending')
})
