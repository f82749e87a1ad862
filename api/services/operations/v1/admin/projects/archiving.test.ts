import assert from 'node:assert/strict'
import test from 'node:test'
import { pino } from 'pino'
import { checkWebsites } from '#evaluations/checking-websites.ts'
import { recountEvaluations } from '#evaluations/counting.ts'
import { catchUpFigures } from '#fleet/follower.ts'
import { keepOverviews } from '#fleet/overview.ts'
import { sendDigests } from '#inbox/digesting.ts'
import { remind } from '#inbox/reminding.ts'
import { addPlatform, firstPlatform } from '#projects/platform.ts'
import { addTool } from '#projects/tools.ts'
import { createBoard } from '#tests/board.ts'
import { createChecks } from '#tests/checks.ts'
import { assertCoverageTrue } from '#tests/coverage.ts'
import { startMailServer } from '#tests/mail-server.ts'
import { coverageNames, createMaster } from '#tests/master.ts'
import { post } from '#tests/post.ts'
import { startTestService } from '#tests/service.ts'
import { addPaid, addTrial } from '#tests/subscription.ts'

const service = await startTestService({ figures: false, inbox: false })
const { sql } = service.db
const base = '/services/operations/v1/admin/projects'
const area = '/services/operations/v1/operations'
const me = '/services/identity/v1/users/me' as const
const { signal } = new AbortController()
const operator = await service.addUser({ superadmin: true, superadminBilling: true })
const client = service.client(operator.token)

const archive = (id: number) => client.call(`${base}/archive`, { id })
const unarchive = (id: number) => client.call(`${base}/unarchive`, { id })
const catchUp = () => catchUpFigures(service.db, { signal })
const refusalOf = async (path: string, token: string, input: object, headers = {}) => {
  const answer = await post(service, path, token, input, headers)
  return [answer.status, answer.headers.get('x-error-code')]
}
const archived = [403, 'project_archived']

test('200 archiving and bringing back are recorded once, however often they are asked for', async () => {
  const { projectId, members } = await createBoard(service)
  const owner = service.client(members.owner.token)
  const archivedAt = async () => (await owner.call(me)).current_project?.archived_at ?? null
  assert.equal(await archivedAt(), null)
  await archive(projectId)
  const at = (await archivedAt()) as string
  assert.ok(Math.abs(Date.parse(at) - Date.now()) < 60_000)
  await archive(projectId)
  assert.equal(await archivedAt(), at)
  const [stored] = await sql`select archived_by from projects where id = ${projectId}`
  assert.equal(stored?.['archived_by'], operator.id)
  await unarchive(projectId)
  await unarchive(projectId)
  assert.equal(await archivedAt(), null)
  const kinds = ['project.archived', 'project.unarchived']
  const events = await sql<{ kind: string; actor_id: number }[]>`
    select kind, actor_id from events where project_id = ${projectId} and kind like 'project.%' order by id`
  const entries = await sql<{ kind: string; actor_id: number }[]>`
    select kind, actor_id from audit_entries where in_project_id = ${projectId} and kind like 'project.%' order by id`
  for (const recorded of [events, entries])
    assert.deepEqual(
      recorded.map(({ kind, actor_id }) => [kind, actor_id]),
      kinds.map((kind) => [kind, operator.id]),
    )
})

test('403 for everybody but superadmins of its platform, 404 for projects that are not there', async () => {
  const { projectId, members } = await createBoard(service)
  const platformId = (await addPlatform(service.db, 'Elsewhere')) as number
  const elsewhere = await service.addUser({ superadmin: true, platformId })
  for (const path of [`${base}/archive`, `${base}/unarchive`]) {
    for (const { token } of [...Object.values(members), elsewhere])
      assert.deepEqual(await refusalOf(path, token, { id: projectId }), [403, 'forbidden'])
    const missing = await refusalOf(path, operator.token, { id: 999_999 })
    assert.deepEqual(missing, [404, 'project_not_found'])
  }
  await service.client(members.owner.token).call('/services/identity/v1/projects/delete', {
    ...{ id: projectId, name: 'Project' },
  })
  const deleted = await refusalOf(`${base}/archive`, operator.token, { id: projectId })
  assert.deepEqual(deleted, [404, 'project_not_found'])
})

