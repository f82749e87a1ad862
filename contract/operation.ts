import type { Prepared, Streamed } from './prepared.ts'
import type { Fields, FieldsOf, Schema, Static } from './schema.ts'

/** The statuses that an operation can fail with by its own decision; 500 is never a decision. */
export type FailureStatus = 400 | 401 | 403 | 404 | 422 | 429

export type FieldErrors = Record<string, string[]>

/** What each status says beside its number: a sentence, the failing fields, or the seconds to wait. */
type Detail<S extends FailureStatus> = S extends 422 ? FieldErrors : S extends 429 ? number : string

/** What a status says where there is nothing more to say. */
export const usualMessages = {
  401: 'Unauthenticated.',
  403: 'This action is unauthorized.',
  404: 'Not found.',
  405: 'This address is called with POST.',
  429: 'Too Many Attempts.',
  500: 'Server Error',
}

export class Failure extends Error {
  readonly status: FailureStatus
  readonly detail: string | number | FieldErrors
  constructor(status: FailureStatus, detail: string | number | FieldErrors) {
    super(`failed with ${status}`)
    this.status = status
    this.detail = detail
  }
}

/** A fault that callers are told of in a sentence, such as another service that does not answer; the status is 500 all the same. */
export class Outage extends Error {}

/** `throw fail(404, '…')`: compiles only for a status that the operation declares. */
export type Fail<S extends FailureStatus> = <T extends S>(status: T, detail: Detail<T>) => Failure

export const fail: Fail<FailureStatus> = (status, detail) => new Failure(status, detail)

/** The keys of an error body; the contract gives some operations other keys than the usual ones. */
export type BodyShape = 'error, message, data' | 'error, message' | 'message'

/** The HTTP exchange as far as a handler may see it. */
export interface Exchange {
  readonly method: string
  readonly address: string
  header(name: string): string | undefined
  answerHeader(name: string, value: string): void
}

/** What an API built on this machine decides for all its operations. */
interface Api {
  /** Who may call: `public` is the machine's own word, the others are the API's. */
  audience: unknown
  caller: unknown
  /** What handlers are given beside input and caller, such as the database. */
  services: object
  /** What an operation may ask to be read together with the caller. */
  alongside: unknown
}

interface Declaration<
  A extends Api,
  Path extends string,
  Audience extends 'public' | A['audience'],
  Input extends Fields,
  Output extends Schema,
  Declared extends FailureStatus,
  Begun,
> {
  /** The v1 path below the base address; it is also the file's path. */
  path: Path
  summary: string
  audience: Audience
  input: Input
  success: 200 | 201
  /** The sentence in a successful answer. */
  message: string
  output: Output
  /** What the handler itself may fail with; what the machine answers by itself is added in `statusesOf`. */
  failures: readonly Declared[]
  /** Keys of `data` that v1 sends as text; `each` encodes the entries of a list. */
  v1Text?: { [Key in keyof Static<Output>]?: 'whole' | 'each' }
  /** Error bodies whose keys differ from the usual ones. */
  bodies?: { [S in FailureStatus]?: BodyShape }
  /** The success envelope carries an empty `errors` list. */
  successErrors?: true
  /** It changes something: `Idempotency-Key` is honoured. */
  writes?: true
  /** Fields that may come in the query where the body has none. */
  fromQuery?: readonly (keyof Input & string)[]
  alongside?: A['alongside']
  /**
   * For work that outlasts a transaction, such as a push or a call to another service: what is decided and written before it.
   * A repeated Idempotency-Key goes on from it until there is an answer, so `handle` must be able to do that more than once.
   */
  begin?(call: Call<A, Audience, Input, Declared>): Promise<Begun>
  handle(
    call: Call<A, Audience, Input, Declared> & { begun: Begun },
  ): Promise<Static<Output> | Prepared | Streamed>
}

type Call<
  A extends Api,
  Audience extends 'public' | A['audience'],
  Input extends Fields,
  Declared extends FailureStatus,
> = {
  input: FieldsOf<Input>
  caller: Audience extends 'public' ? undefined : A['caller']
  fail: Fail<Declared>
  http: Exchange
  alongside: unknown
} & A['services']

/** An operation as the machine sees it, whatever its input and output are. */
export interface Operation {
  path: string
  summary: string
  audience: unknown
  /** The audience is everybody who is signed in, so that nobody is refused for what they are. */
  isForAnyone?: boolean
  input: Fields
  success: 200 | 201
  message: string
  output: Schema
  failures: readonly FailureStatus[]
  v1Text?: Record<string, 'whole' | 'each' | undefined>
  bodies?: { [S in FailureStatus]?: BodyShape }
  successErrors?: true
  writes?: true
  fromQuery?: readonly string[]
  alongside?: unknown
  begin?(call: never): Promise<unknown>
  handle(call: never): Promise<unknown>
}

/** Binds the declaration to one API, so that its operations need no type arguments; `anyone` is its word for all who are signed in. */
export const operationOf =
  <A extends Api>(anyone: A['audience']) =>
  <
    const Path extends `/${string}`,
    const Audience extends 'public' | A['audience'],
    Input extends Fields,
    Output extends Schema,
    const Declared extends FailureStatus = never,
    Begun = undefined,
  >(
    declaration: Declaration<A, Path, Audience, Input, Output, Declared, Begun>,
  ) => ({ ...declaration, isForAnyone: declaration.audience === anyone })

/** Every status of an operation: the handler's own and those that the machine answers before or instead of it. */
export function statusesOf(operation: Operation): number[] {
  const statuses = new Set<number>([operation.success, ...operation.failures, 400, 429, 500])
  if (operation.audience !== 'public') statuses.add(401)
  if (operation.audience !== 'public' && !operation.isForAnyone) statuses.add(403)
  if (Object.keys(operation.input).length > 0 || operation.writes) statuses.add(422)
  return [...statuses].sort((a, b) => a - b)
}
