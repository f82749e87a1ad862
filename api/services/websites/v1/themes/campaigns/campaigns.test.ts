// Campaigns: cards that close themselves, reminders, what the operator sees, and moving projects.
import assert from 'node:assert/strict'
import test from 'node:test'
import { remind } from '#inbox/reminding.ts'
import { addPlatform } from '#projects/platform.ts'
import { usualQuotas } from '#quotas/quotas.ts'
import { waitingForLocks } from '#tests/lock-waits.ts'
import { post } from '#tests/post.ts'
import { eventually } from '#tests/process.ts'
import { startTestService } from '#tests/service.ts'
import { createTheme } from '#tests/themes.ts'
import { followCampaigns } from '#themes/campaign/following.ts'

const themes = '/services/websites/v1/themes'
const campaigns = `${themes}/campaigns` as const
const area = '/services/operations/v1/operations'
const service = await startTestService()
const { sql } = service.db
const { signal } = new AbortController()
const day = 86_400_000

const follow = (quotas = usualQuotas) => followCampaigns(service.db, { quotas, signal })
// Only the tests do this work: the service does it every few seconds, and on a busy machine that is in the middle of a test.
await eventually(async () => {
  const held = await sql`
    update jobs set run_at = 'infinity' where kind in ('followThemeCampaigns', 'remind') and holder is null returning kind`
  assert.equal(held.length, 2)
})
const inDays = (days: number) => new Date(Date.now() + days * day).toISOString()

/** A customer's project with a board, an owner and the version in use. */
async function addUserOf(versionId: number, { language = 'en', hasBoard = true } = {}) {
  const projectId = await service.addProject('Secret customer')
  await sql`update projects set language = ${language} where id = ${projectId}`
  const owner = await service.addUser({ roles: { [projectId]: 'owner' } })
  const client = service.client(owner.token)
  if (hasBoard) {
    const { board } = await client.call(`${area}/boards/create`, { title: 'Work' })
    await client.call(`${area}/groups/create`, { board_id: board.id, title: 'To do' })
  }
  await client.call(`${themes}/versions/choose`, { version_id: versionId })
  const card = async () => {
    const [found] = await sql<
      {
        id: number
        title: string
        description: string
        status: string
        due: string
        due_at: string
        created_by: number | null
      }[]
    >`
      select id, title, description, status, to_char(due_date at time zone 'UTC', 'YYYY-MM-DD') as due, wire_time(due_date) as due_at, created_by from cards
      where project_id = ${projectId} and evaluation_check like 'theme:%'`
    return found
  }
  return { projectId, owner, client, card }
}

async function createScene({ days = 20 } = {}) {
  const theme = await createTheme(service)
  const [old, next] = [await theme.addVersion('published'), await theme.addVersion('published')]
  const [first, second] = [await addUserOf(old), await addUserOf(old)]
  const start = () =>
    theme.superadmin.call(`${campaigns}/create`, {
      version_id: old,
      reason: 'It is <b>slow</b> on phones.',
      replacement_id: next,
      deadline: inDays(days).slice(0, 10),
    })
  const read = async () => {
    const found = await theme.superadmin.call(`${campaigns}/list`)
    return found.campaigns.find(({ version_id: id }) => id === old)
  }
  return { ...theme, old, next, first, second, start, read }
}