test('403 project_archived for who could write otherwise; reading and what viewers may do stay', async () => {
  const { projectId, members, boardId, cardIds } = await createBoard(service, { cards: 1 })
  const [cardId] = cardIds as [number]
  const here = { 'x-project-id': String(projectId) }
  await archive(projectId)
  const rename = { id: cardId, title: 'New' }
  for (const role of ['member', 'admin', 'owner'] as const) {
    const { token } = members[role]
    assert.deepEqual(await refusalOf(`${area}/cards/update`, token, rename), archived)
    assert.deepEqual(await refusalOf(`${area}/tags/create`, token, { name: 'New' }), archived)
    assert.equal((await post(service, `${area}/boards/get`, token, { id: boardId })).status, 200)
    assert.equal((await post(service, `${area}/cards/follow`, token, { id: cardId })).status, 200)
  }
  assert.deepEqual(await refusalOf(`${area}/cards/update`, operator.token, rename), archived)
  assert.deepEqual(await refusalOf(`${area}/tags/create`, operator.token, { name: 'New' }, here), archived)
  // These could not write before either, so they do not learn why nobody can.
  const stranger = await service.addUser({ roles: { [await service.addProject()]: 'owner' } })
  for (const token of [members.viewer.token, stranger.token])
    assert.deepEqual(await refusalOf(`${area}/cards/update`, token, rename), [403, 'forbidden'])
  const view = { board_id: boardId, name: 'Mine', parameters: 'q=x' }
  const { token } = members.owner
  assert.equal((await post(service, `${area}/views/create`, token, view)).status, 201)
  const shared = await refusalOf(`${area}/views/create`, token, { ...view, is_shared: true })
  assert.deepEqual(shared, [403, 'only_own_views'])
  const invite = { emails: ['new@example.test'], role: 'member' }
  assert.deepEqual(await refusalOf('/services/identity/v1/invitations/create', token, invite), archived)
  const { body } = await post(service, `${area}/cards/update`, token, rename)
  assert.equal(
    body.message,
    'This project is archived and can only be read. The operator of Cardinal can bring it back.',
  )
  assert.equal((await post(service, '/services/identity/v1/users/update', token, { name: 'X' })).status, 200)
  await unarchive(projectId)
  assert.equal((await post(service, `${area}/cards/update`, token, rename)).status, 200)
})

test('200 access to an archived project can be taken away, and nobody is given any', async () => {
  const { projectId, members } = await createBoard(service)
  const { admin, owner, member, viewer } = members
  const identity = '/services/identity/v1'
  const invite = { emails: ['kim@example.test'], role: 'member' as const }
  const { mail } = await startMailServer()
  const withMail = await startTestService({ mail }, service.address)
  const { invitations } = await withMail.client(admin.token).call(`${identity}/invitations/create`, invite)
  await archive(projectId)
  const ofAdmin = service.client(admin.token)
  await ofAdmin.call(`${identity}/members/remove`, { user_id: member.id })
  assert.equal((await post(service, `${area}/boards/list`, member.token, {})).status, 403)
  const here = { 'x-project-id': String(projectId) }
  await service.client(operator.token, here).call(`${identity}/members/remove`, { user_id: viewer.id })
  const [invitation] = invitations
  await ofAdmin.call(`${identity}/invitations/revoke`, { id: invitation?.id as number })
  assert.deepEqual((await ofAdmin.call(`${identity}/invitations/list`)).invitations, [])
  for (const [name, input] of Object.entries({
    'members/restore': { user_id: member.id },
    'members/update-role': { user_id: admin.id, role: 'owner' },
    'members/transfer-ownership': { user_id: admin.id },
    'invitations/resend': { id: invitation?.id },
  }))
    assert.deepEqual(await refusalOf(`${identity}/${name}`, owner.token, input), archived, name)
  await unarchive(projectId)
  await service.client(owner.token).call(`${identity}/members/restore`, { user_id: member.id })
})

test('200 an archived project can be paid for, canceled, deleted and restored, and is archived still', async () => {
  const { projectId, members } = await createBoard(service)
  await sql`update projects set name = 'Garden' where id = ${projectId}`
  const { token } = members.owner
  const here = { 'x-project-id': String(projectId) }
  await addTrial(service, projectId)
  const id = await addPaid(service, projectId, { product: 'shop' })
  await archive(projectId)
  const upgrade = { product: 'website', plan: 'pro', period: 'year' }
  const platforms = '/services/platforms/v1/subscriptions'
  assert.equal((await post(service, `${platforms}/upgrade-trial`, token, upgrade)).status, 200)
  assert.equal((await post(service, `${platforms}/cancel`, token, { id })).status, 200)
  // The checkout that was begun ends with the deletion.
  const projects = '/services/identity/v1/projects'
  const input = { id: projectId, name: 'Garden' }
  assert.equal((await post(service, `${projects}/delete`, token, input, here)).status, 200)
  assert.equal((await post(service, `${projects}/restore`, token, { id: projectId })).status, 200)
  assert.deepEqual(await refusalOf(`${area}/tags/create`, token, { name: 'New' }, here), archived)
  await assertCoverageTrue(service.db)
})

