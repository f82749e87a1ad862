// The typed client of the web app and the tests. It imports only types of operations, so a browser bundle contains no service code.
import type { Failures, usual } from './failure.ts'
import type { Fields, FieldsOf, Schema, Static } from './schema.ts'
import type { Rule } from './validate.ts'

interface Declared {
  input: unknown
  output: unknown
  failure: number
  code: string
  fieldCode: string
}

/** The codes that are declared for statuses. */
type CodeOf<F> = { [S in Exclude<keyof F, 422>]-?: keyof NonNullable<F[S]> & string }[Exclude<keyof F, 422>]
type FieldCodeOf<F> = F extends { 422?: infer Fields }
  ? { [Field in keyof Fields]-?: keyof NonNullable<Fields[Field]> & string }[keyof Fields]
  : never

/** The calls of a registry of operations. */
export type Calls<Registry> = {
  [Path in keyof Registry]: Registry[Path] extends {
    input: infer Input extends Fields
    output: infer Output extends Schema
    failures: infer Declared extends Failures
    beforehand: infer Before
    on?: infer Acts
  }
    ? {
        input: FieldsOf<Input>
        output: Static<Output>
        failure:
          | (keyof Declared & number)
          | (Acts extends object ? 404 : never)
          | 400
          | 401
          | 403
          | 422
          | 429
          | 500
        code: CodeOf<Declared> | CodeOf<Before> | CodeOf<typeof usual> | `${keyof Input & string}_${string}`
        fieldCode: FieldCodeOf<Declared> | FieldCodeOf<Before> | Rule
      }
    : never
}

interface Refusal<
  Status extends number = number,
  Code extends string = string,
  FieldCode extends string = string,
> {
  ok: false
  status: Status
  code: Code
  message: string
  /** The failing fields of a 422 with their sentences, else empty. */
  errors: Record<string, string[]>
  /** The same fields with their codes. */
  codes: Record<string, FieldCode[]>
  /** Set on a 429. */
  retryAfterSeconds: number | undefined
  requestId: string
}

type Result<Call extends Declared> =
  | { ok: true; status: 200 | 201; message: string; data: Call['output'] }
  | Refusal<Call['failure'], Call['code'], Call['fieldCode']>

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
    const { message, data, code, errors, codes } = (await response.json()) as Partial<Refusal> & {
      message: string
      data: unknown
    }
    if (response.ok) return { ok: true, status: response.status, message, data }
    const retryAfter = response.headers.get('retry-after')
    const refusal: Refusal = {
      ok: false,
      status: response.status,
      code: code ?? '',
      message,
      errors: errors ?? {},
      codes: codes ?? {},
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
