// Two platforms in one installation: where things are created, what reaches which projects, and what people are in each.
import assert from 'node:assert/strict'
import test from 'node:test'
import { countProjects as countFigures } from '#fleet/counting.ts'
import { setSuperadmin } from '#identity/accounts.ts'
import { addPlatform, renamePlatform } from '#projects/platform.ts'
import { listRollouts } from '#rollouts/rollout.ts'
import { listThemes } from '#themes/listing.ts'
import { listOffered, listVersions } from '#themes/version/listing.ts'
import { openStream, until } from './event-stream.ts'
import { createMaster } from './master.ts'
import { sender } from './post.ts'
import { startTestService } from './service.ts'
import { createTheme } from './themes.ts'

const service = await startTestService()
const { sql } = service.db
const masters = '/services/operations/v1/admin'
const operations = '/services/operations/v1/operations'
const identity = '/services/identity/v1'
const themes = '/services/websites/v1/themes'

const [first] = await sql<{ id: number }[]>`select id from platforms`
const home = first?.id as number
const other = (await addPlatform(service.db, 'Other')) as number
const homeProject = await service.addProject('Home', [], home)
const otherProject = await service.addProject('Elsewhere', [], other)
const ofAll = await service.addUser({ superadmin: true })
const ofHome = await service.addUser({ superadmin: true, platformId: home })
const ofOther = await service.addUser({ superadmin: true, platformId: other })

const inProject = (id: number) => ({ 'x-project-id': String(id) })

const countProjects = () => sql`select from projects`

/** The ways to create something in a platform, and where it ended up. */
const creations = [
  {
    path: `${masters}/master-boards/create`,
    input: { title: 'Launch' },
    platformOf: ({ board }: { board: { platform_id: number } }) => board.platform_id,
    count: () => sql`select from master_boards`,
  },
  {
    path: `${identity}/projects/create`,
    input: { name: 'Launch' },
    platformOf: ({ project }: { project: { platform_id: number } }) => project.platform_id,
    count: countProjects,
  },
]

for (const { path, input, platformOf } of creations)
  test(`201 ${path}: in the named platform, else in the one of the superadmin or of the request's project`, async () => {
    const create = async (token: string, named: object, headers = {}) => {
      const { status, text, body } = await sender(service, token, path)('', { ...input, ...named }, headers)
      assert.equal(status, 201, text)
      return platformOf(body.data)
    }
    assert.equal(await create(ofAll.token, {}, inProject(homeProject)), home)
    assert.equal(await create(ofAll.token, {}, inProject(otherProject)), other)
    assert.equal(await create(ofAll.token, { platform_id: home }, inProject(otherProject)), home)
    assert.equal(await create(ofAll.token, { platform_id: null }, inProject(otherProject)), other)
    assert.equal(await create(ofOther.token, {}), other)
    assert.equal(await create(ofOther.token, { platform_id: other }, inProject(homeProject)), other)
    // The request's project is in another platform, which they are not superadmin of.
    assert.equal(await create(ofOther.token, {}, inProject(homeProject)), other)
  })

/** These ask for a platform in the same way. */
const others = [
  { path: `${masters}/projects/create`, input: { name: 'Launch' }, count: countProjects },
  { path: `${masters}/projects/preview`, input: { tool_keys: [] }, count: countProjects },
  { path: `${masters}/products/list`, input: {}, count: countProjects },
  {
    path: `${masters}/audiences/create`,
    input: { name: 'Pilots' },
    count: () => sql`select from audiences`,
  },
]

