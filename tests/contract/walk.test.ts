// Calls the 22 operations of the contract by plain HTTP at v1 and compares keys, types, statuses and limits with its text.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import test from 'node:test'
import type { Answer } from '../post.ts'
import { password, startTestService } from '../service.ts'
import {
  type Data,
  type Input,
  nullableObjects,
  type ObjectName,
  objects,
  operations,
  type Type,
  usualBodies,
} from './contract.ts'
import { createScene, noId } from './scene.ts'

const service = await startTestService()
const limited = await startTestService({ anonymousRateLimit: 1 })
const broken = await startTestService()
await broken.db.sql`alter table sessions rename to sessions_away`
await broken.db.sql`alter table sign_in_attempts rename to sign_in_attempts_away`
const { requests, send, secured } = await createScene(service)
const openapi = JSON.parse(await readFile(new URL('../../docs/openapi.json', import.meta.url), 'utf8'))

/** `Card.title`, for every field that was seen with a value. */
const seen = new Set<string>()

const isOfType: Record<Exclude<Type, 'string or null'>, (value: unknown) => boolean> = {
  integer: Number.isInteger,
  boolean: (value) => typeof value === 'boolean',
  string: (value) => typeof value === 'string',
  timestamp: (value) => typeof value === 'string' && new Date(value).toISOString() === value,
}

function assertKeys(value: unknown, keys: readonly string[], what: string) {
  assert.ok(typeof value === 'object' && value !== null && !Array.isArray(value), what)
  assert.deepEqual(Object.keys(value).sort(), [...keys].sort(), what)
}

function assertObject(value: unknown, name: ObjectName) {
  const fields: Record<string, Type> = objects[name]
  assertKeys(value, Object.keys(fields), name)
  for (const [field, type] of Object.entries(fields)) {
    const found = (value as Record<string, unknown>)[field]
    const what = `${name}.${field} is ${JSON.stringify(found)}`
    const isDeclared =
      found === null
        ? type === 'string or null' || nullableObjects.includes(name)
        : isOfType[type === 'string or null' ? 'string' : type](found)
    assert.ok(isDeclared, what)
    if (found !== null) seen.add(`${name}.${field}`)
  }
}

/** How data of each kind is judged. */
const assertKind: Record<string, (value: unknown, key: string) => void> = {
  ...Object.fromEntries(
    (Object.keys(objects) as ObjectName[]).flatMap((name) => [
      [name, (value: unknown) => assertObject(value, name)],
      [`text of ${name}`, (value: unknown) => assertObject(JSON.parse(value as string), name)],
    ]),
  ),
  'empty list': (value) => assert.deepEqual(value, []),
  'list of objects': (value, key) => assertList(value, 'object', key),
  'list of strings': (value, key) => assertList(value, 'string', key),
  string: (value, key) => assert.equal(typeof value, 'string', key),
  text: (value, key) => assert.equal(typeof value, 'string', key),
}

function assertList(value: unknown, type: string, key: string) {
  assert.ok(Array.isArray(value) && value.length > 0, key)
  for (const entry of value) assert.equal(typeof entry, type, key)
}

function assertData(data: unknown, expected: Data) {
  const parts = typeof expected === 'string' ? [['data', expected, data] as const] : partsOf(data, expected)
  for (const [key, kind, value] of parts) (assertKind[kind] ?? assert.fail(kind))(value, key)
}

function partsOf(data: unknown, expected: Exclude<Data, string>) {
  assertKeys(data, Object.keys(expected), 'data')
  return Object.entries(expected).map(
    ([key, kind]) => [key, kind, (data as Record<string, unknown>)[key]] as const,
  )
}

function assertHeaders({ status, headers }: Answer<unknown>) {
  for (const name of ['x-ratelimit-limit', 'x-ratelimit-remaining'])
    assert.match(headers.get(name) ?? '', /^\d+$/, name)
  assert.equal(/^\d+$/.test(headers.get('retry-after') ?? ''), status === 429)
}

function assertFailure(path: string, answer: Answer<unknown>, status: number) {
  assert.equal(answer.status, status, answer.text)
  assertHeaders(answer)
  const { body } = answer
  assertKeys(body, operations[path]?.bodies?.[status] ?? (usualBodies[status] as string[]), `${status}`)
  assert.ok(typeof body.message === 'string' && body.message.length > 0)
  assert.equal('error' in body ? body.error : true, true)
  assert.deepEqual('data' in body ? body.data : [], [])
  for (const [field, sentences] of Object.entries(body.errors ?? {})) {
    assert.ok(Array.isArray(sentences) && sentences.length > 0, field)
    for (const sentence of sentences) assert.equal(typeof sentence, 'string')
  }
}

const wrongValue = ({ type }: Input) => (type === 'boolean' ? 'yes' : { is: 'an object' })

/** For each status a request that gets it. */
const failing: Record<number, (path: string) => Promise<Answer<unknown>>> = {
  400: (path) => raw(service, path, '{', requests[path]?.as),
  401: async (path) =>
    path === '/v1/authenticate'
      ? send(path, { input: { ...(await requests[path]?.input()), password: 'wrong' } })
      : send(path, { token: 'cardinal_wrong' }),
  403: async (path) =>
    path === '/v1/authenticate'
      ? send(path, { input: { email: secured.email, password } })
      : send(path, { token: requests[path]?.notAs as string }),
  404: async (path) => {
    const input = await requests[path]?.input()
    const id = Object.entries(operations[path]?.input ?? {}).find(([, { type }]) => type === 'integer')?.[0]
    return send(path, { input: requests[path]?.missing ?? { ...input, [id as string]: noId } })
  },
  422: (path) => {
    const [first] = Object.entries(operations[path]?.input ?? {})
    if (!first) return raw(service, path, '{}', requests[path]?.as, { 'x-project-id': 'mine' })
    return send(path, { input: { [first[0]]: wrongValue(first[1]) } })
  },
  429: async (path) => {
    await raw(limited, path, '{}')
    return raw(limited, path, '{}')
  },
  500: (path) =>
    raw(broken, path, JSON.stringify({ email: 'a@b.test', password }), `cardinal_${'A'.repeat(43)}`),
}

