// Answers in the language of the caller: the one they chose, else the one their browser accepts, else English.
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { text as allOf } from 'node:stream/consumers'
import test from 'node:test'
import { addRecoveryCodes } from '#identity/accounts.ts'
import { usualQuotas } from '#quotas/quotas.ts'
import { createBoard } from './board.ts'
import { createOrder, invoicing } from './invoice.ts'
import { post } from './post.ts'
import { password, startTestService, type TestService, type TestUser } from './service.ts'
import { createTrial } from './subscription.ts'

const service = await startTestService()
const projectId = await service.addProject()
const area = '/services/operations/v1/operations'
const v2Area = '/services/operations/v2/operations'
const me = '/services/identity/v1/users/me'
const german = { 'accept-language': 'de-AT,de;q=0.9,en;q=0.5' }
const englishOnly = { 'accept-language': 'en-US,en;q=0.9' }

async function speaker(language: 'en' | 'de' | null, at: TestService = service): Promise<TestUser> {
  const user = await at.addUser({ roles: at === service ? { [projectId]: 'member' } : {} })
  await at.client(user.token).call('/services/identity/v1/users/update', { language })
  return user
}

const person = await speaker('de')
const messageOf = async (
  path: string,
  {
    token = person.token,
    input = {},
    headers = {},
  }: { token?: string; input?: object; headers?: Record<string, string> } = {},
) => {
  const { status, body } = await post(service, path, token, input, headers)
  return [status, body.message]
}

test('200, 403, 404, 422, 400, 405: an account that chose German is answered in German', async () => {
  assert.deepEqual(await messageOf(me), [200, 'Das eigene Konto.'])
  assert.deepEqual(await messageOf(`${area}/cards/get`, { input: { id: 0 } }), [
    404,
    'Es gibt keine Karte mit dieser ID.',
  ])
  assert.deepEqual(await messageOf('/services/operations/v1/admin/master-boards/list'), [
    403,
    'Diese Aktion ist nicht erlaubt.',
  ])
  assert.deepEqual(await messageOf(`${area}/cards/nothing`), [404, 'Nicht gefunden.'])
  const unreadable = await service.fetch(me, {
    method: 'POST',
    headers: { authorization: `Bearer ${person.token}`, 'content-type': 'application/json' },
    body: '{',
  })
  assert.equal(
    ((await unreadable.json()) as { message: string }).message,
    'Der Inhalt der Anfrage ist kein gültiges JSON.',
  )
  const got = await service.fetch(me, { headers: { authorization: `Bearer ${person.token}` } })
  assert.equal(((await got.json()) as { message: string }).message, 'Diese Adresse wird mit POST aufgerufen.')
})

test('422: sentences, names of fields, numbers and the count of further errors are German, the codes are as ever', async () => {
  const input = {
    title: 'x'.repeat(256),
    owner_id: 'me',
    description: 'x'.repeat(65_536),
    priority: 5,
  }
  const { status, body, headers } = await post(service, `${v2Area}/cards/create`, person.token, input)
  assert.deepEqual([status, headers.get('x-error-code')], [422, 'title_too_long'])
  assert.deepEqual(body, {
    message: 'Das Feld „Titel“ darf höchstens 255 Zeichen haben. (und 4 weitere Fehler)',
    errors: {
      title: ['Das Feld „Titel“ darf höchstens 255 Zeichen haben.'],
      description: ['Das Feld „Beschreibung“ darf höchstens 65.535 Zeichen haben.'],
      owner_id: ['Das Feld „Zuständig“ muss eine ganze Zahl sein.'],
      priority: ['Das Feld „Priorität“ muss Text enthalten.', 'Die Auswahl für „Priorität“ ist ungültig.'],
    },
    code: 'title_too_long',
    codes: {
      title: ['too_long'],
      description: ['too_long'],
      owner_id: ['not_an_integer'],
      priority: ['not_a_string', 'not_a_choice'],
    },
  })
  const two = await post(service, `${area}/cards/move`, person.token, { id: 'x', group_id: 'x' })
  assert.match(two.body.message, / \(und 1 weiterer Fehler\)$/)
  const listed = await post(service, `${area}/groups/reorder`, person.token, {
    groups: [{ id: 'x', position: 1 }],
  })
  assert.deepEqual(listed.body.errors, {
    'groups.0.id': ['Das Feld „groups.0.id“ muss eine ganze Zahl sein.'],
  })
  const key = await messageOf(`${area}/cards/create`, {
    input: { title: 'A' },
    headers: { 'idempotency-key': 'k'.repeat(256) },
  })
  assert.deepEqual(key, [422, 'Der Idempotency-Key muss 1 bis 255 Zeichen haben.'])
})

