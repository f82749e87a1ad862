import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import test from 'node:test'
import { createConfig, lintFromString, type NormalizedProblem } from '@redocly/openapi-core'
import { Ajv2020 } from 'ajv/dist/2020.js'
import ajvFormats from 'ajv-formats'
import { contractFields } from '#api/contract-fields.ts'
import { fieldDescriptions } from '#api/field-descriptions.ts'
import { namedSchemas } from '#api/named-schemas.ts'
import { registry } from '#api/registry.ts'
import { withoutLater } from '#contract/bodies.ts'
import { limitsOf } from '#contract/body-limits.ts'
import { v2Path } from '#contract/router.ts'
import { type Fields, isOnlyInV2, type Schema, typeOf } from '#contract/schema.ts'
import { catalogue } from '#events/catalogue.ts'
import { streamPath } from '#events/openapi.ts'
import { dereferenced } from '#routes/reference/document.ts'
import { operationFiles } from '../tools/generate-registry.ts'
import { startTestService } from './service.ts'

const service = await startTestService()
const paths = Object.keys(registry)
const source = await readFile(new URL('../docs/openapi.json', import.meta.url), 'utf8')
// biome-ignore lint/suspicious/noExplicitAny: each test reads another part of it.
const document: any = dereferenced(JSON.parse(source))

test('an operation is declared at the path of its file', async () => {
  const files = (await operationFiles()).map((file) => `/${file.replace(/\.ts$/, '')}`)
  assert.deepEqual(paths, files)
  for (const [path, operation] of Object.entries(registry)) assert.equal(operation.path, path)
})

test('the OpenAPI document has every route and no other', async () => {
  const response = await service.fetch('/openapi.json')
  assert.equal(response.status, 200)
  const document = (await response.json()) as { paths: Record<string, object> }
  const all = [...paths, streamPath]
  assert.deepEqual(Object.keys(document.paths).sort(), [...all, ...all.map(v2Path)].sort())
  assert.deepEqual(
    document,
    JSON.parse(await readFile(new URL('../docs/openapi.json', import.meta.url), 'utf8')),
  )
})

test('the OpenAPI document and the reference have every kind of event', async () => {
  const { Event: event, ...schemas } = document.components.schemas
  assert.deepEqual(event.properties.kind.enum, Object.keys(catalogue))
  for (const kind of Object.keys(catalogue)) assert.ok(kind in schemas, kind)
  const page = await (await service.fetch('/docs')).text()
  for (const [kind, { about }] of Object.entries(catalogue)) {
    assert.ok(page.includes(`<code>${kind}</code>`), kind)
    assert.ok(page.includes(about), about)
  }
})

test('every input field has a description, and every description is of a field', () => {
  const used = new Set<string>()
  const missing: string[] = []
  const look = (path: string, fields: Record<string, Field>) => {
    for (const [name, { description, items }] of Object.entries(fields)) {
      used.add(name)
      if (!description) missing.push(`${path} ${name}`)
      if (items?.properties) look(path, items.properties)
    }
  }
  for (const path of paths)
    look(path, document.paths[path].post.requestBody.content['application/json'].schema.properties)
  assert.deepEqual(missing, [])
  assert.deepEqual(
    Object.keys(fieldDescriptions).filter((name) => !used.has(name)),
    [],
  )
})

interface Field {
  description?: string
  properties?: Record<string, Field>
  items?: { properties?: Record<string, Field> }
}

test('every result field of the operations for the web app has a description', () => {
  const operations = '/services/operations/v1/operations'
  const described = [
    `${operations}/home/get`,
    `${operations}/boards/get-personal`,
    ...['create', 'list', 'update'].map((action) => `${operations}/views/${action}`),
    `${operations}/tags/usage`,
    `${operations}/groups/collapse`,
    `${operations}/cards/update-many`,
    '/services/platforms/v1/payments/get',
    '/services/platforms/v1/payments/list',
  ]
  const missing: string[] = []
  const look = (path: string, fields: Record<string, Field>) => {
    for (const [name, field] of Object.entries(fields)) {
      const inner = field.properties ?? field.items?.properties
      if (!field.description && !field.properties) missing.push(`${path} ${name}`)
      if (inner) look(`${path} ${name}`, inner)
    }
  }
  for (const path of described) {
    const { 200: done, 201: created } = document.paths[v2Path(path)].post.responses
    look(path, (done ?? created).content['application/json'].schema.properties.data.properties)
  }
  assert.deepEqual(missing, [])
})

