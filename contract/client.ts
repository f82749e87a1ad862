// The typed client of the web app and the tests. It imports only types of operations, so a browser bundle contains no service code.
import type { FieldErrors } from './operation.ts'
import type { Fields, FieldsOf, Schema, Static } from './schema.ts'

interface Declared {
  input: unknown
  output: unknown
  failure: number
}

/** The calls of a registry of operations. */
export type Calls<Registry> = {
  [Path in keyof Registry]: Registry[Path] extends {
    input: infer Input extends Fields
    output: infer Output extends Schema
    failures: readonly (infer Failure)[]
    on?: infer Acts
  }
    ? {
        input: FieldsOf<Input>
        output: Static<Output>
        failure: Failure | (Acts extends object ? 404 : never) | 400 | 401 | 403 | 422 | 429 | 500
      }
    : never
}

interface Refusal<Status extends number = number> {
  ok: false
  status: Status
  message: string
  /** The failing fields of a 422, else empty. */
  errors: FieldErrors
  /** Set on a 429. */
  retryAfterSeconds: number | undefined
  requestId: string
}

type Result<Call extends Declared> =
  | { ok: true; status: 200 | 201; message: string; data: Call['output'] }
  | Refusal<Call['failure'] & number>

export class CallFailure extends Error {
  readonly refusal: Refusal
  constructor(refusal: Refusal) {
    super(refusal.message)
    this.refusal = refusal
  }
}

/** The operations without required input. */
export type WithoutInput<Known extends Record<keyof Known, Declared>> = {
  [Path in keyof Known]: Partial<Known[Path]['input']> extends Known[Path]['input'] ? Path : never
}[keyof Known]

export interface Client<Known extends Record<keyof Known, Declared>> {
  /** Returns the data of a success and throws a CallFailure otherwise. */
  call<Path extends keyof Known & string>(
    path: Path,
    input: Known[Path]['input'],
  ): Promise<Known[Path]['output']>
  call<Path extends WithoutInput<Known> & string>(path: Path): Promise<Known[Path]['output']>
  /** Returns the response as a value, successful or not. */
  attempt<Path extends keyof Known & string>(
    path: Path,
    input: Known[Path]['input'],
  ): Promise<Result<Known[Path]>>
  attempt<Path extends WithoutInput<Known> & string>(path: Path): Promise<Result<Known[Path]>>
}

/** Calls operations at v2, where every result has its real type. */
export function createClient<Known extends Record<keyof Known, Declared>>(options: {
  baseUrl: string
  headers?: Record<string, string>
  fetch?: typeof fetch
}): Client<Known> {
  async function attempt(path: string, input: unknown = {}) {
    const response = await (options.fetch ?? fetch)(options.baseUrl + path.replace('/v1/', '/v2/'), {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/json', ...options.headers },
      body: JSON.stringify(input),
    })
    const { message, data, errors } = (await response.json()) as {
      message: string
      data: unknown
      errors?: FieldErrors
    }
    if (response.ok) return { ok: true, status: response.status, message, data }
    const retryAfter = response.headers.get('retry-after')
    const refusal: Refusal = {
      ok: false,
      status: response.status,
      message,
      errors: errors ?? {},
      retryAfterSeconds: retryAfter === null ? undefined : Number(retryAfter),
      requestId: response.headers.get('x-request-id') ?? '',
    }
    return refusal
  }
  async function call(path: string, input?: unknown) {
    const result = await attempt(path, input)
    if (!result.ok) throw new CallFailure(result as Refusal)
    return (result as { data: unknown }).data
  }
  return { attempt, call } as Client<Known>
}