test('a chosen language wins over the browser’s; without one the browser decides, and without that it is English', async () => {
  const chosen = await speaker('en')
  const none = await speaker(null)
  const said = async (user: TestUser, headers: Record<string, string>) =>
    (await messageOf(me, { token: user.token, headers }))[1]
  assert.equal(await said(person, englishOnly), 'Das eigene Konto.')
  assert.equal(await said(chosen, german), 'You.')
  assert.equal(await said(none, german), 'Das eigene Konto.')
  assert.equal(await said(none, englishOnly), 'You.')
  assert.equal(await said(none, { 'accept-language': 'fr' }), 'You.')
  assert.equal(await said(none, {}), 'You.')
  await service.db.sql`update users set language = 'tlh' where id = ${none.id}`
  assert.equal(await said(none, german), 'Das eigene Konto.')
})

test('anonymous callers are answered as their browser prefers', async () => {
  const anonymous = async (headers: Record<string, string>, body = '{}', path = '/v1/authenticate') => {
    const response = await service.fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    })
    return ((await response.json()) as { message: string }).message
  }
  assert.equal(await anonymous(german, '{}', me), 'Nicht angemeldet.')
  assert.equal(await anonymous(englishOnly, '{}', me), 'Unauthenticated.')
  assert.equal(await anonymous(german), 'Das Feld „E-Mail“ ist erforderlich. (und 1 weiterer Fehler)')
  const wrong = JSON.stringify({ email: person.email, password: 'wrong' })
  assert.equal(await anonymous(german, wrong), 'E-Mail oder Passwort ist falsch.')
  // Which language an account chose is for its owner alone.
  assert.equal(await anonymous({}, wrong), 'These credentials do not match our records.')
})

test('sign-in answers in the language of the account, with warn_message', async () => {
  const totpSecret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
  const user = await service.addUser({ totpSecret })
  await service.db.sql`update users set language = 'de' where id = ${user.id}`
  await addRecoveryCodes(service.db, user.id, ['one', 'two', 'three'])
  const said: string[] = []
  for (const code of ['one', 'two', 'three']) {
    const response = await service.fetch('/v1/authenticate', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...englishOnly },
      body: JSON.stringify({ email: user.email, password, code, is_recovery: true }),
    })
    const { message, data } = (await response.json()) as { message: string; data: { warn_message: string } }
    assert.equal(message, 'Angemeldet.')
    said.push(data.warn_message)
  }
  assert.deepEqual(said, [
    '2 Wiederherstellungscodes übrig.',
    '1 Wiederherstellungscode übrig.',
    'Kein Wiederherstellungscode ist übrig; neue anlegen.',
  ])
})

test('429 and 500 are said in German', async () => {
  const limited = await startTestService({ rateLimit: 2, anonymousRateLimit: 1 })
  const user = await speaker('de', limited)
  await post(limited, me, user.token)
  const over = await post(limited, me, user.token)
  assert.deepEqual([over.status, over.body.message], [429, 'Zu viele Versuche.'])
  await limited.fetch('/v1/authenticate', { method: 'POST' })
  const stranger = await limited.fetch('/v1/authenticate', { method: 'POST', headers: german })
  assert.deepEqual(
    [stranger.status, await stranger.json()],
    [429, { error: true, message: 'Zu viele Versuche.' }],
  )

  const broken = await startTestService()
  const unlucky = await speaker('de', broken)
  const serverError = { error: true, message: 'Serverfehler', data: [] }
  await broken.db.sql`alter table sessions rename column user_agent to browser`
  const listed = await post(broken, '/services/identity/v1/sessions/list', unlucky.token, {}, englishOnly)
  assert.deepEqual([listed.status, listed.body], [500, serverError])
  // Here the lookup of the caller fails, so only the browser is known.
  await broken.db.sql`alter table users rename column name to called`
  const lost = await post(broken, me, unlucky.token, {}, german)
  assert.deepEqual([lost.status, lost.body], [500, serverError])
})

