// The fleet of the demo: more projects than anybody reads one by one, with owners, labels, subscriptions and half a year of work on their
// template cards. Everything follows from the number of the project, so that it is the same every time, and is written in a few statements.
import { recordEntry } from '#audit/record.ts'
import type { Database, Queries, Transaction } from '#database/connect.ts'
import { changesOfMany } from '#events/change.ts'
import { recordEvents } from '#events/record.ts'
import { firstPlatform } from '#projects/platform.ts'
import { countBoards } from '#quotas/room.ts'
import { apply, type Change } from '#rollouts/apply.ts'
import { summaryOf } from '#rollouts/summary.ts'
import { seedCampaign, seedCampaignCards, startedDaysAgo } from './campaign.ts'
import { chooser } from './choosing.ts'
import { dateCards, seedFinishedRollout } from './finished-rollout.ts'
import { companyOf } from './fleet-names.ts'
import { seedStagedRollout } from './staged-rollout.ts'

/** With Acme, Blue and Cedar there are 240. */
export const fleetSize = 237
/** The project that has no room for a template. */
const fullNumber = 204
/** A customer who has canceled and not come back; the rollout in stages has not reached it. */
const archivedDaysAgo = 3
/** How many days ago each version was published; a new project received the newest one of that time. */
const publishedDaysAgo: Readonly<Record<string, readonly number[]>> = {
  website: [200, 62, 12],
  shop: [200, 70],
}
/** The second version was rolled out to all projects of that time. */
const rolledOutDaysAgo = 60
/** The newest version of the other template goes out in stages since then; nothing else happened at that moment. */
const stagedDaysAgo = 4.7
const day = 86_400_000

type Status = 'trialing' | 'active' | 'past_due' | 'canceled' | 'expired'

interface Company {
  id: number
  number: number
  name: string
  person: string
  address: string
  labels: string[]
  toolKeys: string[]
  ageDays: number
  /** Which part of the template cards are done by now, from 0 to 1. */
  pace: number
  /** How long ago the last card was done. */
  quietDays: number
  status: Status
  plan: string | null
}

const regions = ['dach', 'nordics', 'iberia', 'benelux'] as const

function companyFor(id: number, number: number): Company {
  const choose = chooser(number + 1)
  const { name, trade, person, address } = companyOf(number)
  const ageDays = 4 + Math.floor((176 * number) / fleetSize)
  const status: Status =
    ageDays < 14
      ? 'trialing'
      : choose([
          'active',
          'active',
          'active',
          'active',
          'active',
          'expired',
          'past_due',
          'canceled',
          'trialing',
        ] as const)
  const isStuck = choose([false, false, false, false, true])
  return {
    ...{ id, number, name, person, address, ageDays, status },
    labels: [trade, choose(regions), ...choose([[], [], [], ['key account'], ['pilot']])],
    toolKeys: choose([['website'], ['website'], ['website', 'shop']]),
    pace: Math.min(1, (ageDays / 120) * choose([0.3, 0.6, 0.8, 1, 1, 1.3])),
    // A project is never quiet for longer than it exists.
    quietDays: Math.min(
      isStuck ? 15 + choose([0, 4, 11, 26]) : choose([0.1, 0.4, 1, 2, 3, 6, 9]),
      ageDays / 2,
    ),
    plan: ['active', 'past_due', 'canceled'].includes(status)
      ? choose(['starter', 'starter', 'pro', 'pro', 'business'])
      : null,
  }
}