test('200 the lists of projects, labels and audiences leave it out at once; a filter finds it', async () => {
  const id = await service.addProject('Closed garden', ['archived-shop'])
  await catchUp()
  await client.call(`${base}/label`, { ids: [id], add: ['closed'] })
  const platformId = await firstPlatform(service.db)
  const ofPlatform = service.client((await service.addUser({ superadmin: true, platformId })).token)
  const { audience } = await client.call('/services/operations/v1/admin/audiences/create', {
    name: 'With the product',
    platform_id: platformId,
    tool_key: 'archived-shop',
  })
  const found = async () => {
    const names = async (is_archived = false) =>
      (await client.call(`${base}/list`, { query: 'closed garden', is_archived })).projects.map(
        ({ archived_at }) => archived_at !== null,
      )
    const labels = await Promise.all(
      [client, ofPlatform].map(async (one) => {
        const listed = await one.call('/services/operations/v1/admin/labels/list')
        return listed.labels.some(({ label }) => label === 'closed')
      }),
    )
    const read = await client.call('/services/operations/v1/admin/audiences/get', { id: audience.id })
    return {
      usual: await names(),
      archived: await names(true),
      labels,
      audience: read.projects_count,
    }
  }
  const before = { usual: [false], archived: [], labels: [true, true], audience: 1 }
  assert.deepEqual(await found(), before)
  await archive(id)
  const hidden = { usual: [], archived: [true], labels: [false, false], audience: 0 }
  assert.deepEqual(await found(), hidden)
  assert.notEqual((await client.call(`${base}/get`, { id })).project.archived_at, null)
  await catchUp()
  assert.deepEqual(await found(), hidden)
  await unarchive(id)
  assert.deepEqual(await found(), before)
  await catchUp()
  // An archiving that the figures do not know yet, such as one of the command line, is found.
  await sql`update project_figures set archived_at = now() where project_id = ${id}`
  await catchUp()
  assert.deepEqual(await found(), before)
})

test('200 coverage, progress and the overview count it neither as behind nor at all, and again when it is back', async () => {
  const master = await createMaster(service, { projects: 3, cards: 1 })
  const id = master.projects[0]?.id as number
  await master.sync()
  const read = async () => {
    await catchUp()
    // On a slow machine the overview of a minute ago is kept for readers.
    await keepOverviews(service.db, Number.POSITIVE_INFINITY)
    await assertCoverageTrue(service.db)
    const template = await master.whole()
    const { roll_up } = await client.call('/services/operations/v1/admin/roll-ups/get', {
      board_id: master.boardId,
    })
    const { overview } = await client.call('/services/operations/v1/admin/overview/get', {})
    return {
      coverage: coverageNames.map((name) => template[name]),
      open: roll_up.cards[0]?.counts.open,
      projects: overview.projects_count,
    }
  }
  const before = await read()
  assert.deepEqual([before.coverage, before.open], [[3, 3, 3, 0, 0, 0, 0], 3])
  await archive(id)
  assert.deepEqual(await read(), {
    ...{ coverage: [2, 2, 2, 0, 0, 0, 0], open: 2, projects: before.projects - 1 },
  })
  await unarchive(id)
  assert.deepEqual(await read(), before)
})

test('200 a rollout leaves it out, and the next one brings it what it has missed', async () => {
  const master = await createMaster(service, { projects: 2, cards: 1 })
  const [id, other] = master.projects.map((project) => project.id) as [number, number]
  const [cardId] = master.cardIds as [number]
  const { skipped_no_access: skipped } = await master.sync()
  await archive(id)
  await client.call('/services/operations/v1/admin/master-cards/update', { id: cardId, title: 'Second' })
  const titleIn = async (projectId: number) => {
    const [copy] = await sql<{ title: string }[]>`
      select title from cards where project_id = ${projectId} and master_card_id = ${cardId}`
    return copy?.title
  }
  const first = await titleIn(id)
  // As they are until the archiving was counted.
  await catchUp()
  await sql`update project_figures set archived_at = null where project_id = ${id}`
  await sql`update project_figures set labels = '{paused}' where project_id = ${id}`
  const { audience } = await client.call('/services/operations/v1/admin/audiences/create', {
    ...{ name: 'Paused', label: 'paused', platform_id: master.platformId },
  })
  for (const [field, whom] of [
    ['project_ids', [id]],
    ['audience_id', audience.id],
  ] as const) {
    const plan = { board_id: master.boardId, [field]: whom }
    const refused = await refusalOf('/services/operations/v1/admin/rollouts/plan', operator.token, plan)
    assert.deepEqual(refused, [422, field === 'audience_id' ? 'audience_id_empty' : 'project_ids_not_found'])
  }
  assert.equal((await master.sync()).skipped_no_access, skipped)
  assert.deepEqual([await titleIn(id), await titleIn(other)], [first, 'Second'])
  await assertCoverageTrue(service.db)
  await unarchive(id)
  await master.sync()
  assert.equal(await titleIn(id), 'Second')
  await assertCoverageTrue(service.db)
})