for (const { path, input, count } of [...creations, ...others])
  test(`403 and 422 ${path} for a platform of others, an unknown one, or none where it is unclear`, async () => {
    const all = await service.addUser({ superadmin: true })
    const before = (await count()).length
    const refusals: [string, object, object, number, string[]][] = [
      [ofOther.token, { platform_id: home }, {}, 403, []],
      [ofOther.token, { platform_id: home }, inProject(homeProject), 403, []],
      [ofOther.token, { platform_id: 999_999 }, {}, 403, []],
      [all.token, { platform_id: 999_999 }, inProject(homeProject), 422, ['platform_id']],
      [all.token, { platform_id: -1 }, {}, 422, ['platform_id']],
      [all.token, { platform_id: 'x' }, inProject(homeProject), 422, ['platform_id']],
      [all.token, {}, {}, 422, ['platform_id']],
      [all.token, {}, inProject(999_999), 422, ['platform_id']],
    ]
    for (const [token, named, headers, status, fields] of refusals) {
      const answer = await sender(service, token, path)('', { ...input, ...named }, headers as never)
      assert.equal(answer.status, status, answer.text)
      assert.deepEqual(Object.keys(answer.body.errors ?? {}), fields)
    }
    const member = await service.addUser({ superadmin: true, roles: { [homeProject]: 'viewer' } })
    const malformed = await sender(service, member.token, path)('', input, { 'x-project-id': 'first' })
    assert.deepEqual([malformed.status, Object.keys(malformed.body.errors ?? {})], [422, ['x-project-id']])
    assert.equal((await count()).length, before)
  })

test('a rollout reaches only projects of its platform, and new projects get only the templates of theirs', async () => {
  const master = await createMaster(service, { platformId: other, projects: 0, cards: 1 })
  const here = await service.addProject('Here', [master.toolKey], home)
  const there = await service.addProject('There', [master.toolKey], other)
  const { synced_count: synced, skipped_no_access: skipped } = await master.sync()
  const [{ count: ofPlatform } = { count: 0 }] = await sql<{ count: number }[]>`
    select count(*) from projects where platform_id = ${other} and kind = 'customer' and tool_keys ? ${master.toolKey}`
  assert.deepEqual([synced, ofPlatform], [1, 1])
  assert.ok(skipped < (await sql`select from projects where platform_id = ${other}`).length)
  const copies = await sql<{ project_id: number }[]>`
    select project_id from boards where master_board_id = ${master.boardId}`
  assert.deepEqual([...copies], [{ project_id: there }])
  const listed = (await service.client(ofAll.token).call(`${masters}/master-boards/list`)).boards
  assert.equal(listed.find(({ id }) => id === master.boardId)?.access_count, 1)
  const { boards } = await service.client(ofOther.token).call(`${masters}/master-boards/list`)
  assert.equal(boards.find(({ id }) => id === master.boardId)?.access_count, 1)
  assert.equal((await sql`select from boards where project_id = ${here}`).length, 0)
})

test('superadmins list the templates, rollouts, themes and projects of their platform; those of all list all', async () => {
  const inHome = await createMaster(service, { platformId: home, projects: 0, cards: 1 })
  const inOther = await createMaster(service, { platformId: other, projects: 0, cards: 1 })
  await inHome.sync()
  await inOther.sync()
  const themeInHome = await createTheme(service, 'Home', home)
  const themeInOther = await createTheme(service, 'Other', other)
  const versionInHome = await themeInHome.addVersion('pending')
  const versionInOther = await themeInOther.addVersion('pending')
  const seenBy = async ({ token }: { token: string }) => {
    const client = service.client(token, inProject(homeProject))
    const { boards } = await client.call(`${masters}/master-boards/list`)
    const { rollouts } = await client.call(`${masters}/rollouts/list`, { limit: 200 })
    const { themes: listed } = await client.call(`${themes}/list`, { limit: 200 })
    const { versions } = await client.call(`${themes}/versions/list`, {
      approval_status: 'pending',
      limit: 200,
    })
    const { projects } = await client.call(`${identity}/projects/list`, { limit: 200 })
    const { platforms } = await client.call(`${identity}/platforms/list`)
    const sees = (ids: number[], one: number, two: number) => [ids.includes(one), ids.includes(two)]
    return [
      sees(
        boards.map(({ id }) => id),
        inHome.boardId,
        inOther.boardId,
      ),
      sees(
        rollouts.map((rollout) => rollout.board_id),
        inHome.boardId,
        inOther.boardId,
      ),
      sees(
        listed.map(({ id }) => id),
        themeInHome.themeId,
        themeInOther.themeId,
      ),
      sees(
        versions.map((version) => version.version_id),
        versionInHome,
        versionInOther,
      ),
      sees(
        projects.map(({ id }) => id),
        homeProject,
        otherProject,
      ),
      sees(
        platforms.map(({ id }) => id),
        home,
        other,
      ),
    ]
  }
  assert.deepEqual(await seenBy(ofAll), Array(6).fill([true, true]))
  assert.deepEqual(await seenBy(ofHome), Array(6).fill([true, false]))
  assert.deepEqual(await seenBy(ofOther), Array(6).fill([false, true]))
})