test('201 create deprecates the version; each project gets one card, in its language, which closes when it changes', async () => {
  const { old, next, first, second, start, read } = await createScene()
  const german = await addUserOf(old, { language: 'de' })
  const { campaign } = await start()
  assert.deepEqual([campaign.projects_count, campaign.using_count, campaign.moving_since], [3, 3, null])
  assert.deepEqual(campaign.replacement, { version_id: next, theme_name: 'Aurora', version: '2.0' })
  const { version } = await first.client.call(`${themes}/versions/chosen`)
  assert.equal(version?.theme_status, 'deprecated')
  await follow()
  await follow()
  const card = await first.card()
  assert.deepEqual(
    [card?.title, card?.status, card?.due, card?.created_by],
    ['Switch the theme from Aurora 1.0 to Aurora 2.0', 'open', inDays(20).slice(0, 10), null],
  )
  assert.equal(card?.due_at, `${inDays(20).slice(0, 10)}T23:59:59.999Z`)
  assert.match(
    card?.description as string,
    /&lt;b&gt;slow&lt;\/b&gt; on phones\.<br \/><br \/>The card closes by itself/,
  )
  assert.equal((await german.card())?.title, 'Das Theme von Aurora 1.0 auf Aurora 2.0 umstellen')
  const cards = await sql`select from cards where evaluation_check = ${`theme:left:${old}`}`
  assert.equal(cards.length, 3)

  await first.client.call(`${themes}/versions/choose`, { version_id: next })
  assert.equal((await first.card())?.status, 'closed')
  assert.equal((await second.card())?.status, 'open')
  const now = await read()
  assert.equal(now?.using_count, 2)
  assert.deepEqual(
    now?.days.map(({ using_count: count }) => count),
    [2],
  )
})

test('a project that changed before its card was added gets none; one without a group, or without room, is counted all the same', async () => {
  const { old, next, first, second, start, read } = await createScene()
  const bare = await addUserOf(old, { hasBoard: false })
  await start()
  await first.client.call(`${themes}/versions/choose`, { version_id: next })
  await follow({ ...usualQuotas, cardsPerGroup: 0 })
  for (const one of [first, second, bare]) assert.equal(await one.card(), undefined)
  assert.equal((await read())?.using_count, 2)
})

test('400 of two campaigns for a version that are started at the same moment, the second leaves the first as it is', async () => {
  const { superadmin, old, read } = await createScene()
  const start = (reason: string) =>
    superadmin.attempt(`${campaigns}/create`, { version_id: old, reason, deadline: inDays(10) })
  const answers = await service.db.transaction(async (holding) => {
    await holding.sql`select from theme_versions where id = ${old} for update`
    const both = Promise.all([start('First'), start('Second')])
    await waitingForLocks(service.db, 2)
    return { both }
  })
  const statuses = (await answers.both).map(({ status }) => status)
  assert.deepEqual(statuses.toSorted(), [201, 400])
  assert.equal((await read())?.reason, statuses[0] === 201 ? 'First' : 'Second')
})

test('a replacement that is deprecated too is not offered any more: by the campaign, the notice and new cards', async () => {
  const { superadmin, next, first, start, read } = await createScene()
  await start()
  await superadmin.call(`${campaigns}/create`, {
    ...{ version_id: next, reason: 'It is slow as well.', deadline: inDays(10) },
  })
  await follow()
  assert.equal((await first.card())?.title, 'Choose another theme than Aurora 1.0')
  assert.equal((await read())?.replacement, null)
  const { deprecation } = await first.client.call(`${themes}/versions/chosen`)
  assert.equal(deprecation?.replacement, null)
})

test('owners and admins are reminded once a week and once a day before the deadline, in the inbox and by mail', async () => {
  const { first, start } = await createScene({ days: 20 })
  const { campaign } = await start()
  await follow()
  const told: number[] = []
  const items = async () => {
    await remind(service.db, { tell: (projectId) => void told.push(projectId) })
    const { items: found } = await first.client.call(`${area}/inbox/list`)
    return found.filter(({ reason }) => reason === 'theme_deadline')
  }
  const moveDeadline = (days: number) =>
    sql`update theme_campaigns set deadline = ${inDays(days)} where version_id = ${campaign.version_id}`
  assert.equal((await items()).length, 0)
  await moveDeadline(6)
  const [week] = await items()
  assert.equal(week?.card_id, (await first.card())?.id)
  assert.deepEqual(
    (await items()).map(({ id }) => id),
    [week?.id],
  )
  await moveDeadline(0.5)
  const [last] = await items()
  assert.notEqual(last?.id, week?.id)
  assert.deepEqual(
    (await items()).map(({ id }) => id),
    [last?.id],
  )
  assert.equal(told.filter((id) => id === first.projectId).length, 2)
  const mails = await sql`select from inbox_mails where user_id = ${first.owner.id}`
  assert.equal(mails.length, 1)
  await first.client.call(`${area}/cards/update`, {
    id: (await first.card())?.id as number,
    status: 'closed',
  })
  assert.equal((await items()).length, 0)
})