/** Called last, so that everything before it keeps its ids. */
export async function seedFleet(
  db: Database,
  queries: Transaction,
  { passwordHash, actorId }: { passwordHash: string; actorId: number },
) {
  const ids = await addProjects(queries)
  const companies = ids.map(companyFor)
  await describe(queries, companies)
  await addOwners(queries, companies, passwordHash)
  await addLabels(queries, companies, actorId)
  await addSubscriptions(queries, companies)
  await chooseThemes(queries, companies)
  const campaigned = companies.filter(
    ({ number, ageDays }) => (number % 6 === 5 || number % 12 === 2) && ageDays > startedDaysAgo,
  )
  await seedCampaign(queries, {
    publisherId: ids[fleetSize - 7] as number,
    users: campaigned,
    actorId,
  })
  // Before the work is dated, so that what was done so many days ago comes after a rollout of that day.
  const [rolledOutAt, stagedAt] = [timeOf(rolledOutDaysAgo), timeOf(stagedDaysAgo)]
  const worked = await work(queries, companies)
  const told = await seedCampaignCards(
    queries,
    campaigned.map(({ id }) => id),
  )
  const events = [...worked, ...told].toSorted((a, b) => a.at.localeCompare(b.at))
  /** Those until then that are not recorded yet. */
  const record = async (isDue: (at: string) => boolean) => {
    const due = events.filter(({ at }) => isDue(at))
    await recordEvents(await changesOfMany(queries, ids), events.splice(0, due.length))
  }
  await record((at) => at < rolledOutAt)
  const rolloutId = await seedFinishedRollout(db, queries, {
    boardId: await templateFor(queries, 'website'),
    ...{ version: 2, daysAgo: rolledOutDaysAgo, actorId },
    reachedIds: companies
      .filter(({ number, ageDays }) => ageDays > rolledOutDaysAgo && number !== fullNumber)
      .map(({ id }) => id),
    fullId: companies[fullNumber]?.id as number,
  })
  await record((at) => at < stagedAt)
  const behind = companies.filter(
    ({ toolKeys, ageDays }) => toolKeys.includes('shop') && ageDays > (publishedDaysAgo['shop']?.at(-1) ?? 0),
  )
  const stagedId = await seedStagedRollout(db, queries, {
    boardId: await templateFor(queries, 'shop'),
    projectIds: behind.map(({ id }) => id),
    pilotIds: behind.filter(({ labels }) => labels.includes('pilot')).map(({ id }) => id),
    ...{ actorId, daysAgo: stagedDaysAgo },
  })
  await record(() => true)
  await archiveOne(queries, companies, actorId)
  await dateCards(queries, ids, rolloutId)
  await dateCards(queries, ids, stagedId)
  await dateTemplates(queries)
  await countBoards(queries, ids)
  // Nobody is told of what happened before the demo began.
  await queries.sql`
    insert into inbox_positions (project_id, version)
    select project_id, version from project_versions where project_id = any(${ids}::bigint[])
    on conflict (project_id) do nothing`
}

/** As an operator would. Nothing has happened there for longer. */
async function archiveOne(queries: Queries, companies: readonly Company[], actorId: number) {
  const { id, name } = companies.find(
    ({ number, status, toolKeys, quietDays }) =>
      number !== fullNumber &&
      status === 'canceled' &&
      !toolKeys.includes('shop') &&
      quietDays > archivedDaysAgo,
  ) as Company
  const at = timeOf(archivedDaysAgo)
  await queries.sql`update projects set archived_at = ${at}, archived_by = ${actorId} where id = ${id}`
  await recordEvents(await changesOfMany(queries, [id]), [
    { projectId: id, boardId: null, actorId, at, kind: 'project.archived', data: { name } },
  ])
  const origin = { source: 'api', actorId, address: null, requestId: null, log() {} } as const
  await recordEntry(queries, origin, { kind: 'project.archived', projectId: id, at, details: { name } })
}

async function addProjects(queries: Queries): Promise<number[]> {
  const platformId = await firstPlatform(queries)
  const rows = await queries.sql<{ id: number }[]>`
    insert into projects (platform_id, name) select ${platformId}, '' from generate_series(1, ${fleetSize}) returning id`
  return rows.map(({ id }) => id)
}

