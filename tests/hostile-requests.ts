// Makes requests from the OpenAPI document: valid ones, nearly valid ones and nonsense.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { demoAccounts, demoPassword } from '../demo/accounts.ts'
import { fc } from './random.ts'
import { wildHtml } from './wild-html.ts'

interface Json {
  // biome-ignore lint/suspicious/noExplicitAny: the document holds any JSON.
  [key: string]: any
}

export const document: Json = JSON.parse(
  readFileSync(path.join(import.meta.dirname, '../docs/openapi.json'), 'utf8'),
)

export interface Request {
  method: string
  path: string
  headers: Record<string, string>
  body: Buffer
  /** Who sends it: the number of a session, or undefined for nobody. */
  caller: number | undefined
}

type Values = fc.Arbitrary<unknown>

/** What stands behind a `$ref`. */
export function resolved(schema: Json): Json {
  if (typeof schema['$ref'] !== 'string') return schema
  return schema['$ref']
    .slice(2)
    .split('/')
    .reduce((at, name) => at[name], document)
}

const longest = 1_100_000
const words = ['website', 'shop', 'pro', 'month', 'website.has_imprint', 'http:/imprint', 'Idea', 'demo-0001']

/** Text that has broken programs before. */
const oddTexts = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '\0',
    'a\0b',
    '\ud800',
    'x\udc00y',
    '\u202eabc\u2066',
    '\ufeff',
    '\u2028\u2029',
    'e\u0301'.repeat(200),
    '🧑‍🧑‍🧒‍🧒'.repeat(60),
    'ﷺ'.repeat(255),
    'İıſKß',
    "' or 1=1 --",
    '$1',
    '%_\\',
    '{{7*7}}',
    '../../etc/passwd',
    'constructor',
    '__proto__',
    'null',
    'NaN',
    '1e999',
    '0x10',
    '-0',
    '9'.repeat(400),
    '{"a":1}',
    '2026-02-30T25:61:61Z',
    '-271821-04-20T00:00:00Z',
    '+275760-09-13T00:00:00.001Z',
    '0000-01-01',
    'cardinal_'.padEnd(52, 'A'),
    'javascript:alert(1)',
    'http://[::1',
    'https://xn--/',
    'RF18 5390 0754 7034',
    '<script>alert(1)</script>',
    '<b>'.repeat(3000),
    '<p a=1'.repeat(2000),
    '&#x0;&#xd800;&#1114112;',
    'a@b',
    '"\\',
  ),
  fc.constantFrom(...Object.values(wildHtml)),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc.integer({ min: 200, max: 70_000 }).map((length) => 'x'.repeat(length)),
)

const oddNumbers = fc.oneof(
  fc.constantFrom(
    0,
    -1,
    0.5,
    1e-7,
    1e21,
    1e308,
    -1e308,
    2 ** 31 - 1,
    2 ** 31,
    2 ** 32,
    2 ** 53 - 1,
    2 ** 53,
    2 ** 63,
    -(2 ** 63),
  ),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.maxSafeInteger(),
)

const nested = fc
  .tuple(fc.integer({ min: 2, max: 60 }), fc.boolean())
  .map(([depth, isList]) =>
    Array.from({ length: depth }).reduce<unknown>((inner) => (isList ? [inner] : { a: inner }), 1),
  )

const odd: Values = fc.oneof(
  oddTexts,
  oddNumbers,
  fc.constantFrom(null, true, false, [], {}, [null], [[]], { id: 1 }, ['a', 1, {}]),
  fc.jsonValue({ maxDepth: 3 }),
  nested,
  fc.integer({ min: 10, max: 1500 }).map((length) => Array.from({ length }, (_, index) => index)),
)

const isId = (name: string) => name === 'id' || /_ids?$/.test(name)

function validOf(name: string, given: Json): Values {
  const schema = resolved(given)
  if (schema['enum']) return fc.constantFrom(...schema['enum'])
  const types: string[] = [schema['type'] ?? 'string'].flat()
  const byType: Record<string, () => Values> = {
    null: () => fc.constant(null),
    boolean: () => fc.boolean(),
    integer: () =>
      isId(name)
        ? fc.integer({ min: 1, max: 70 })
        : fc.integer({ min: schema['minimum'] ?? -3, max: Math.min(schema['maximum'] ?? 40, 400) }),
    string: () => validText(name, schema),
    array: () => fc.array(validOf(name, schema['items']), { minLength: 1, maxLength: 5 }),
    object: () =>
      fc.record(
        Object.fromEntries(
          Object.entries<Json>(schema['properties']).map(([key, field]) => [key, validOf(key, field)]),
        ),
        { requiredKeys: schema['required'] ?? [] },
      ),
  }
  return fc.oneof(...types.map((type) => byType[type]?.() ?? odd))
}