test('a limit is said in German with its number', async () => {
  const full = await startTestService({
    quotas: {
      ...usualQuotas,
      cardsPerGroup: 1000,
      bytesPerBoard: 1_500_000,
    },
  })
  const { members, groupIds, projectId: id } = await createBoard(full)
  const { token } = members.member
  await full.client(token).call('/services/identity/v1/users/update', { language: 'de' })
  await full.db.sql`
    insert into cards (project_id, board_id, group_id, title, sort_order)
    select project_id, board_id, id, 'Many', number from groups, generate_series(1, 1000) number
    where id = ${groupIds[0] as number}`
  await full.db.sql`delete from group_sizes where project_id = ${id}`
  const input = { title: 'One more', group_id: groupIds[0] }
  const refused = await post(full, `${area}/cards/create`, token, input)
  assert.deepEqual(refused.body.errors, {
    group_id: [
      'Eine Gruppe kann höchstens 1.000 Karten enthalten. Zuerst einige verschieben oder löschen, oder eine andere Gruppe verwenden.',
    ],
  })
  const bytes = 'x'.repeat(60_000)
  const made = { title: 'Long', group_id: groupIds[1], description: bytes }
  let answer = await post(full, `${area}/cards/create`, token, made)
  while (answer.status === 201) answer = await post(full, `${area}/cards/create`, token, made)
  assert.equal(
    answer.body.message,
    'Ein Board kann höchstens 1,5 MB enthalten. Zuerst Beschreibungen kürzen oder Karten löschen, oder ein anderes Board verwenden.',
  )
})

test('a board has the same data in both languages and versions, from one kept copy', async () => {
  const { members, boardId } = await createBoard(service, { cards: 3 })
  const { member, viewer } = members
  await service.client(viewer.token).call('/services/identity/v1/users/update', { language: 'de' })
  for (const path of [`${area}/boards/get`, `${v2Area}/boards/get`])
    for (const _ of [1, 2]) {
      const english = await post(service, path, member.token, { id: boardId })
      const plain = { 'accept-encoding': 'identity' }
      const said = await post(service, path, viewer.token, { id: boardId }, plain)
      assert.deepEqual([english.body.message, said.body.message], ['The board.', 'Das Board.'])
      assert.equal(said.text.replace('Das Board.', 'The board.'), english.text)
      assert.equal(said.headers.get('content-length'), String(Buffer.byteLength(said.text)))
    }
})

test('a large board, sent in parts, begins in the language of its reader', async () => {
  const { members, boardId, groupIds, projectId: id } = await createBoard(service)
  await service.db.sql`
    insert into cards (project_id, board_id, group_id, title, short_description, sort_order)
    select project_id, board_id, id, 'Long', repeat('x', 50000), number
    from groups, generate_series(1, 120) number where id = ${groupIds[0] as number}`
  await service.db.sql`
    select record_event(${id}, ${boardId}, null, null, 'groups.reordered', '{"group_ids": []}')`
  await service.db.sql`
    update board_sizes size set bytes = counted.bytes from counted_sizes(array[${id}::bigint]) counted
    where size.project_id = counted.project_id`
  const path = `${v2Area}/boards/get`
  await service.client(members.viewer.token).call('/services/identity/v1/users/update', { language: 'de' })
  const english = await post(service, path, members.member.token, { id: boardId })
  const said = await post(service, path, members.viewer.token, { id: boardId })
  assert.ok(said.text.length > 5_000_000)
  assert.ok(said.text.startsWith('{"error":false,"message":"Das Board.","data":'))
  assert.equal(said.text.replace('Das Board.', 'The board.'), english.text)
})

