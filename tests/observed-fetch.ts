// Compares every response in the tests with the declaration of its operation, and records its status.
import assert from 'node:assert/strict'
import { appendFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import ajvFormats from 'ajv-formats'
import { operations } from '#api/registry.ts'
import { codesOf } from '#contract/codes.ts'
import { type Failure, fieldCode } from '#contract/failure.ts'
import { bodySchema } from '#contract/openapi.ts'
import { type Description, statusesOf } from '#contract/operation.ts'
import { type Decision, decisions, v2Path } from '#contract/router.ts'
import { streamCodes, streamPath } from '#events/openapi.ts'

/** The file for the statuses that this test run has seen; read by tools/test.ts. */
export const seenVariable = 'CARDINAL_TEST_SEEN'

// Without optimizing, and without checking the schemas, each of which takes longer than all checks of a test file.
const ajv = new Ajv2020({ strict: false, validateSchema: false, allErrors: true, code: { optimize: false } })
ajvFormats.default(ajv)
const validators = new Map<string, ReturnType<typeof ajv.compile>>()
const validatorsBySchema = new Map<string, ReturnType<typeof ajv.compile>>()
const declared = new Map<string, { operation: Description; version: 'v1' | 'v2' }>()
for (const operation of operations) {
  declared.set(operation.path, { operation, version: 'v1' })
  declared.set(v2Path(operation.path), { operation, version: 'v2' })
}

/** Many refusals have the same body, and compiling takes longer than checking. */
function compiled(schema: object) {
  const text = JSON.stringify(schema)
  const validator = validatorsBySchema.get(text) ?? ajv.compile(schema)
  validatorsBySchema.set(text, validator)
  return validator
}

export const observedFetch: typeof fetch = (input, init) => observed(fetch, input, init)

/** The same for another way to send a request. */
export async function observed(send: typeof fetch, ...[input, init]: Parameters<typeof fetch>) {
  const response = await send(input, init)
  const code = response.headers.get('x-error-code')
  if (code !== null) note(`code ${code}`)
  const path = /^\/api(\/[^?]*)/.exec(new URL(String(input)).pathname)?.[1]
  const found = path === undefined ? undefined : declared.get(path)
  if (found && init?.method === 'POST') await hold(found, path as string, response)
  if ([streamPath, v2Path(streamPath)].includes(path ?? '') && (init?.method ?? 'GET') === 'GET')
    holdStream(response)
  return response
}

async function hold(
  { operation, version }: { operation: Description; version: 'v1' | 'v2' },
  path: string,
  response: Response,
) {
  const { status, headers } = response
  assert.ok(statusesOf(operation).includes(status), `${path} answered ${status}, which it does not declare`)
  const key = `${path} ${status}`
  const validator = validators.get(key) ?? compiled(bodySchema(operation, status, version))
  validators.set(key, validator)
  const body = (await response.clone().json()) as { code?: string }
  const code = headers.get('x-error-code')
  const isDeclared =
    status === operation.success ? code === null : code !== null && code in codesOf(operation, status)
  assert.ok(isDeclared, `${key} has the code ${code}`)
  assert.equal(body.code ?? null, version === 'v2' ? code : null)
  // Boards have megabytes, so they are written out only where it helps.
  const problem = validator(body) ? '' : `${ajv.errorsText(validator.errors)} in ${JSON.stringify(body)}`
  assert.equal(problem, '', key)
  for (const name of ['x-ratelimit-limit', 'x-ratelimit-remaining'])
    assert.match(headers.get(name) ?? '', /^\d+$/, `${key} has no ${name}`)
  assert.equal(headers.has('retry-after'), status === 429, `${key}: Retry-After belongs to 429 alone`)
  assert.equal(headers.get('cache-control'), 'no-store')
  assert.match(headers.get('x-request-id') ?? '', /^[\w-]{36}$/)
  note(key)
}

/** The event stream is no operation, and declares its codes by status. */
function holdStream({ status, headers }: Response) {
  const code = headers.get('x-error-code')
  const declared: Record<number, readonly string[]> = streamCodes
  assert.ok(
    status === 200 ? code === null : declared[status]?.includes(code ?? ''),
    `the event stream answered ${status} ${code}, which it does not declare`,
  )
}

/** The code of a refusal, or the codes of its failing fields. */
function linesOf({ status, code, problems }: Failure): string[] {
  if (status !== 422) return [`${status} ${code}`]
  return Object.entries(problems).flatMap(([field, all]) =>
    all.map((one) => `${status} ${fieldCode(field, one.code)}`),
  )
}

const noted = new Set<string>()

function note(line: string) {
  const file = process.env[seenVariable]
  if (!file || noted.has(line)) return
  noted.add(line)
  appendFileSync(file, `${line}\n`)
}

// For services in this process: distinguishes the 400, 403, 422 and 429 of a handler or a scope from the router's.
decisions.subscribe((message) => {
  const { path, failure, by } = message as Decision
  for (const line of linesOf(failure)) note(`${path} ${line} by its ${by}`)
})