function validText(name: string, { format, maxLength = 100, minLength = 0, anyOf }: Json): Values {
  if (anyOf) return fc.date({ noInvalidDate: true }).map((date) => date.toISOString())
  if (format === 'email') return fc.constantFrom(...demoAccounts.map(({ email }) => email), 'nobody@x.test')
  if (format === 'password') return fc.constantFrom(demoPassword, 'tall oaks hum at noon', 'wrong')
  if (name === 'cursor') return fc.base64String({ maxLength: 60 })
  const text = fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, 40) })
  return fc.oneof(text, fc.constantFrom(...words), fc.constantFrom(...Object.values(wildHtml)))
}

const extraKeys = fc.dictionary(
  fc.constantFrom('__proto__', 'constructor', 'toString', 'id', 'project_id', 'data', '', 'a.b', '0', 'ü\0'),
  odd,
  { maxKeys: 3 },
)

/** Fields of which some are odd, missing or unknown. */
function fieldsOf(schema: Json, example: Json): Values {
  const properties = Object.entries<Json>(schema['properties'] ?? {})
  const almost = Object.fromEntries(
    properties.map(([name, field]) => [
      name,
      fc.oneof({ weight: 9, arbitrary: validOf(name, field) }, { weight: 1, arbitrary: odd }),
    ]),
  )
  const required: string[] = schema['required'] ?? []
  return fc.oneof(
    { weight: 3, arbitrary: fc.record(almost, { requiredKeys: required }) },
    { weight: 1, arbitrary: fc.record(almost, { requiredKeys: [] }) },
    {
      weight: 2,
      arbitrary: fc.record(almost, { requiredKeys: [] }).map((some) => ({ ...example, ...some })),
    },
    { weight: 2, arbitrary: fc.constant(example) },
    {
      weight: 1,
      arbitrary: fc.tuple(fc.record(almost), extraKeys).map(([all, more]) => ({ ...all, ...more })),
    },
  )
}

const twice = (text: string, more: string) =>
  `${text.slice(0, -1)}${text.length > 2 ? ',' : ''}${more.slice(1)}`

/** Bytes that are not quite the JSON. */
const broken: ((text: string) => Buffer)[] = [
  (text) => Buffer.from(text.slice(0, -1)),
  (text) => Buffer.from(`${text}}`),
  (text) => Buffer.from(`\ufeff${text}`),
  (text) => Buffer.from(`[${text}]`),
  (text) => Buffer.from(text, 'utf16le'),
  (text) => Buffer.concat([Buffer.from(text.slice(0, -1)), Buffer.from([0xff, 0xfe, 0x7d])]),
  (text) => gzipSync(text),
  (text) => Buffer.from(text + ' '.repeat(longest)),
  (text) => Buffer.from(twice(text, text)),
  (text) => Buffer.from(twice(text, '{"id":null,"title":5,"__proto__":{"superadmin":true}}')),
  (text) => Buffer.from(text.replaceAll(':', ':\t\n ')),
  () => Buffer.from(''),
  () => Buffer.from('null'),
  () => Buffer.from('"text"'),
  () => Buffer.from('NaN'),
  () => Buffer.from('{"a":1,}'),
  () => Buffer.from(`{"a":${'['.repeat(3000)}${']'.repeat(3000)}}`),
  () => Buffer.from(`{${Array.from({ length: 1500 }, (_, index) => `"k${index}":1`).join()}}`),
  () => Buffer.from(`{"title":"${'\\u0000'.repeat(9000)}"}`),
]

function bodyOf(schema: Json, example: Json): fc.Arbitrary<Buffer> {
  const texts = fieldsOf(schema, example).map((fields) => JSON.stringify(fields))
  return fc.oneof(
    { weight: 12, arbitrary: texts.map((text) => Buffer.from(text)) },
    { weight: 1, arbitrary: fc.tuple(texts, fc.constantFrom(...broken)).map(([text, way]) => way(text)) },
  )
}

/** Bytes that Node sends in a header. */
const headerText = fc.string({
  unit: fc
    .integer({ min: 0x20, max: 0xff })
    .filter((code) => code !== 0x7f)
    .map((code) => String.fromCharCode(code)),
  maxLength: 60,
})

