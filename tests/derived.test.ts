// Tests that every operation has to pass, now and later: they are generated from the registry.
import assert from 'node:assert/strict'
import test from 'node:test'
import { operations } from '#api/registry.ts'
import { type Description, statusesOf } from '#contract/operation.ts'
import { v2Path } from '#contract/router.ts'
import { type Schema, typeOf } from '#contract/schema.ts'
import { type Permission, permissions, roleMay, roles } from '#identity/roles.ts'
import { drawn } from '#tests/drawn.ts'
import { plainValue } from './plain-value.ts'
import { startTestService } from './service.ts'

const signedIn = operations.filter((operation) => operation.audience !== 'public')

const service = await startTestService()
const limited = await startTestService({ rateLimit: 1, anonymousRateLimit: 1 })
const broken = await startTestService({ signUp: { way: 'open', domains: [] } })
const projectId = await service.addProject()
const superadmin = await service.addUser({
  superadmin: true,
  roles: { [projectId]: 'owner' },
})

const seen = new Set<string>()

async function post(
  path: string,
  options: { token?: string; body?: string; type?: string; key?: string; project?: string } = {},
  at = service,
) {
  const { token, body = '{}', type = 'application/json', key, project } = options
  const headers = {
    'content-type': type,
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(key !== undefined && { 'idempotency-key': key }),
    ...(project !== undefined && { 'x-project-id': project }),
  }
  const response = await at.fetch(path, { method: 'POST', headers, body })
  seen.add(`${path} ${response.status}`)
  return response
}

/** A token that may call the operation. Each call may end sessions, so none is used twice. */
async function tokenFor(operation: Description, at = service): Promise<{ token?: string }> {
  if (operation.audience === 'public') return {}
  return { token: (await at.addUser({ superadmin: true })).token }
}

async function errorsOf(operation: Description, body: object): Promise<Record<string, string[]>> {
  const response = await post(operation.path, { ...(await tokenFor(operation)), body: JSON.stringify(body) })
  assert.equal(response.status, 422)
  return ((await response.json()) as { errors: Record<string, string[]> }).errors
}

const label = (name: string) => name.replaceAll('_', ' ')
const typeSentences: Record<string, string> = {
  string: 'must be a string.',
  integer: 'must be an integer.',
  boolean: 'must be true or false.',
  array: 'must be an array.',
}

/** A value of a wrong type for the field. */
const wrongValue = (schema: Schema) => (typeOf(schema).type === 'boolean' ? 'yes' : { is: 'an object' })

/** The router answers these alike for all operations, so a run tries a third of them. */
const tried = drawn(operations, Math.ceil(operations.length / 3))

for (const { path } of tried) {
  test(`404 ${path} exists at v2 and at no v3`, async () => {
    assert.notEqual((await post(v2Path(path))).status, 404)
    assert.equal((await post(path.replace('/v1/', '/v3/'))).status, 404)
  })

  test(`405 ${path} by any other method`, async () => {
    for (const method of drawn(['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY'])) {
      const response = await service.fetch(path, { method })
      assert.equal(response.status, 405, method)
      assert.equal(response.headers.get('allow'), 'POST')
      assert.match(response.headers.get('x-ratelimit-remaining') ?? '', /^\d+$/)
      assert.deepEqual(Object.keys((await response.json()) as object), ['error', 'message', 'data'])
    }
  })
}

for (const operation of operations) {
  const { path } = operation

  test(`400 ${path} for bodies that cannot be read`, async () => {
    const { token } = await tokenFor(operation)
    const bodies = ['{', '[]', '5', 'null', '"text"', '{"a":1}}', `{"a":"${'x'.repeat(1024 * 1024)}"}`]
    for (const body of drawn(bodies)) {
      const response = await post(path, { ...(token && { token }), body })
      assert.equal(response.status, 400, body.slice(0, 20))
    }
    const types = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'nonsense']
    for (const type of drawn(types))
      assert.equal((await post(path, { ...(token && { token }), body: '{"a":1}', type })).status, 400, type)
  })

  test(`429 ${path} over the limit, before anything else is judged`, async () => {
    const { token } = await tokenFor(operation, limited)
    await post(path, { ...(token && { token }), body: '{' }, limited)
    const response = await post(path, { ...(token && { token }), body: '{' }, limited)
    assert.equal(response.status, 429)
    assert.equal(response.headers.get('x-ratelimit-remaining'), '0')
    const retryAfter = Number(response.headers.get('retry-after'))
    assert.ok(retryAfter >= 1 && retryAfter <= 60)
  })
}

const fieldsOf = ({ input }: Description) => Object.entries(input)
const requiredOf = (operation: Description) =>
  fieldsOf(operation).filter(([, schema]) => !typeOf(schema).isNullable)
