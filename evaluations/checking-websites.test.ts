import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import test, { after } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { pino } from 'pino'
import { english, say } from '#contract/speech.ts'
import { migrate } from '#database/migrate.ts'
import { findings } from '#events/finding.ts'
import { createChecks } from '#tests/checks.ts'
import { startTestService } from '#tests/service.ts'
import { checkWebsites } from './checking-websites.ts'
import { allowedAddresses } from './look.ts'
import { checkedAddress, readWebsiteUrl } from './website-address.ts'

const service = await startTestService({ checksPrivateAddresses: true })
const operations = '/services/operations/v1/operations'
const log = pino({ level: 'silent' })
const { signal } = new AbortController()
const allows = allowedAddresses({ allowsPrivate: true })
const round = () => checkWebsites(service.db, { log, signal, allows })

/** Sets when the service's own job runs next; `infinity` keeps it out of the rounds that tests start. */
async function scheduleOwnRound(at: 'now' | 'infinity') {
  for (;;) {
    const changed = await service.db.sql`
      update jobs set run_at = ${at}::timestamptz where kind = 'checkWebsites' and holder is null returning id`
    if (changed.length > 0) return
    await delay(50)
  }
}
await scheduleOwnRound('infinity')

/** A website with the given pages, and what was asked of it. */
async function serve(pages: Set<string>) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url as string)
    response.writeHead(pages.has(request.url as string) ? 200 : 404).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => server.close())
  return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` }
}

const setWebsite = (projectId: number, url: string) => service.db.sql`
  update projects set website_url = ${url}, website_checked_at = null where id = ${projectId}`
const makeDue = (projectId: number) => service.db.sql`
  update projects set website_checked_at = now() - interval '61 minutes' where id = ${projectId}`

async function scene(checks: string[]) {
  const made = await createChecks(
    service,
    checks.map((check) => ({ check })),
  )
  const [project] = made.receivers as [(typeof made.receivers)[number]]
  return { ...made, project, read: (number = 0) => made.copy(project.id, number) }
}

test('a page that answers closes its card, one that does not leaves it open, and other checks are not looked at', async () => {
  const { project, read } = await scene(['http:/imprint', 'http:/shop', 'website.has_imprint'])
  const site = await serve(new Set(['/imprint']))
  await setWebsite(project.id, site.url)
  await round()
  assert.deepEqual(site.asked.sort(), ['/imprint', '/shop'])
  const [imprint, shop, other] = [await read(0), await read(1), await read(2)]
  assert.deepEqual(
    [imprint, shop, other].map(({ status, evaluation_passed, evaluation_detail, evaluated_by }) => [
      status,
      evaluation_passed,
      evaluation_detail,
      evaluated_by,
    ]),
    [
      ['closed', true, 'Responded with status 200', null],
      ['open', false, 'Responded with status 404', null],
      ['open', null, null, null],
    ],
  )
})

test('what is seen after its project was archived, or has another website, is not stored', async () => {
  const { sql } = service.db
  const { project, read } = await scene(['http:/imprint'])
  const changes = [
    () => sql`update projects set archived_at = now() where id = ${project.id}`,
    () =>
      sql`update projects set archived_at = null, website_url = 'https://example.test/' where id = ${project.id}`,
  ]
  for (const change of changes) {
    const server = createServer((_request, response) => {
      void change().then(() => response.writeHead(200).end())
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    await setWebsite(project.id, `http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    await round()
    server.close()
    assert.deepEqual([(await read()).status, (await read()).evaluation_passed], ['open', null])
  }
})

test('a website is looked at once an hour, and at once after its address has changed', async () => {
  const { project, admin } = await scene(['http:/'])
  const site = await serve(new Set(['/']))
  await setWebsite(project.id, site.url)
  await round()
  await round()
  assert.equal(site.asked.length, 1)
  await makeDue(project.id)
  await round()
  assert.equal(site.asked.length, 2)
  const path = '/services/identity/v1/projects/update' as const
  const other = await serve(new Set())
  await admin.call(path, { id: project.id, website_url: other.url })
  await round()
  assert.deepEqual([site.asked.length, other.asked.length], [2, 1])
})