test('200 update moves the deadline: of cards that have the old one, with an event, and with reminders before the new one', async () => {
  const { superadmin, old, first, second, start, read } = await createScene({ days: 6 })
  await start()
  await follow()
  const reminders = async () => {
    await remind(service.db, { tell: () => undefined })
    const { items } = await first.client.call(`${area}/inbox/list`)
    return items.filter(({ reason }) => reason === 'theme_deadline').map(({ id }) => id)
  }
  const before = await reminders()
  assert.equal(before.length, 1)
  const own = inDays(2).slice(0, 10)
  const cardId = (await second.card())?.id as number
  await second.client.call(`${area}/cards/update`, { id: cardId, due_date: own, due_is_date: true })
  const deadline = inDays(40).slice(0, 10)
  const { campaign } = await superadmin.call(`${campaigns}/update`, { version_id: old, deadline })
  assert.deepEqual(
    [campaign.deadline, (await read())?.deadline],
    [`${deadline}T23:59:59.999Z`, campaign.deadline],
  )
  await follow()
  await follow()
  assert.deepEqual([(await first.card())?.due, (await second.card())?.due], [deadline, own])
  const events = await sql<{ data: object; actor_id: number | null }[]>`
    select data, actor_id from events where project_id = ${first.projectId} and kind = 'card.updated'`
  assert.deepEqual(
    events.map(({ data, actor_id }) => [data, actor_id]),
    [
      [
        {
          changes: {
            due_date: { from: `${inDays(6).slice(0, 10)}T23:59:59.999Z`, to: `${deadline}T23:59:59.999Z` },
            due_is_date: { from: true, to: true },
          },
        },
        null,
      ],
    ],
  )
  const { deprecation } = await first.client.call(`${themes}/versions/chosen`)
  assert.equal(deprecation?.deadline, `${deadline}T23:59:59.999Z`)
  assert.deepEqual(await reminders(), before)
  await superadmin.call(`${campaigns}/update`, { version_id: old, deadline: inDays(5) })
  await follow()
  assert.notDeepEqual(await reminders(), before)
})

test('200 update changes reason and replacement: in cards, except where a project has changed them, and for a move under way', async () => {
  const { superadmin, old, first, second, start, read, addVersion } = await createScene()
  await start()
  await follow()
  const other = await addVersion('published')
  const ownId = (await second.card())?.id as number
  await second.client.call(`${area}/cards/update`, { id: ownId, title: 'Our own title' })
  const { campaign } = await superadmin.call(`${campaigns}/update`, {
    ...{ version_id: old, reason: 'It is slow, and its menu is hard to use.', replacement_id: other },
  })
  assert.deepEqual([campaign.reason, campaign.replacement?.version], [(await read())?.reason, '3.0'])
  await follow()
  const [told, own] = [await first.card(), await second.card()]
  assert.equal(told?.title, 'Switch the theme from Aurora 1.0 to Aurora 3.0')
  assert.equal(own?.title, 'Our own title')
  for (const card of [told, own])
    assert.match(card?.description as string, /^It is slow, and its menu is hard/)
  assert.equal(told?.due, inDays(20).slice(0, 10))
  const [events] = await sql<{ count: number }[]>`
    select count(*) from events where project_id = ${first.projectId} and kind = 'card.updated'`
  await follow()
  assert.equal(events?.count, 1)
  const { deprecation } = await first.client.call(`${themes}/versions/chosen`)
  assert.equal(deprecation?.reason, 'It is slow, and its menu is hard to use.')

  await superadmin.call(`${campaigns}/update`, { version_id: old, replacement_id: null })
  await follow({ ...usualQuotas, bytesPerProject: 0 })
  assert.equal((await read())?.replacement, null)
  assert.equal((await first.card())?.title, 'Choose another theme than Aurora 1.0')
  await superadmin.call(`${campaigns}/update`, { version_id: old, replacement_id: other })
  await superadmin.call(`${campaigns}/start-moving`, { version_id: old })
  await follow()
  assert.equal((await first.client.call(`${themes}/versions/chosen`)).version?.version_id, other)
})