const oneHeader = fc.oneof(
  fc.tuple(
    fc.constant('content-type'),
    fc.constantFrom(
      'text/plain',
      'application/json; charset=utf-16',
      'application/json;',
      'APPLICATION/JSON',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/jsonp',
      ' ',
      '*/*',
    ),
  ),
  fc.tuple(fc.constant('content-encoding'), fc.constantFrom('gzip', 'identity', 'br, gzip', 'x')),
  fc.tuple(
    fc.constant('x-project-id'),
    fc.oneof(
      fc.integer({ min: -1, max: 9 }).map(String),
      fc.constantFrom('', 'mine', '1e3', '9'.repeat(40), '1,2'),
    ),
  ),
  fc.tuple(
    fc.constant('idempotency-key'),
    fc.oneof(fc.constantFrom('', '""', '"', 'k', 'x'.repeat(255), 'x'.repeat(256)), fc.uuid(), headerText),
  ),
  fc.tuple(
    fc.constant('accept-language'),
    fc.oneof(fc.constantFrom('de', 'de;q=0.1,en;q=x', '*', 'xx-YY-zz'), headerText),
  ),
  fc.tuple(fc.constant('accept'), fc.constantFrom('text/html', '*/*;q=0', 'application/xml')),
  fc.tuple(
    fc.constant('authorization'),
    fc.oneof(
      fc.constantFrom('Bearer', 'Bearer  ', 'Basic YTpi', `Bearer cardinal_${'A'.repeat(43)}`),
      headerText,
    ),
  ),
  fc.tuple(
    fc.constant('cookie'),
    fc.oneof(
      fc.constantFrom(
        '__Host-cardinal=',
        '__Host-cardinal=x; __Host-cardinal=y',
        '__Host-cardinal-device=a.b',
        '=;;=',
      ),
      headerText,
    ),
  ),
  fc.tuple(fc.constant('user-agent'), headerText),
  fc.tuple(fc.constant('x-forwarded-for'), fc.constantFrom('1.2.3.4', '::1, 10.0.0.1', 'x'.repeat(3000))),
  fc.tuple(fc.constant('x-request-id'), headerText),
  fc.tuple(fc.constant('host'), fc.constantFrom('evil.test', '', 'localhost:99999', '127.0.0.1', '[::1]')),
  fc.tuple(fc.constant('origin'), fc.constantFrom('null', 'https://evil.test')),
  fc.tuple(fc.constant('expect'), fc.constant('100-continue')),
)

const headers = fc.oneof(
  { weight: 6, arbitrary: fc.constant([]) },
  { weight: 2, arbitrary: fc.uuid().map((key) => [['idempotency-key', key] as const]) },
  { weight: 2, arbitrary: fc.array(oneHeader, { minLength: 1, maxLength: 3 }) },
)

const methods = fc.oneof(
  { weight: 40, arbitrary: fc.constant('POST') },
  { weight: 1, arbitrary: fc.constantFrom('GET', 'PUT', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH') },
)

const otherPaths = [
  (usual: string) => `${usual}/`,
  (usual: string) => usual.replace('/v1/', '/v3/'),
  (usual: string) => usual.toUpperCase(),
  (usual: string) => usual.replace('/services/', '/services//'),
  (usual: string) => `${usual}?id=1&id=2&__proto__=x&%00=%ff`,
  (usual: string) => `${usual}%2f..`,
  (usual: string) => `${usual}%zz`,
  () => '/../../etc/passwd',
  (usual: string) => `/${'x'.repeat(3000)}${usual}`,
]

/** Requests of one operation by one of so many callers, or by nobody. */
function requestsOf(usual: string, { post }: Json, callers: number): fc.Arbitrary<Request> {
  const { schema, example } = resolved(post['requestBody'])['content']['application/json']
  return fc.record({
    method: methods,
    path: fc.oneof(
      { weight: 40, arbitrary: fc.constant(usual) },
      { weight: 1, arbitrary: fc.constantFrom(...otherPaths).map((change) => change(usual)) },
    ),
    headers: headers.map((some) => ({ 'content-type': 'application/json', ...Object.fromEntries(some) })),
    body: bodyOf(resolved(schema), example ?? {}),
    caller: fc.oneof(
      { weight: 12, arbitrary: fc.nat(callers - 1) },
      { weight: 1, arbitrary: fc.constant(undefined) },
    ),
  })
}

export function hostileRequests(callers: number): fc.Arbitrary<Request> {
  const paths = Object.entries<Json>(document['paths']).filter(([, { post }]) => post)
  return fc.oneof(...paths.map(([usual, item]) => requestsOf(usual, item, callers)))
}