test('a kept answer of an Idempotency-Key is repeated as it was said', async () => {
  const { members } = await createBoard(service)
  const { token } = members.member
  const create = () =>
    post(service, `${area}/cards/create`, token, { title: 'Once' }, { 'idempotency-key': 'one' })
  const first = await create()
  await service.client(token).call('/services/identity/v1/users/update', { language: 'de' })
  const again = await create()
  assert.deepEqual([again.status, again.text], [first.status, first.text])
  assert.equal(again.headers.get('idempotency-replayed'), 'true')
  const other = await post(
    service,
    `${area}/cards/create`,
    token,
    { title: 'Other' },
    { 'idempotency-key': 'one' },
  )
  assert.equal(other.body.message, 'Der Idempotency-Key wurde schon für eine andere Anfrage verwendet.')
})

test('the event stream refuses in German, and what is not HTTP is refused in English', async () => {
  const path = `${area}/events/stream?project_id=x`
  const stream = await service.fetch(path, { headers: { authorization: `Bearer ${person.token}` } })
  assert.deepEqual(await stream.json(), {
    message: 'Das Feld „X-Project-Id“ muss eine ganze Zahl sein.',
    errors: { 'x-project-id': ['Das Feld „X-Project-Id“ muss eine ganze Zahl sein.'] },
  })
  const { hostname, port } = new URL(service.url)
  const socket = connect(Number(port), hostname)
  socket.write('GET / HTTP/1.1\r\naccept-language: de\r\nbroken\r\n\r\n')
  assert.match(await allOf(socket), /"message":"This is not a request of HTTP\."/)
})

test('the page of an order and its title follow the browser, with dates and prices', async () => {
  const invoices = await startTestService(invoicing)
  const { order } = await createOrder(invoices)
  const page = async (headers: Record<string, string>, url = order.url) =>
    (await fetch(url, { headers })).text()
  const said = await page(german)
  for (const part of [
    '<html lang="de">',
    '<title>Bestellung RF',
    'Mit Überweisung bezahlen',
    '490\u00a0€',
    'für ein Jahr',
  ])
    assert.ok(said.includes(part), part)
  const month = new Intl.DateTimeFormat('de', { month: 'long', timeZone: 'UTC' }).format(new Date())
  assert.match(said, new RegExp(`Bestellt am \\d{1,2}\\. ${month} \\d{4}`))
  const english = await page(englishOnly)
  for (const part of ['<html lang="en">', '<title>Order RF', 'Pay by bank transfer', '€490', 'for a year'])
    assert.ok(english.includes(part), part)
  assert.ok(
    (await page({ ...englishOnly, cookie: 'a=b; cardinal_language=de' })).includes('<html lang="de">'),
  )
  assert.ok((await page({ ...german, cookie: 'cardinal_language=fr' })).includes('<html lang="de">'))
  assert.match(
    await page(german, `${invoices.url}/order/unknown`),
    /<title>Bestellung nicht gefunden – Cardinal</,
  )
})

test('the checkout page, its title and its errors follow the browser', async () => {
  const { client } = await createTrial(service)
  const { checkout_url: url } = await client.call('/services/platforms/v1/subscriptions/upgrade-trial', {
    product: 'website',
    plan: 'pro',
    period: 'month',
  })
  const said = await (await fetch(url, { headers: german })).text()
  for (const part of [
    '<html lang="de">',
    '<title>Website Pro bezahlen – Cardinal-Testumgebung',
    'pro Monat',
    'Kartennummer',
  ])
    assert.ok(said.includes(part), part)
  for (const [number, error] of [
    ['1', 'Eine Testkarte verwenden, zum Beispiel 4242'],
    ['4242424242424242', 'Monat und Jahr eingeben'],
  ] as const) {
    const body = new URLSearchParams({ number })
    const refused = await fetch(url, { method: 'POST', headers: german, body })
    const page = await refused.text()
    assert.equal(refused.status, 422)
    for (const part of ['<title>Fehler: Website Pro bezahlen', error]) assert.ok(page.includes(part), part)
  }
})