test('201 the project that owns the theme starts a campaign and ends it by restoring the version; the next one has to wait an hour', async () => {
  const { admin, superadmin, old, next, first, read } = await createScene()
  const wanted = {
    ...{ version_id: old, reason: 'A better one is there.', replacement_id: next, deadline: inDays(30) },
  }
  const member = await first.client.attempt(`${campaigns}/create`, wanted)
  assert.equal(member.status, 403)
  const { campaign } = await admin.call(`${campaigns}/create`, wanted)
  assert.equal(campaign.using_count, 2)
  const { version } = await admin.call(`${themes}/versions/get`, { version_id: old })
  assert.deepEqual(
    [version.theme_status, version.deprecation?.reason, version.deprecation?.replacement?.version_id],
    ['deprecated', 'A better one is there.', next],
  )
  await follow()
  assert.equal((await first.card())?.status, 'open')
  const update = await admin.attempt(`${campaigns}/update`, { version_id: old, reason: 'Another one.' })
  assert.equal(update.status, 403)
  await admin.call(`${themes}/versions/restore`, { version_id: old })
  await follow()
  assert.deepEqual([await read(), (await first.card())?.status], [undefined, 'closed'])
  const again = await admin.attempt(`${campaigns}/create`, wanted)
  assert.deepEqual([again.status, !again.ok && again.code], [400, 'campaign_just_started'])
  await sql`update theme_campaigns set started_at = now() - interval '61 minutes' where version_id = ${old}`
  await admin.call(`${campaigns}/create`, wanted)
  await superadmin.call(`${campaigns}/end`, { version_id: old })
  await superadmin.call(`${campaigns}/create`, wanted)
  const refused = await admin.attempt(`${themes}/versions/restore`, { version_id: old })
  assert.deepEqual([refused.status, !refused.ok && refused.code], [400, 'campaign_running'])
})

test('moving brings everybody else to the replacement, closes their cards and ends by itself; stopping holds it', async () => {
  const { superadmin, reviewer, old, next, first, second, start, read } = await createScene()
  await start()
  await follow()
  await first.client.call(`${themes}/versions/choose`, { version_id: next })
  const moving = await superadmin.call(`${campaigns}/start-moving`, { version_id: old })
  assert.notEqual(moving.campaign.moving_since, null)
  const stopped = await superadmin.call(`${campaigns}/stop-moving`, { version_id: old })
  assert.equal(stopped.campaign.moving_since, null)
  await follow()
  assert.equal((await read())?.using_count, 1)

  await superadmin.call(`${campaigns}/start-moving`, { version_id: old })
  await follow()
  const done = await read()
  assert.deepEqual([done?.using_count, done?.moved_count, done?.moving_since], [0, 1, null])
  assert.equal((await second.client.call(`${themes}/versions/chosen`)).version?.version_id, next)
  assert.equal((await second.card())?.status, 'closed')
  const [event] = await sql<{ actor_id: number }[]>`
    select actor_id from events where project_id = ${second.projectId} and kind = 'theme_version.chosen' order by id desc limit 1`
  assert.equal(event?.actor_id, reviewer.id)
})