async function describe({ sql }: Queries, companies: readonly Company[]) {
  const rows = companies.map(({ id, name, toolKeys, ageDays }) => ({
    id,
    name,
    tool_keys: toolKeys,
    age: ageDays,
  }))
  await sql`
    update projects p set name = given.name, tool_keys = given.tool_keys, created_at = now() - given.age * interval '1 day'
    from jsonb_to_recordset(${sql.json(rows)}) as given (id bigint, name text, tool_keys jsonb, age float8)
    where p.id = given.id`
}

async function addOwners({ sql }: Queries, companies: readonly Company[], passwordHash: string) {
  const rows = companies.map(({ id, person, address }) => ({ project_id: id, name: person, email: address }))
  await sql`
    with given as (
      select * from jsonb_to_recordset(${sql.json(rows)}) as given (project_id bigint, name text, email text)
    ), added as (
      insert into users (email, name, password_hash, is_demo, default_project_id)
      select email, name, ${passwordHash}, true, project_id from given order by project_id returning id, default_project_id
    )
    insert into memberships (project_id, user_id, role, created_at)
    select p.id, added.id, 'owner', p.created_at from added join projects p on p.id = added.default_project_id`
  // Their daily mails would bury those of the people whom the demo is about.
  await sql`
    insert into notification_settings (user_id, reason, way)
    select id, 'digest', 'off' from users where email in (select jsonb_array_elements_text(${sql.json(rows.map(({ email }) => email))}))`
}

async function addLabels({ sql }: Queries, companies: readonly Company[], actorId: number) {
  const rows = companies.flatMap(({ id, labels }) => labels.map((label) => ({ project_id: id, label })))
  await sql`
    insert into project_labels (project_id, label, created_by)
    select project_id, label, ${actorId} from jsonb_to_recordset(${sql.json(rows)}) as given (project_id bigint, label text)`
}

/** What each plan costs in a month; a year costs ten of them. */
const prices: Readonly<Record<string, number>> = { starter: 1_900, pro: 4_900, business: 12_900 }

async function addSubscriptions({ sql }: Queries, companies: readonly Company[]) {
  const rows = companies.map(({ id, number, status, plan, ageDays }) => ({
    project_id: id,
    status,
    plan,
    period: plan === null ? null : number % 3 === 0 ? 'year' : 'month',
    amount: plan === null ? null : (prices[plan] as number) * (number % 3 === 0 ? 10 : 1),
    paid: ageDays - 14,
    // A trial of an old project has been extended.
    trial_ends: status === 'trialing' ? 1 + (number % 13) : 14 - ageDays,
    age: ageDays,
    period_ends:
      plan === null
        ? null
        : status === 'canceled'
          ? -Math.min((number % 40) + 1, ageDays / 4)
          : status === 'past_due'
            ? -3
            : 2 + (number % 27),
  }))
  await sql`
    with given as materialized (
      select * from jsonb_to_recordset(${sql.json(rows)}) as given (project_id bigint, status text, plan text, period text,
        amount integer, paid float8, trial_ends float8, age float8, period_ends float8)
    ), added as (
    insert into subscriptions (project_id, product, status, trial_ends_at, plan, period, current_period_ends_at, gateway,
      subscription_reference, created_at, updated_at)
    select project_id, 'website', status::subscription_status, date_trunc('hour', now()) + trial_ends * interval '1 day', plan,
      period::billing_period, date_trunc('hour', now()) + period_ends * interval '1 day',
      case when plan is not null then 'sandbox'::payment_gateway end, case when plan is not null then 'sandbox_demo' end,
      now() - age * interval '1 day', now() + case when status = 'canceled' then period_ends else -age / 2 end * interval '1 day'
    from given order by project_id
    returning project_id, id
    )
    insert into checkouts (project_id, subscription_id, gateway, plan, period, amount, currency, status, created_at, paid_at)
    select given.project_id, added.id, 'sandbox', given.plan, given.period::billing_period, given.amount, 'eur', 'paid',
      now() - given.paid * interval '1 day', now() - given.paid * interval '1 day'
    from given join added on added.project_id = given.project_id where given.plan is not null order by given.project_id`
}

