import assert from 'node:assert/strict'
import test from 'node:test'
import { type StoredMail, writeMail } from '#mail/writing.ts'
import { startTestService } from '#tests/service.ts'
import { readDescription } from '#text/description.ts'
import { steps } from '../web/tour/steps.ts'
import { demoPassword } from './accounts.ts'
import { seedOutbox } from './outbox.ts'
import { seedDemo } from './seed.ts'

const service = await startTestService()

test('the demo has a running trial, an expired one and a paid subscription, all to the website', async () => {
  await seedDemo(service.db, { isSmall: true })
  const { token } = await service.addUser({ superadmin: true })
  const found = []
  for (const { id, name } of await service.db.sql<{ id: number; name: string }[]>`
    select id, name from projects where kind = 'customer' order by id`) {
    const client = service.client(token, { 'x-project-id': String(id) })
    const { subscriptions } = await client.call('/services/platforms/v1/subscriptions/list')
    for (const { product, status, plan } of subscriptions) found.push([name, product, status, plan])
  }
  assert.deepEqual(found, [
    ['Acme', 'website', 'trialing', null],
    ['Blue', 'website', 'expired', null],
    ['Blue', 'website', 'canceled', 'starter'],
    ['Cedar', 'website', 'active', 'pro'],
  ])
})

test('two projects of the demo have payments, one by invoice with references', async () => {
  const { token } = await service.addUser({ superadmin: true, superadminBilling: true })
  const found = []
  for (const { id, name } of await service.db.sql<{ id: number; name: string }[]>`
    select id, name from projects where name in ('Acme', 'Blue', 'Cedar') order by name`) {
    const client = service.client(token, { 'x-project-id': String(id) })
    const { payments } = await client.call('/services/platforms/v1/payments/list')
    found.push([name, payments.length, [...new Set(payments.map(({ paid_by }) => paid_by))].join()])
    for (const { paid_by, reference } of payments) assert.equal(reference !== null, paid_by === 'invoice')
    const { orders } = await client.call('/services/platforms/v1/orders/list')
    for (const { created_at, expires_at, url } of orders) {
      assert.ok(expires_at > created_at)
      assert.match(url, /^\/order\/./)
    }
  }
  assert.deepEqual(found, [
    ['Acme', 0, ''],
    ['Blue', 3, 'invoice'],
    ['Cedar', 1, 'card'],
  ])
})

test('the people who act in the demo have the permission to, and the history names them', async () => {
  const { sql } = service.db
  const strangers = await sql`
    select u.email from events e join users u on u.id = e.actor_id
    left join memberships m on m.project_id = e.project_id and m.user_id = u.id
    where e.kind in ('card.created', 'card.updated', 'comment.created') and (m.role is null or m.role = 'viewer')`
  assert.deepEqual([...strangers], [])
  const [comments] = await sql<{ all: number; own: number }[]>`
    select count(*) as all, count(*) filter (where e.actor_id = c.user_id) as own
    from comments c join events e on e.project_id = c.project_id and e.kind = 'comment.created'
      and (e.data ->> 'comment_id')::bigint = c.id`
  assert.ok(comments && comments.all > 0)
  assert.equal(comments.own, comments.all)
})

test('its descriptions are stored as the service would; there is a table, and plain text with a <', async () => {
  const rows = await service.db.sql<{ description: string }[]>`
    select description from boards union select description from groups union select description from cards
    union select description from master_boards union select description from master_groups
    union select description from master_cards`
  const texts = rows.map((row) => row.description).filter((description) => description !== null)
  const readings = texts.map((description) => readDescription(description))
  assert.deepEqual(
    readings.map((read) => 'text' in read && read.text),
    texts,
  )
  const hasSome = (format: string, part: string) =>
    readings.some((read) => 'text' in read && read.format === format && read.text.includes(part))
  assert.ok(hasSome('html', '<table>'))
  assert.ok(hasSome('text', 'cost < 500'))
})

test('its tour consists of steps that the web app knows', async () => {
  const keys = await service.db.sql<{ tour_key: string }[]>`
    select distinct tour_key from cards where tour_key is not null order by 1`
  assert.equal(keys.length, 4)
  for (const { tour_key: key } of keys) assert.ok(Object.hasOwn(steps, key), key)
})

test('each board of its own has groups, comments, tags, owners, overdue and snoozed cards', async () => {
  const boards = await service.db.sql<Record<string, number>[]>`
    select (select count(*) from groups g where g.board_id = b.id) > 2 as has_groups,
      (select count(*) from comments m join cards c on c.project_id = m.project_id and c.id = m.card_id
        where c.board_id = b.id) > 0 as has_comments,
      count(c.tag_id) > 0 as has_tags, count(c.owner_id) > 0 as has_owners,
      count(*) filter (where c.due_date < now() and c.status <> 'closed') > 0 as has_overdue,
      count(*) filter (where c.snoozed_until > now()) > 0 as has_snoozed
    from boards b join cards c on c.project_id = b.project_id and c.board_id = b.id
    where b.title = 'Daily operations' group by b.id`
  assert.equal(boards.length, 3)
  for (const board of boards) assert.ok(Object.values(board).every(Boolean), JSON.stringify(board))
})