test('an archived project is told nothing, counted nowhere and not moved, and gets its card once it is back', async () => {
  const { superadmin, old, next, first, second, start, read } = await createScene({ days: 5 })
  const admin = '/services/operations/v1/admin/projects'
  await superadmin.call(`${admin}/archive`, { id: first.projectId })
  await start()
  await follow()
  assert.deepEqual([await first.card(), (await second.card())?.status], [undefined, 'open'])
  assert.deepEqual([(await read())?.projects_count, (await read())?.using_count], [1, 1])
  const usage = await superadmin.call(`${themes}/versions/usage`, { version_id: old })
  assert.equal(usage.projects_count, 1)
  await superadmin.call(`${campaigns}/start-moving`, { version_id: old })
  await follow()
  const chosen = async () => (await first.client.call(`${themes}/versions/chosen`)).version?.version_id
  assert.deepEqual([await chosen(), (await read())?.moving_since], [old, null])
  await superadmin.call(`${admin}/unarchive`, { id: first.projectId })
  await follow()
  assert.equal((await first.card())?.status, 'open')
  assert.equal((await read())?.using_count, 1)
  await first.client.call(`${themes}/versions/choose`, { version_id: next })
  assert.equal((await first.card())?.status, 'closed')
})

test('a campaign ends without restoring the version: its cards are closed, nobody is moved, and it can be started again', async () => {
  const { superadmin, reviewer, old, first, start, read } = await createScene()
  await start()
  await follow()
  await superadmin.call(`${campaigns}/start-moving`, { version_id: old })
  const { campaign } = await superadmin.call(`${campaigns}/end`, { version_id: old })
  assert.deepEqual([campaign.version_id, campaign.using_count], [old, 2])
  assert.equal(await read(), undefined)
  await follow()
  assert.equal((await first.card())?.status, 'closed')
  const chosen = await first.client.call(`${themes}/versions/chosen`)
  assert.equal(chosen.version?.version_id, old)
  const { version } = await superadmin.call(`${themes}/versions/get`, { version_id: old })
  assert.equal(version.theme_status, 'deprecated')
  const again = await start()
  assert.deepEqual([again.campaign.using_count, again.campaign.moving_since], [2, null])
  const ended = await post(service, `${campaigns}/end`, reviewer.token, { version_id: old })
  assert.deepEqual([ended.status, await read()], [200, undefined])
})

test('a campaign ends while a project is archived: its card is closed once the project is back', async () => {
  const { superadmin, old, first, second, start } = await createScene()
  const admin = '/services/operations/v1/admin/projects'
  const statuses = async () => [(await first.card())?.status, (await second.card())?.status]
  await start()
  await follow()
  await superadmin.call(`${admin}/archive`, { id: first.projectId })
  await superadmin.call(`${campaigns}/end`, { version_id: old })
  await follow()
  assert.deepEqual(await statuses(), ['open', 'closed'])
  await superadmin.call(`${admin}/unarchive`, { id: first.projectId })
  await follow()
  assert.deepEqual(await statuses(), ['closed', 'closed'])
})

test('restoring the version ends the campaign and closes its cards; it can be started again; 400 for the customer who owns the theme', async () => {
  const { superadmin, admin, old, first, start, read } = await createScene()
  await start()
  await follow()
  const refused = await admin.attempt(`${themes}/versions/restore`, { version_id: old })
  assert.deepEqual([refused.status, !refused.ok && refused.code], [400, 'campaign_running'])
  await follow()
  assert.deepEqual([(await read())?.using_count, (await first.card())?.status], [2, 'open'])
  await superadmin.call(`${themes}/versions/restore`, { version_id: old })
  assert.equal(await read(), undefined)
  await follow()
  assert.equal((await first.card())?.status, 'closed')
  const { campaign } = await start()
  assert.equal(campaign.using_count, 2)
})

test('projects learn why, until when and what instead; nobody learns the names of other customers', async () => {
  const { admin, superadmin, old, next, first, start } = await createScene()
  assert.equal((await first.client.call(`${themes}/versions/chosen`)).deprecation, null)
  await start()
  const { deprecation } = await first.client.call(`${themes}/versions/chosen`)
  assert.deepEqual(deprecation, {
    reason: 'It is <b>slow</b> on phones.',
    deadline: deprecation?.deadline,
    replacement: { version_id: next, theme_name: 'Aurora', version: '2.0' },
  })
  const own = await admin.call(`${themes}/versions/usage`, { version_id: old })
  assert.deepEqual([own.projects_count, own.projects], [2, []])
  const all = await superadmin.call(`${themes}/versions/usage`, { version_id: old })
  assert.equal(all.projects.length, 2)
})