/** Most use the older of the two themes that are published. */
async function chooseThemes({ sql }: Queries, companies: readonly Company[]) {
  const rows = companies.flatMap(({ id, number, ageDays }) =>
    number % 6 === 5 ? [] : [{ project_id: id, place: number % 4 === 0 ? 1 : 0, age: ageDays }],
  )
  await sql`
    insert into theme_choices (project_id, version_id, chosen_by, chosen_at)
    select given.project_id, v.id, m.user_id, now() - given.age / 2 * interval '1 day'
    from jsonb_to_recordset(${sql.json(rows)}) as given (project_id bigint, place integer, age float8)
    join memberships m on m.project_id = given.project_id and m.role = 'owner'
    join (
      select id, row_number() over (order by id) - 1 as place from theme_versions where theme_status = 'published'
    ) v on v.place = given.place`
}

const timeOf = (daysAgo: number) => new Date(Date.now() - daysAgo * day).toISOString()

/** Gives the projects their templates, lets their owners work on them since, and returns what happened. */
async function work(queries: Queries, companies: readonly Company[]) {
  const { sql } = queries
  const ids = companies.map(({ id }) => id)
  const versions = await sql<{ id: number; tool_key: string; revision: number; number: number }[]>`
    select m.id, m.tool_key, v.revision, v.number from master_boards m join template_versions v on v.board_id = m.id
    where m.platform_id = ${await firstPlatform(queries)} and m.tool_key is not null and m.deleted_at is null order by m.rank, v.number`
  /** By board: the version that the project has received. */
  const received = new Map<number, { version: number; change: Change }>()
  for (const { id, tool_key: toolKey, revision, number } of versions) {
    const newestFor = ({ ageDays }: Company) =>
      publishedDaysAgo[toolKey]?.findLastIndex((daysAgo) => daysAgo >= ageDays) ?? -1
    const wants = (company: Company) =>
      company.toolKeys.includes(toolKey) &&
      !(company.number === fullNumber && toolKey === 'website') &&
      newestFor(company) === number - 1
    const reached = companies.filter(wants).map((one) => one.id)
    const applied = await apply(queries, { boardId: id, cardId: null, revision, rolloutId: null }, reached)
    for (const change of applied.changes) received.set(change.board_id, { version: number, change })
  }
  const owners = await sql<{ project_id: number; user_id: number }[]>`
    select project_id, user_id from memberships where project_id = any(${ids}::bigint[])`
  const ownerOf = new Map(owners.map(({ project_id, user_id }) => [project_id, user_id]))
  const copies = await sql<{ project_id: number; id: number; board_id: number; title: string }[]>`
    select project_id, id, board_id, title from cards where project_id = any(${ids}::bigint[]) order by project_id, id`
  const byProject = Map.groupBy(copies, ({ project_id }) => project_id)
  const steps = companies.flatMap((company) => stepsOf(company, byProject.get(company.id) ?? []))
  await sql`
    update cards c set status = step.status, title = coalesce(step.title, c.title), description = coalesce(step.description, c.description),
      priority = coalesce(step.priority::card_priority, c.priority), owner_id = step.owner_id,
      due_date = now() + step.due * interval '1 day', created_at = now() - step.age * interval '1 day',
      updated_at = now() - step.ago * interval '1 day'
    from jsonb_to_recordset(${sql.json(steps.map((step) => ({ ...step, owner_id: ownerOf.get(step.project_id) })))}) as step (
      project_id bigint, id bigint, status text, title text, description text, priority text, owner_id bigint, due float8, age float8, ago float8)
    where c.project_id = any(${ids}::bigint[]) and c.project_id = step.project_id and c.id = step.id`
  const ageOf = new Map(companies.map(({ id, ageDays }) => [id, ageDays]))
  const events = [
    ...[...received].map(([boardId, { version, change }]) => ({
      ...{ projectId: change.project_id, boardId, actorId: null },
      at: timeOf(ageOf.get(change.project_id) as number),
      kind: 'template.rolled_out' as const,
      data: { rollout_kind: 'board' as const, version, ...summaryOf(change) },
    })),
    ...steps
      .filter(({ status }) => status !== 'open')
      .map(({ project_id: projectId, board_id: boardId, id: cardId, status, ago }) => ({
        ...{ projectId, boardId, cardId, actorId: ownerOf.get(projectId) as number, at: timeOf(ago) },
        ...({ kind: 'card.updated', data: { changes: { status: { from: 'open', to: status } } } } as const),
      })),
  ]
  return events
}