test('200 a product that it gains brings its templates with the next rollout once it is back', async () => {
  const templates = '/services/operations/v1/admin/master-boards'
  const { board } = await client.call(`${templates}/create`, {
    ...{ title: 'Website', tool_key: 'website', platform_id: await firstPlatform(service.db) },
  })
  await client.call(`${templates}/publish`, { id: board.id })
  const id = await service.addProject('Gaining')
  await archive(id)
  const there = service.client(operator.token, { 'x-project-id': String(id) })
  // As the command line gives it.
  await service.db.transaction((queries) => addTool(queries, id, 'website'))
  const boards = async () =>
    (await there.call(`${area}/boards/list`)).boards.map(({ master_board_id: masterId }) => masterId)
  assert.deepEqual(await boards(), [])
  await unarchive(id)
  await client.call(`${templates}/sync`, { board_id: board.id })
  assert.deepEqual(await boards(), [board.id])
  await assertCoverageTrue(service.db)
})

test('its owners are told by mail when it is archived and when it is back, each time once', async () => {
  const { projectId, members } = await createBoard(service)
  await sql`update projects set name = 'Garden' where id = ${projectId}`
  const told = () => sql<{ kind: string; to_address: string; content: object }[]>`
    select kind, to_address, content from mails where content ->> 'projectId' = ${String(projectId)} order by id`
  for (const call of [archive, archive, unarchive, unarchive]) await call(projectId)
  const content = { project: 'Garden', actor: 'Cardinal support', projectId }
  assert.deepEqual(
    [...(await told())],
    ['project_archived', 'project_unarchived'].map((kind) => ({
      ...{ kind, to_address: members.owner.email, content },
    })),
  )
})

test("200 the list of one's projects says that it is archived", async () => {
  const { projectId, members } = await createBoard(service)
  const owner = service.client(members.owner.token)
  const listed = async () =>
    (await owner.call('/services/identity/v1/projects/list')).projects.map(({ id, archived_at: at }) => [
      id,
      at !== null,
    ])
  assert.deepEqual(await listed(), [[projectId, false]])
  await archive(projectId)
  assert.deepEqual(await listed(), [[projectId, true]])
})

test('nobody is reminded or sent a digest of it, and its website is not looked at', async () => {
  const { projectId, member, members, cardIds } = await createBoard(service, { cards: 1 })
  const yesterday = new Date(Date.now() - 3_600_000).toISOString()
  await member.call(`${area}/cards/update`, {
    ...{ id: cardIds[0] as number, owner_id: members.member.id, due_date: yesterday },
  })
  await sql`update projects set website_url = 'http://127.0.0.1:9/' where id = ${projectId}`
  const run = async () => {
    await remind(service.db, { tell: () => {} })
    await checkWebsites(service.db, {
      ...{ log: pino({ level: 'silent' }), signal, allows: () => false },
    })
    await sql`update users set is_demo = true, digest_at = now() where id = ${members.member.id}`
    await sendDigests(service.db, { canMail: true, includesDemo: true })
    const [done] = await sql<{ items: number; is_looked_at: boolean; mails: number }[]>`
      select (select count(*) from inbox_items where project_id = ${projectId} and reason = 'overdue') as items,
        (select website_checked_at is not null from projects where id = ${projectId}) as is_looked_at,
        (select count(*) from mails where kind = 'digest' and to_address = ${members.member.email}) as mails`
    return done
  }
  await archive(projectId)
  assert.deepEqual(await run(), { items: 0, is_looked_at: false, mails: 0 })
  await unarchive(projectId)
  assert.deepEqual(await run(), { items: 1, is_looked_at: true, mails: 1 })
})

test('200 the results of its checks count no more, and again when it is back', async () => {
  const { receivers, counts } = await createChecks(service, [{ check: 'archived.check' }], { projects: 2 })
  const [first, second] = receivers as [(typeof receivers)[number], (typeof receivers)[number]]
  for (const { client: theirs } of [first, second])
    await theirs.call(`${area}/evaluations/report`, { check: 'archived.check', passed: true })
  await archive(first.id)
  await recountEvaluations(service.db, { signal })
  assert.deepEqual(await counts(), [[1, 0]])
  await unarchive(first.id)
  await recountEvaluations(service.db, { signal })
  assert.deepEqual(await counts(), [[2, 0]])
})