test('checks of its websites have passed and failed, and one waits for a person', async () => {
  const rows = await service.db.sql`
    select p.name, c.evaluation_check, c.evaluation_passed, c.status from cards c join projects p on p.id = c.project_id
    where c.evaluation_check is not null order by 1, 2`
  assert.deepEqual(
    rows.map((row) => Object.values(row)),
    [
      ['Acme', 'website.has_domain', true, 'closed'],
      ['Acme', 'website.has_imprint', true, 'to_check'],
      ['Acme', 'website.has_site_map', false, 'open'],
      ['Blue', 'website.has_domain', true, 'closed'],
      ['Blue', 'website.has_imprint', false, 'open'],
      ['Blue', 'website.has_site_map', null, 'open'],
      ['Cedar', 'website.has_domain', null, 'open'],
      ['Cedar', 'website.has_imprint', null, 'open'],
      ['Cedar', 'website.has_site_map', null, 'open'],
    ],
  )
})

test('it has a second, small platform, whose superadmin sees only that', async () => {
  const seenBy = async (email: string) => {
    const { token } = await service.client().call('/v1/authenticate', { email, password: demoPassword })
    const client = service.client(token)
    const { projects } = await client.call('/services/identity/v1/projects/list')
    const { boards } = await client.call('/services/operations/v1/admin/master-boards/list')
    const { platforms } = await client.call('/services/identity/v1/platforms/list')
    return {
      platforms: platforms.map(({ name }) => name),
      projects: projects.map(({ name }) => name),
      templates: boards.map(({ title, covered_count: count }) => [title, count]),
    }
  }
  assert.deepEqual(await seenBy('superadmin@nordwind.test'), {
    platforms: ['Nordwind'],
    projects: ['Elm', 'Fir'],
    templates: [['Store opening', 2]],
  })
  const all = await seenBy('superadmin@cardinal.test')
  assert.deepEqual(all.platforms, ['Cardinal', 'Nordwind'])
  assert.deepEqual(all.projects, ['Acme', 'Blue', 'Cedar', 'Elm', 'Fir'])
  assert.ok(all.templates.length > 1)
})

test('its template cards say more than their short description, and a canceled rollout waits to be resumed', async () => {
  const [cards] = await service.db.sql<{ all: number; longer: number }[]>`
    select count(*) as all, count(*) filter (where length(c.description) > 2 * length(c.short_description)) as longer
    from master_cards c join master_boards b on b.id = c.board_id and b.tool_key is not null`
  assert.ok(cards && cards.all > 0)
  assert.equal(cards.longer, cards.all)
  const rollouts = await service.db.sql`select status from rollouts`
  assert.deepEqual([...rollouts], [{ status: 'canceled' }])
})

test('each project has the products that it pays for or tries', async () => {
  const without = await service.db.sql`
    select p.name from subscriptions s join projects p on p.id = s.project_id where not p.tool_keys ? s.product`
  assert.deepEqual([...without], [])
})

test('the inboxes of the demo have a mention and a reply that are unread', async () => {
  const items = await service.db.sql<{ email: string; reason: string }[]>`
    select u.email, i.reason from inbox_items i join users u on u.id = i.user_id
    where i.reason in ('mentioned', 'replied') and i.read_at is null order by u.email, i.reason`
  assert.deepEqual(
    items.map(({ email, reason }) => [email, reason]),
    [
      ['member@acme.test', 'mentioned'],
      ['owner@acme.test', 'mentioned'],
      ['owner@acme.test', 'replied'],
    ],
  )
})

test('the outbox of the demo has mails about the inboxes, which send nobody to a card that does not exist', async () => {
  await seedOutbox(service.db)
  const mails = await service.db.sql<StoredMail[]>`
    select id, key, kind, to_address, language, content from mails where kind in ('inbox_items', 'digest') order by id`
  assert.deepEqual([...new Set(mails.map(({ kind }) => kind))].sort(), ['digest', 'inbox_items'])
  assert.ok(mails.some(({ to_address }) => to_address === 'owner@acme.test'))
  for (const mail of mails) {
    const { text } = writeMail(mail, { baseUrl: 'http://127.0.0.1:3000', secret: '' })
    for (const [, id] of text.matchAll(/\/cards\/(\d+)$/gm))
      assert.equal((await service.db.sql`select from cards where id = ${id as string}`).length, 1)
  }
})