test('400, 404 and 422: a second campaign, none to move, no replacement, a version that is no replacement, a deadline that has passed', async () => {
  const { superadmin, addVersion, admin, old, start } = await createScene()
  const [draft, other] = [await addVersion('draft'), await addVersion('published')]
  const wanted = { version_id: old, reason: 'Old.', deadline: inDays(3) }
  const codeOf = async (
    path: `${typeof campaigns}/create`,
    input: typeof wanted & { replacement_id?: number },
  ) => {
    const answer = await superadmin.attempt(path, input)
    return [answer.status, answer.ok ? undefined : answer.code]
  }
  assert.deepEqual(await codeOf(`${campaigns}/create`, { ...wanted, deadline: inDays(-1) }), [
    422,
    'deadline_past',
  ])
  for (const id of [old, draft, 999_999])
    assert.deepEqual(await codeOf(`${campaigns}/create`, { ...wanted, replacement_id: id }), [
      422,
      'replacement_id_not_found',
    ])
  assert.deepEqual(await codeOf(`${campaigns}/create`, { ...wanted, version_id: draft }), [
    400,
    'version_not_approved',
  ])
  assert.deepEqual(await codeOf(`${campaigns}/create`, { ...wanted, version_id: 999_999 }), [
    404,
    'theme_version_not_found',
  ])
  const { version } = await superadmin.call(`${themes}/versions/get`, { version_id: old })
  assert.equal(version.theme_status, 'published')
  for (const step of ['start-moving', 'stop-moving', 'end'] as const)
    for (const version_id of [old, 999_999])
      assert.equal((await superadmin.attempt(`${campaigns}/${step}`, { version_id })).status, 404)
  const moved = (version_id: number, days: number) =>
    superadmin.attempt(`${campaigns}/update`, { version_id, deadline: inDays(days) })
  assert.deepEqual([(await moved(old, 3)).status, (await moved(old, -1)).status], [404, 422])
  const replaced = (id: number) =>
    superadmin.attempt(`${campaigns}/update`, { version_id: old, replacement_id: id })
  assert.deepEqual([(await replaced(other)).status, (await replaced(old)).status], [404, 422])
  const unknown = await moved(999_999, 3)
  assert.deepEqual([unknown.status, !unknown.ok && unknown.code], [404, 'theme_version_not_found'])
  await start()
  assert.deepEqual(await codeOf(`${campaigns}/create`, wanted), [400, 'campaign_running'])
  await superadmin.call(`${campaigns}/create`, { ...wanted, version_id: other })
  assert.equal((await superadmin.attempt(`${campaigns}/start-moving`, { version_id: other })).status, 400)
  assert.equal((await admin.attempt(`${campaigns}/list`, {})).status, 403)
  assert.equal((await superadmin.attempt(`${campaigns}/list`, { cursor: 'x' })).status, 422)
})

test('403 for superadmins of another platform, also without the header of a project', async () => {
  const { old, start, read } = await createScene()
  const { campaign } = await start()
  const platformId = (await addPlatform(service.db, 'Elsewhere')) as number
  const projectId = await service.addProject('Theirs', [], platformId)
  const stranger = await service.addUser({ superadmin: true, platformId, roles: { [projectId]: 'owner' } })
  const calls: [string, object][] = [
    ['update', { version_id: old, deadline: inDays(300) }],
    ['start-moving', { version_id: old }],
    ['stop-moving', { version_id: old }],
    ['end', { version_id: old }],
  ]
  for (const [name, input] of calls)
    assert.equal((await post(service, `${campaigns}/${name}`, stranger.token, input)).status, 403, name)
  assert.deepEqual(await read(), campaign)
})