async function raw(at: typeof service, path: string, body: string, token = '', headers = {}) {
  const response = await at.fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, ...headers },
    body,
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) }
}

test('the contract has 22 operations', () => {
  assert.equal(Object.keys(operations).length, 22)
  assert.deepEqual(Object.keys(requests), Object.keys(operations))
})

for (const [path, { input, data, statuses, bodies, returns }] of Object.entries(operations)) {
  const success = statuses[0] as number

  test(`${success} ${path} has the keys and types of the contract, and what was sent`, async () => {
    const sent = (await requests[path]?.input()) as Record<string, unknown>
    assertKeys(sent, Object.keys(input), 'the request has every field')
    const answer = await send(path, { input: sent })
    assert.equal(answer.status, success, answer.text)
    assertHeaders(answer)
    assertKeys(answer.body, bodies?.[success] ?? ['error', 'message', 'data'], 'body')
    assert.equal(answer.body.error, false)
    assert.equal(typeof answer.body.message, 'string')
    assertData(answer.body.data, data)
    assert.deepEqual(returns ? echo(answer.body.data, returns, sent) : sent, sent)
  })

  test(`${path} documents exactly its statuses`, () =>
    assert.deepEqual(Object.keys(openapi.paths[path].post.responses).map(Number), statuses))

  for (const status of statuses.slice(1))
    test(`${status} ${path} has the body of the contract`, async () =>
      assertFailure(path, await (failing[status] as (typeof failing)[number])(path), status))

  for (const [field, rule] of Object.entries(input))
    test(`422 ${path} for values that ${field} does not take, and ${success} for those it does`, async () => {
      const attempt = async (value: unknown) =>
        send(path, { input: { ...(await requests[path]?.input()), [field]: value } })
      for (const value of refusedBy(rule)) {
        const answer = await attempt(value)
        assertFailure(path, answer, 422)
        assert.ok(
          Object.keys(answer.body.errors ?? {}).some((name) => name.split('.')[0] === field),
          answer.text,
        )
      }
      for (const value of acceptedBy(rule)) {
        const answer = await attempt(value)
        assert.equal(answer.status, success, `${JSON.stringify(value)}: ${answer.text}`)
      }
    })
}

/** The returned thing, with only the fields that were sent. */
function echo(data: unknown, returns: string, sent: Record<string, unknown>) {
  const found = (data as Record<string, unknown>)[returns]
  const thing = typeof found === 'string' ? JSON.parse(found) : found
  // It is no property of a card.
  const { push_to_projects: push, ...own } = sent
  const same = Object.fromEntries(Object.keys(own).map((field) => [field, thing[field]]))
  return push === undefined ? same : { ...same, push_to_projects: push }
}

function refusedBy(rule: Input): unknown[] {
  const { type, isRequired, max, values } = rule
  return [
    wrongValue(rule),
    ...(isRequired ? [undefined, null] : []),
    ...(max ? ['x'.repeat(max + 1)] : []),
    ...(values ? ['other'] : []),
    ...(type === 'integer' ? ['1', 1.5] : []),
    ...(type === 'email' ? ['nobody'] : []),
    ...(type === 'date' ? ['tomorrow', '2030-02-30'] : []),
    ...(type === 'array' ? [[{ id: 1 }], [{ position: 1 }], [{ id: '1', position: 1 }]] : []),
  ]
}

function acceptedBy({ type, isRequired, max, values }: Input): unknown[] {
  return [
    ...(isRequired ? [] : [undefined, null]),
    ...(max ? ['ü'.repeat(max)] : []),
    ...(values ?? []),
    ...(type === 'boolean' ? [true, false] : []),
    ...(type === 'date' ? ['2030-01-31', '2030-01-31T08:00:00Z', '2030-01-31T08:00:00+02:00'] : []),
  ]
}

test('the board of boards/get has groups, cards and tags as the contract has them', async () => {
  const { body } = await send('/services/operations/v1/operations/boards/get')
  const board = JSON.parse((body.data as { board: string }).board)
  for (const { cards, ...group } of board.groups) {
    assertObject(group, 'Group')
    for (const card of cards) assertObject(card, 'Card')
  }
  for (const tag of board.tags) assertObject(tag, 'Tag')
})

test('every field of the contract was seen with a value, except for when existing things were deleted', () => {
  const all = Object.entries(objects).flatMap(([name, fields]) =>
    Object.keys(fields).map((field) => `${name}.${field}`),
  )
  // Only a copy has a master and a check; the answer of cards/create is never a copy.
  const neverOfNewCards = ['master_card_id', 'unique_identifier', 'evaluation_check', 'tour_key']
  assert.deepEqual(
    all.filter((field) => !seen.has(field)),
    [
      'Card.deleted_at',
      ...neverOfNewCards.map((field) => `NewCard.${field}`),
      'NewCard.short_description',
      'NewCard.snoozed_until',
      'NewCard.deleted_at',
      'Group.deleted_at',
      'Comment.deleted_at',
      'Tag.deleted_at',
    ],
  )
})