test('a website whose address changes all the time has one turn in a round', async () => {
  const { project, admin } = await scene(['http:/'])
  const asked: string[] = []
  const server = createServer(async (request, response) => {
    asked.push(request.url as string)
    // Bounded, so that this test ends even if each change gives it another turn.
    if (asked.length < 10)
      await admin.call('/services/identity/v1/projects/update', {
        id: project.id,
        website_url: `${url}${asked.length}`,
      })
    response.end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  await setWebsite(project.id, url)
  await round()
  assert.deepEqual(asked, ['/'])
  await round()
  assert.deepEqual(asked, ['/', '/1/'])
})

test('the service does it by itself, as a job', async () => {
  const { project, read } = await scene(['http:/'])
  const site = await serve(new Set(['/']))
  await setWebsite(project.id, site.url)
  await scheduleOwnRound('now')
  while ((await read()).status !== 'closed') await delay(100)
  await scheduleOwnRound('infinity')
  assert.deepEqual(site.asked, ['/'])
})

test('a card that a person has reopened stays open until the page fails and passes again', async () => {
  const { project, read } = await scene(['http:/'])
  const pages = new Set(['/'])
  const site = await serve(pages)
  await setWebsite(project.id, site.url)
  await round()
  const { id } = await read()
  await project.client.call('/services/operations/v1/operations/cards/update', { id, status: 'open' })
  await makeDue(project.id)
  await round()
  assert.equal((await read()).status, 'open')
  pages.clear()
  await makeDue(project.id)
  await round()
  assert.equal((await read()).evaluation_passed, false)
  pages.add('/')
  await makeDue(project.id)
  await round()
  assert.equal((await read()).status, 'closed')
})

test('without the setting no private address is asked, and the card says why', async () => {
  const { project, read } = await scene(['http:/'])
  const site = await serve(new Set(['/']))
  await setWebsite(project.id, site.url)
  await checkWebsites(service.db, { log, signal, allows: allowedAddresses({ allowsPrivate: false }) })
  assert.deepEqual(site.asked, [])
  const { evaluation_passed, evaluation_detail } = await read()
  assert.deepEqual(
    [evaluation_passed, evaluation_detail],
    [false, "Leads to a private or reserved address, which Cardinal doesn't open"],
  )
})

test('what Cardinal found is said in the reader’s language, on the card and in its activity', async () => {
  const { project, read } = await scene(['http:/'])
  const site = await serve(new Set())
  await setWebsite(project.id, site.url)
  await round()
  const { id } = await read()
  const german = service.client(project.user.token, { 'accept-language': 'de' })
  for (const [client, sentence] of [
    [project.client, 'Responded with status 404'],
    [german, 'Antwort mit Status 404'],
  ] as const) {
    const { evaluation_detail, board_id } = await client.call(`${operations}/cards/get`, { id })
    const { activity } = await client.call(`${operations}/activity/list`, { board_id, card_id: id })
    assert.deepEqual([evaluation_detail, activity[0]?.data['detail']], [sentence, sentence])
  }
  // The same finding is not reported again.
  await makeDue(project.id)
  await round()
  const { board_id } = await german.call(`${operations}/cards/get`, { id })
  const { activity } = await german.call(`${operations}/activity/list`, { board_id, card_id: id })
  assert.equal(activity.filter(({ kind }) => kind === 'card.evaluated').length, 1)
})

test('one project with many checks has at most 20 of them looked at in a round', async () => {
  const { project } = await scene(Array.from({ length: 25 }, (_, number) => `http:/${number}`))
  const site = await serve(new Set())
  await setWebsite(project.id, site.url)
  await round()
  assert.equal(site.asked.length, 20)
})

test('a website that cannot be stored does not end the round for the others', async () => {
  const [first, second] = [await scene(['http:/']), await scene(['http:/'])]
  const site = await serve(new Set(['/']))
  await setWebsite(first.project.id, site.url)
  await setWebsite(second.project.id, site.url)
  await service.db
    .sql`alter table cards add constraint broken check (project_id <> ${service.db.sql.unsafe(String(first.project.id))} or evaluated_at is null)`
  await round()
  await service.db.sql`alter table cards drop constraint broken`
  assert.equal((await first.read()).status, 'open')
  assert.equal((await second.read()).status, 'closed')
})

/** What earlier versions stored for each. */
const earlierSentences: Record<keyof typeof findings, string> = {
  answered: 'Answered 503',
  no_answer_in_time: 'Did not answer within 5 seconds',
  connection_failed: 'The connection failed (ECONNRESET)',
  no_connection: 'The connection failed (no answer)',
  redirects_to_no_address: 'Redirects to something that is no address',
  redirects_too_often: 'Redirects more than 5 times',
  not_a_website: 'Leads to an address that is no website',
  has_credentials: 'Leads to an address with credentials',
  not_a_website_port: 'Leads to a port that is not used for websites',
  no_such_host: 'The host does not exist',
  address_not_allowed: 'Leads to an address that may not be looked at',
}

test('the sentences of earlier versions become findings; words of other reporters stay', async () => {
  const sentences = Object.values(findings).map((text) =>
    say(english, { text, values: { status: '503', error: 'ECONNRESET' } }),
  )
  const { project, copy } = await scene([...sentences.keys()].map((number) => `http:/${number}`))
  const { sql } = service.db
  const ids = await Promise.all(sentences.map(async (_, number) => (await copy(project.id, number)).id))
  for (const [number, sentence] of Object.values(earlierSentences).entries())
    await sql`
      update cards set evaluated_check = evaluation_check, evaluation_passed = false, evaluated_at = now(),
        evaluation_detail = ${sentence}
      where project_id = ${project.id} and id = ${ids[number] as number}`
  const check = 'website.has_imprint'
  const other = await scene([check])
  await other.project.client.call(`${operations}/evaluations/report`, {
    check,
    passed: false,
    detail: 'The host does not exist',
  })
  await sql`alter table cards drop column evaluation_finding`
  await sql`alter table groups drop column archived_at`
  await sql`delete from schema_migrations where name like '0034%'`
  assert.deepEqual(await migrate(service.db), ['0034_findings_and_archived_at.sql'])
  const [{ count }] = (await sql`
    select count(*) from cards where project_id = ${project.id} and evaluation_detail is not null`) as unknown as [
    { count: number },
  ]
  assert.equal(count, 0)
  const said = await Promise.all(
    sentences.map(async (_, number) => (await copy(project.id, number)).evaluation_detail),
  )
  assert.deepEqual(said, sentences)
  const [stored] = await sql`select evaluation_detail from cards where project_id = ${other.project.id}
    and evaluation_check = ${check}`
  assert.equal(stored?.['evaluation_detail'], 'The host does not exist')
})

test('a path is added to the address and never leads to another host', () => {
  for (const [website, check, address] of [
    ['https://acme.test/', 'http:/imprint', 'https://acme.test/imprint'],
    ['https://acme.test/shop/', 'http:imprint', 'https://acme.test/shop/imprint'],
    ['https://acme.test/', 'http:', 'https://acme.test/'],
    ['https://acme.test/', 'http://evil.test/', 'https://acme.test//evil.test/'],
    ['https://acme.test/', 'http:@evil.test/', 'https://acme.test/@evil.test/'],
    ['https://acme.test/', 'http:.evil.test/', 'https://acme.test/.evil.test/'],
    ['https://acme.test/', 'http:/\\evil.test/', 'https://acme.test/\\evil.test/'],
  ] as const) {
    assert.equal(checkedAddress(readWebsiteUrl(website) as string, check), address)
    assert.equal(new URL(address).host, 'acme.test')
  }
})