const textsOf = (operation: Description) =>
  fieldsOf(operation).filter(
    ([, schema]) =>
      typeOf(schema).type === 'string' && !['password', 'date-time'].includes(schema['format'] ?? ''),
  )

for (const operation of operations.filter((one) => requiredOf(one).length > 0))
  test(`422 ${operation.path} for all required fields that are missing, in the order of declaration`, async () => {
    const errors = await errorsOf(operation, {})
    assert.deepEqual(
      Object.entries(errors),
      requiredOf(operation).map(([name]) => [name, [`The ${label(name)} field is required.`]]),
    )
  })

for (const operation of operations.filter((one) => one.writes && requiredOf(one).length === 0))
  test(`422 ${operation.path} for an Idempotency-Key that is too long`, async () => {
    const response = await post(operation.path, { ...(await tokenFor(operation)), key: 'k'.repeat(256) })
    assert.equal(response.status, 422)
    const { errors } = (await response.json()) as { errors: object }
    assert.deepEqual(Object.keys(errors), ['idempotency_key'])
  })

for (const operation of operations.filter((one) => fieldsOf(one).length > 0))
  test(`422 ${operation.path} for all fields of a wrong type`, async () => {
    const fields = fieldsOf(operation)
    const wrong = fields.map(([name, schema]) => [name, wrongValue(schema)])
    const errors = await errorsOf(operation, Object.fromEntries(wrong))
    for (const [name, schema] of fields)
      assert.equal(errors[name]?.[0], `The ${label(name)} field ${typeSentences[typeOf(schema).type]}`)
  })

for (const operation of tried.filter((one) => textsOf(one).length > 0))
  test(`422 ${operation.path} for a control character in any text`, async () => {
    const texts = textsOf(operation)
    const errors = await errorsOf(operation, Object.fromEntries(texts.map(([name]) => [name, 'a\u0007b'])))
    for (const [name] of texts)
      assert.equal(
        errors[name]?.[0],
        `The ${label(name)} field contains a control character (U+0007) that cannot be stored.`,
      )
  })

for (const operation of signedIn) {
  const { path, audience } = operation

  test(`401 ${path} without a token, with a wrong one, and with one that is none`, async () => {
    const unknown = `cardinal_${'A'.repeat(43)}`
    const wrong = ['', unknown, 'x', `${superadmin.token}x`, "' or 1=1 --", 'ü'.repeat(1000)]
    for (const token of [undefined, ...drawn(wrong)])
      assert.equal((await post(path, token === undefined ? {} : { token: encodeURI(token) })).status, 401)
    const basic = { method: 'POST', headers: { authorization: `Basic ${superadmin.token}` } }
    assert.equal((await service.fetch(path, basic)).status, 401)
  })

  const refusedRoles = [null, ...roles].filter((role) =>
    String(audience).startsWith('superadmin')
      ? true
      : String(audience) in permissions && !roleMay(role, audience as Permission),
  )
  for (const role of audience === 'signed in' ? [] : drawn(refusedRoles))
    test(`403 ${path} as ${role ?? 'a member of nothing'}, before 400`, async () => {
      const user = await service.addUser({ roles: role === null ? {} : { [projectId]: role } })
      assert.equal((await post(path, { token: user.token })).status, 403)
      assert.equal((await post(path, { token: user.token, body: '{' })).status, 403)
    })
}

for (const { path } of signedIn.filter((one) => tried.includes(one)))
  test(`401 ${path} comes before 400 and 422`, async () => {
    assert.equal((await post(path, { body: '{' })).status, 401)
    assert.equal((await post(path, { body: '{"id":"x"}' })).status, 401)
  })

const unprotected = await service.addUser({ superadmin: true, totpSecret: null })

for (const { path } of signedIn.filter(({ audience }) => audience !== 'signed in'))
  test(`403 ${path} for a superadmin without two-factor authentication, before 400`, async () => {
    const projects = [undefined, String(projectId)]
    for (const [body, project] of drawn(
      ['{}', '{'].flatMap((body) => projects.map((one) => [body, one] as const)),
    )) {
      const response = await post(path, { token: unprotected.token, body, ...(project && { project }) })
      assert.deepEqual(
        [response.status, response.headers.get('x-error-code')],
        [403, 'second_factor_setup_required'],
      )
    }
  })

const idsOfNothing = [0, -1, 999_999_999, 2 ** 31, Number.MAX_SAFE_INTEGER]

/** Who is of the audience in the project, as a header tells it or by default. */
async function callerOf({ audience }: Description) {
  if (!(String(audience) in permissions)) return superadmin
  return service.addUser({ roles: { [projectId]: permissions[audience as Permission].least } })
}

/** Whether the project of the request is what it acts on, or may be. */
const isProjectOfRequest = (on: Description['on']) =>
  (typeof on === 'string' && on !== 'platform') || (typeof on === 'object' && 'or' in on)