/** Dates the versions of templates before the projects of the fleet, and the canceled rollout when its version was published. */
async function dateTemplates(queries: Queries) {
  const { sql } = queries
  const platformId = await firstPlatform(queries)
  await sql`
    update template_versions v set created_at = now() - (${sql.json(publishedDaysAgo)}::jsonb -> m.tool_key ->> (v.number - 1))::integer * interval '1 day'
    from master_boards m where m.id = v.board_id and m.platform_id = ${platformId}`
  for (const table of ['master_board_revisions', 'master_group_revisions', 'master_card_revisions'])
    await sql`
      update ${sql(table)} r set created_at = v.created_at from template_versions v, master_boards m
      where m.id = r.board_id and m.platform_id = ${platformId} and v.board_id = r.board_id
        and v.revision = (select min(revision) from template_versions where board_id = r.board_id and revision >= r.revision)`
  await sql`
    update rollouts p set created_at = v.created_at, started_at = v.created_at, worked_at = v.created_at,
      finished_at = v.created_at + interval '2 minutes'
    from template_versions v where v.board_id = p.board_id and v.revision = p.revision and p.status = 'canceled' and p.platform_id = ${platformId}`
}

async function templateFor(queries: Queries, toolKey: string): Promise<number> {
  const [template] = await queries.sql<{ id: number }[]>`
    select id from master_boards where tool_key = ${toolKey} and platform_id = ${await firstPlatform(queries)} and deleted_at is null`
  return template?.id as number
}

type OwnFields = { title?: string; description?: string; priority?: 'low' | 'high' | 'urgent' }

const asReceived = (): OwnFields => ({})
/** What projects made of a card: most leave it as it is, others have their own words for it, or find it more urgent. */
const ownFields: readonly ((title: string, company: Company) => OwnFields)[] = [
  ...[
    asReceived,
    asReceived,
    asReceived,
    asReceived,
    asReceived,
    asReceived,
    asReceived,
    asReceived,
    asReceived,
  ],
  (title) => ({ title: `${title} (our way)` }),
  (_title, { person }) => ({
    description: `<p>${person} does this together with our agency. The login is in the shared folder.</p>`,
  }),
  () => ({ priority: 'urgent' }),
  (title) => ({ title: `${title}, with the whole team`, priority: 'high' }),
]

/** What became of each template card of a project: the first ones are done, one after the other, and the next one is worked on. */
function stepsOf(
  company: Company,
  cards: readonly { project_id: number; id: number; board_id: number; title: string }[],
) {
  const { number, pace, ageDays, quietDays } = company
  const choose = chooser(number * 31 + 7)
  const done = Math.floor(pace * cards.length)
  const worked = Math.max(ageDays - quietDays, 0.2)
  return cards.map(({ project_id, id, board_id, title }, index) => {
    const status =
      index < done
        ? 'closed'
        : index === done
          ? choose(['in_progress', 'in_progress', 'blocked', 'to_check'])
          : 'open'
    // The last step that was taken is as long ago as the project has been quiet.
    const part = (index + 1) / (done + 1)
    return {
      ...{ project_id, id, board_id, status, age: ageDays },
      ...choose(ownFields)(title, company),
      due: status === 'closed' ? null : choose([null, null, null, -12, -3, 5, 20]),
      ago: index > done ? ageDays : Math.max(ageDays - worked * part, quietDays),
    }
  })
}