test('the list of projects can be of one platform, which gives nobody those of another', async () => {
  await service.db.transaction((queries) => countFigures(queries, [homeProject, otherProject]))
  const listed = async (token: string, platform: number | null) => {
    const input = { project_ids: [homeProject, otherProject], platform_id: platform }
    const { projects, count } = await service.client(token).call(`${masters}/projects/list`, input)
    return [count, ...projects.map(({ id }) => id)]
  }
  assert.deepEqual(await listed(ofAll.token, other), [1, otherProject])
  assert.equal((await listed(ofAll.token, null))[0], 2)
  assert.deepEqual(await listed(ofHome.token, other), [0])
})

test('a unique_identifier names one card of a platform, and another platform may use it too', async () => {
  const inHome = await createMaster(service, { platformId: home, projects: 0, cards: 1 })
  const inOther = await createMaster(service, { platformId: other, projects: 0, cards: 1 })
  const input = { title: 'x', unique_identifier: 'imprint' }
  for (const { admin, groupIds } of [inHome, inOther])
    await admin.call(`${masters}/master-cards/create`, { ...input, group_id: groupIds[0] })
  const send = sender(service, ofAll.token, masters)
  const again = await send('/master-cards/create', { ...input, group_id: inOther.groupIds[1] })
  assert.deepEqual([again.status, Object.keys(again.body.errors ?? {})], [422, ['unique_identifier']])
  const foreign = await send('/master-cards/move', {
    id: inHome.cardIds[0],
    group_id: inOther.groupIds[0],
  })
  assert.deepEqual([foreign.status, Object.keys(foreign.body.errors ?? {})], [422, ['group_id']])
})

test('a superadmin of another platform has the role of a member in a project, and no more', async () => {
  const user = await service.addUser({
    superadmin: true,
    platformId: other,
    roles: { [homeProject]: 'viewer' },
  })
  const admin = await service.addUser({ roles: { [homeProject]: 'admin' } })
  const client = service.client(admin.token)
  const { board } = await client.call(`${operations}/boards/create`, { title: 'x' })
  const { group } = await client.call(`${operations}/groups/create`, { board_id: board.id, title: 'x' })
  const { card } = await client.call(`${operations}/cards/create`, { title: 'x', group_id: group.id })
  const send = sender(service, user.token, operations)
  assert.equal((await send('/cards/get', { id: card.id })).status, 200)
  assert.equal((await send('/cards/update', { id: card.id, title: 'y' })).status, 403)
  assert.equal((await send('/cards/create', { title: 'x', group_id: group.id })).status, 403)
  await sql`update memberships set role = 'member' where user_id = ${user.id}`
  assert.equal((await send('/cards/update', { id: card.id, title: 'y' })).status, 200)
  // Members delete only their own cards, superadmins any.
  assert.equal((await send('/cards/delete', { id: card.id })).status, 403)
  const keyed = await send('/cards/delete', { id: card.id }, { 'idempotency-key': 'delete' })
  assert.equal(keyed.status, 403)
  const me = await service.client(user.token).call(`${identity}/users/me`)
  assert.deepEqual([me.user.superadmin, me.user.superadmin_platform_id], [true, other])
  assert.deepEqual([me.current_project?.role, me.current_project?.platform_id], ['member', home])
  await setSuperadmin(service.db, user.id, { platformId: home, billing: false })
  assert.equal((await send('/cards/delete', { id: card.id })).status, 200)
})