test('every field that v2 adds has a description', () => {
  const missing = Object.entries(namedSchemas).flatMap(([name, { properties }]) =>
    Object.entries((properties ?? {}) as Fields)
      .filter(([, schema]) => isOnlyInV2(schema) && !schema['description'])
      .map(([field]) => `${name} ${field}`),
  )
  assert.deepEqual(missing, [])
})

test('only operations that take a long text or a list accept a body of more than 64 KiB', () => {
  const longTexts = new Set(['description', 'short_description', 'comment', 'photo'])
  for (const [path, { input }] of Object.entries(registry)) {
    const takesMuch = Object.entries(input as Fields).some(
      ([name, field]) => longTexts.has(name) || typeOf(field).type === 'array',
    )
    const isLarger = limitsOf(input).bytes > 64 * 1024
    assert.ok(takesMuch || !isLarger, path)
  }
})

test('what each field of the contract does is said for exactly the fields that v1 sends', () => {
  for (const [name, { ...fields }] of Object.entries(contractFields)) {
    const schema = withoutLater(namedSchemas[name] as Schema)
    const shared = name === 'NewCard' ? Object.keys(contractFields.Card) : []
    assert.deepEqual(
      [...shared, ...Object.keys(fields)].sort(),
      Object.keys(schema['properties']).sort(),
      name,
    )
  }
})

test('the OpenAPI document describes requests as they are validated', () => {
  const { paths } = document
  const described = (action: string) => paths[`/services/operations/v1/operations/${action}`].post
  const fieldsOf = (action: string) =>
    described(action).requestBody.content['application/json'].schema.properties
  assert.equal(fieldsOf('cards/create').title.minLength, 1)
  const { minItems, maxItems, items } = fieldsOf('groups/reorder').groups
  assert.deepEqual([minItems, maxItems, 'additionalProperties' in items], [1, 1000, false])
  const parametersOf = (action: string) =>
    described(action).parameters.map((parameter: Record<'name' | 'in', string>) => [
      parameter.name,
      parameter.in,
    ])
  assert.deepEqual(parametersOf('boards/list'), [
    ['Accept-Language', 'header'],
    ['X-Project-Id', 'header'],
    ['tool_key', 'query'],
  ])
  assert.deepEqual(parametersOf('cards/create'), [
    ['Accept-Language', 'header'],
    ['X-Project-Id', 'header'],
    ['Idempotency-Key', 'header'],
  ])
})

test('the OpenAPI document accepts every form of a date that the service reads', () => {
  const { paths } = document
  const ajv = ajvFormats.default(new Ajv2020({ strict: false }))
  for (const action of ['cards/create', 'cards/update']) {
    const { schema } =
      paths[`/services/operations/v1/operations/${action}`].post.requestBody.content['application/json']
    const isValid = ajv.compile(schema.properties.due_date)
    for (const date of [
      null,
      '2030-01-31',
      '2030-01-31T08:00:00',
      '2030-01-31 08:00',
      '2030-01-31T08:00:00.125+05:30',
      '2030-01-31T08:00+0530',
      '2030-01-31T08:00:00.000Z',
    ])
      assert.equal(isValid(date), true, `${action} ${date}`)
    for (const date of ['', 'tomorrow', '2030-02-30', '1e9', 5])
      assert.equal(isValid(date), false, `${action} ${date}`)
  }
})

test('the OpenAPI document lists the codes of each refusal, at v1 for the header and at v2 for the body', () => {
  const { paths } = document
  const path = '/services/operations/v1/operations/cards/update'
  const v1 = paths[path].post.responses
  const v2 = paths[v2Path(path)].post.responses
  const bodyOf = (response: typeof v1) => response.content['application/json'].schema.properties
  assert.deepEqual(v1[404].headers['X-Error-Code'].schema.enum, ['card_not_found'])
  assert.deepEqual(bodyOf(v2[404]).code.enum, ['card_not_found'])
  assert.equal('code' in bodyOf(v1[404]), false)
  assert.ok(v1[422].headers['X-Error-Code'].schema.enum.includes('title_too_long'))
  assert.deepEqual(bodyOf(v2[422]).codes.properties.tag_id.items.enum, [
    'not_an_integer',
    'not_found',
    'inactive',
  ])
  assert.equal(v1[200].headers['X-Error-Code'], undefined)
})

test('the OpenAPI document passes Redocly', async () => {
  const config = await createConfig({ extends: ['recommended'] })
  const problems: NormalizedProblem[] = await lintFromString({ source, config })
  assert.deepEqual(
    problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} at ${location[0]?.pointer}`),
    [],
  )
})