const plainInput = ({ input }: Description) =>
  Object.fromEntries(
    Object.entries(input)
      .filter(([, schema]) => !typeOf(schema).isNullable)
      .map(([name, schema]) => [name, plainValue(name, schema)]),
  )

for (const operation of signedIn.filter(({ on }) => typeof on === 'object')) {
  const { or, ...named } = operation.on as Record<string, string>
  const field = Object.values(named)[0] as string
  const [name, inner] = field.split('.') as [string, string?]
  // The contract has no 404 for some operations on templates; their handlers declare the 422.
  const ofFields: Record<string, object> = operation.failures[422] ?? {}
  const isOnField = Object.hasOwn(ofFields[field] ?? {}, 'not_found')
  const isListOfIds = operation.input[field]?.['items'] !== undefined
  const status = or || inner || isOnField || isListOfIds ? 422 : 404
  const failing = inner ? `${name}.0.${inner}` : isListOfIds ? `${field}.0` : field

  test(`${status} ${operation.path} for ids that name nothing`, async () => {
    for (const id of drawn(idsOfNothing))
      for (const { token } of [await callerOf(operation), superadmin]) {
        const one = inner ? { ...(plainInput(operation)[name] as object[])[0], [inner]: id } : id
        const value = inner || isListOfIds ? [one] : one
        const body = JSON.stringify({ ...plainInput(operation), [name]: value })
        const response = await post(operation.path, { token, body })
        assert.equal(response.status, status, String(id))
        const { errors = {} } = (await response.json()) as { errors?: object }
        assert.deepEqual(Object.keys(errors), status === 422 ? [failing] : [])
      }
  })
}

for (const operation of signedIn.filter(({ on }) => isProjectOfRequest(on)))
  test(`403 ${operation.path} for a superadmin without a project`, async () => {
    const { token } = await service.addUser({ superadmin: true })
    const body = JSON.stringify({ ...plainInput(operation), is_of_project: true })
    const response = await post(operation.path, { token, body })
    assert.deepEqual([response.status, response.headers.get('x-error-code')], [403, 'no_project'])
  })

for (const operation of signedIn.filter(({ on }) => isProjectOfRequest(on)))
  test(`422 ${operation.path} for an X-Project-Id that is no number`, async () => {
    const { token } = await callerOf(operation)
    const body = JSON.stringify(plainInput(operation))
    const response = await post(operation.path, { token, body, project: 'mine' })
    assert.equal(response.status, 422)
    const { errors } = (await response.json()) as { errors: object }
    assert.deepEqual(Object.keys(errors), ['x-project-id'])
  })

/** These ask the identity provider, and the database only after its answer. */
const asksProvider = ({ path }: Description) => /single-sign-on\/(begin|complete)$/.test(path)

test('500 for every operation when the database is broken, without details in the answer', async () => {
  const tokens = new Map<Description, { token?: string }>()
  for (const operation of operations) tokens.set(operation, await tokenFor(operation, broken))
  const password = 'a long password'
  const token = `cardinal_${'A'.repeat(43)}`
  /** The link of an invitation names its project too. */
  const bodyFor = ({ path }: Description) =>
    JSON.stringify({
      ...{ email: 'a@b.test', password, new_password: password, name: 'A', project_name: 'A' },
      ...{ credential: 'AAAA', client_data: 'AAAA', authenticator_data: 'AAAA', signature: 'AAAA' },
      ...{ attestation: 'AAAA', passkey_name: 'A' },
      token: path.includes('/invitations/') ? `1.${token}` : token,
    })
  await broken.db.sql`alter table sessions rename to sessions_away`
  await broken.db.sql`alter table sign_in_attempts rename to sign_in_attempts_away`
  await broken.db.sql`alter table setup_links rename to setup_links_away`
  await broken.db.sql`alter table email_changes rename to email_changes_away`
  await broken.db.sql`alter table invitations rename to invitations_away`
  await broken.db.sql`alter table sign_ups rename to sign_ups_away`
  await broken.db.sql`alter table password_resets rename to password_resets_away`
  await broken.db.sql`alter table signing_keys rename to signing_keys_away`
  for (const operation of operations.filter((one) => !asksProvider(one))) {
    const response = await post(
      operation.path,
      { ...tokens.get(operation), body: bodyFor(operation) },
      broken,
    )
    assert.equal(response.status, 500, operation.path)
    assert.deepEqual(await response.json(), { error: true, message: 'Server Error', data: [] })
  }
})

test('the tests above saw every declared failure that handlers do not decide', () => {
  const declared = operations.flatMap((operation) => {
    const own = [operation.success, ...Object.keys(operation.failures).map(Number)]
    const others = statusesOf(operation).filter((status) => !own.includes(status))
    return others.map((status) => `${operation.path} ${status}`)
  })
  assert.deepEqual(
    declared.filter((line) => !seen.has(line)),
    [],
  )
})