test('403 choose for a version that is not published, by a superadmin of another platform', async () => {
  const theme = await createTheme(service, 'Draft', home)
  const draft = await theme.addVersion('approved')
  const roles = { [homeProject]: 'admin' } as const
  const user = await service.addUser({ superadmin: true, platformId: other, roles })
  const choose = (token: string) =>
    sender(service, token, themes)('/versions/choose', { version_id: draft }, inProject(homeProject))
  assert.equal((await choose(user.token)).status, 403)
  // A superadmin of the platform knows the version, and learns that it is not published.
  assert.equal((await choose(ofHome.token)).status, 400)
})

test('the event stream is refused to superadmins of another platform, and ends when somebody becomes one', async () => {
  const query = `?project_id=${homeProject}`
  const refused = await openStream(service, ofOther.token, { query })
  assert.equal(refused.response.status, 403)
  const user = await service.addUser({ superadmin: true, platformId: home })
  const stream = await openStream(service, user.token, { query })
  assert.equal(stream.response.status, 200)
  await until(() => stream.messages.length > 0, 'the first message')
  await setSuperadmin(service.db, user.id, { platformId: other, billing: false })
  await until(stream.hasEnded, 'the end of the stream')
})

test('403 for a kept answer about a template after the superadmin has moved to another platform', async () => {
  const master = await createMaster(service, { platformId: home, projects: 0, cards: 1 })
  const user = await service.addUser({ superadmin: true, platformId: home })
  const create = sender(service, user.token, masters)
  const replays = async () => {
    const made = await create('/master-boards/create', { title: 'Kept' }, { 'idempotency-key': 'create' })
    const changed = { id: master.boardId, title: 'Kept' }
    const update = await create('/master-boards/update', changed, { 'idempotency-key': 'update' })
    return [made.status, update.status]
  }
  const moveTo = (platformId: number | null) =>
    setSuperadmin(service.db, user.id, { platformId, billing: false })
  assert.deepEqual(await replays(), [201, 200])
  await moveTo(other)
  assert.deepEqual(await replays(), [403, 403])
  await moveTo(null)
  assert.deepEqual(await replays(), [201, 200])
  await moveTo(home)
  assert.deepEqual(await replays(), [201, 200])
  assert.equal((await sql`select from master_boards where title = 'Kept'`).length, 2)
})

test('lists of one platform read only its rows, from an index', async () => {
  const master = await createMaster(service, { platformId: other, projects: 0, cards: 1 })
  const theme = await createTheme(service, 'Many', other)
  await sql`
    insert into rollouts (kind, platform_id, board_id, revision, title, template_title, created_by, status, finished_at)
    select 'board', ${other}, ${master.boardId}, 1, 'Launch', 'Launch', ${ofAll.id}, 'done', now() from generate_series(1, 3000)`
  await sql`
    insert into themes (project_id, platform_id, name)
    select ${theme.projectId}, ${other}, 'Many ' || n from generate_series(1, 3000) n`
  await sql`
    with made as (
      insert into projects (platform_id, kind, name) select ${other}, 'theme_version', n from generate_series(1, 3000) n
      returning id)
    insert into theme_versions (project_id, platform_id, id, theme_id, version)
    select ${theme.projectId}, ${other}, id, ${theme.themeId}, id from made`
  await sql`analyze rollouts, themes, theme_versions, projects`
  const plans: string[] = []
  const explaining = {
    ...service.db,
    async run<Row extends object>(text: string): Promise<Row[]> {
      // As if it had run so often that PostgreSQL no longer looks at its values.
      const plan = await sql.unsafe(`explain (generic_plan) ${text}`)
      plans.push(plan.map((row) => row['QUERY PLAN']).join('\n'))
      return []
    },
  }
  const page = { platformId: home, after: null, limit: 51 }
  await listRollouts(explaining, { ...page, boardId: null, before: null })
  await listThemes(explaining, { ...page, projectId: null })
  await listVersions(explaining, { ...page, projectId: null, status: null, approval: 'pending' })
  await listOffered(explaining, { projectId: homeProject, after: null, limit: 51 })
  // The next page too: it begins where the last one ended, and reads nothing before that.
  await listRollouts(explaining, { ...page, boardId: null, before: 1_000 })
  const indexes = [
    'rollouts_platform',
    'themes_platform',
    'theme_versions_platform',
    'theme_versions_published',
  ]
  const ranges = plans.map((plan) =>
    /Backward using (\w+_p\w+) on .*\n +(Index Cond: .*)/.exec(plan)?.slice(1),
  )
  assert.deepEqual(
    ranges.map((range) => range?.[0]),
    [...indexes, 'rollouts_platform'],
  )
  for (const range of ranges) assert.match(range?.[1] ?? '', /platform_id >= .* AND .*platform_id.* <=? /)
})

test('users/set-ai: superadmins of a platform change only users who belong to it and to no other', async () => {
  const set = async (by: { token: string }, id: number) =>
    (await sender(service, by.token, identity)('/users/set-ai', { id, enable_ai: true })).status
  const [mine, theirs, both, nowhere, superadmin] = [
    await service.addUser({ roles: { [otherProject]: 'member' } }),
    await service.addUser({ roles: { [homeProject]: 'member' } }),
    await service.addUser({ roles: { [homeProject]: 'member', [otherProject]: 'member' } }),
    await service.addUser(),
    await service.addUser({ superadmin: true, roles: { [otherProject]: 'member' } }),
  ]
  for (const user of [theirs, both, nowhere, superadmin]) assert.equal(await set(ofOther, user.id), 404)
  assert.equal(await set(ofOther, mine.id), 200)
  assert.equal(await set(ofOther, ofOther.id), 200)
  const changed = await sql<{ id: number }[]>`select id from users where enable_ai order by id`
  assert.deepEqual(
    changed.map(({ id }) => id),
    [mine.id, ofOther.id].sort((a, b) => a - b),
  )
  for (const user of [mine, theirs, both, nowhere, superadmin]) assert.equal(await set(ofAll, user.id), 200)
})

test('200 users/me without a current project if the default one is in a platform that they may no longer open', async () => {
  const { id, token } = await service.addUser({ superadmin: true, platformId: other })
  await sql`update users set default_project_id = ${homeProject} where id = ${id}`
  assert.equal((await service.client(token).call(`${identity}/users/me`)).current_project, null)
  const there = await service.client(token, inProject(otherProject)).call(`${identity}/users/me`)
  assert.equal(there.current_project?.id, otherProject)
})

test('members see the platforms of their projects', async () => {
  const platformsOf = async (token: string) =>
    (await service.client(token).call(`${identity}/platforms/list`)).platforms.map(({ id }) => id)
  assert.deepEqual(await platformsOf((await service.addUser()).token), [])
  const member = await service.addUser({ roles: { [otherProject]: 'viewer' } })
  assert.deepEqual(await platformsOf(member.token), [other])
  const superadminHere = await service.addUser({
    superadmin: true,
    platformId: home,
    roles: { [otherProject]: 'viewer' },
  })
  assert.deepEqual((await platformsOf(superadminHere.token)).sort(), [home, other].sort())
})

test('no two platforms have the same name', async () => {
  assert.equal(await addPlatform(service.db, 'OTHER'), 'name taken')
  assert.equal(await renamePlatform(service.db, home, 'Other'), 'name taken')
  assert.equal(await renamePlatform(service.db, other, 'OTHER'), 'renamed')
  assert.equal(await renamePlatform(service.db, 999_999, 'New'), 'no platform')
  const raced = await Promise.all(Array.from({ length: 5 }, () => addPlatform(service.db, 'Raced')))
  assert.equal(raced.filter((id) => id === 'name taken').length, 4)
})
