import type { Identified } from './admission.ts'
import type { Fail, FailureStatus, Failures, Problems } from './failure.ts'
import type { Prepared, Said, Streamed } from './prepared.ts'
import type { Fields, FieldsOf, Schema, Static } from './schema.ts'
import type { Sentence } from './speech.ts'
import { validate } from './validate.ts'

/** The keys of an error body; the contract gives some operations other keys than the usual ones. */
export type BodyShape = 'error, message, data' | 'error, message' | 'message'

/** The parts of the HTTP exchange that a handler may use. */
export interface Exchange {
  readonly method: string
  readonly address: string
  readonly requestId: string
  /** By the clock of this process (`performance.now`). */
  readonly arrivedAt: number
  /** True if it came through a proxy, trusted or not. */
  readonly isForwarded: boolean
  header(name: string): string | undefined
  answerHeader(name: string, value: string): void
  /** The language that the caller chose, in which the answer is said; null for the one that their browser accepts. */
  language: string | null
  say(sentence: Sentence): string
  /** Reserves room for a response of this size; refuses, before the work is done, a caller who leaves too much unread for it. */
  requireRoom(bytes: number): void
}

/** The types that an API chooses for all its operations. */
export interface Api {
  /** The API's refusals in addition to an operation's own: who may call, and what a call acts on. */
  beforehand: Failures
  /** Who may call. `public` is known here, the other words are the API's. */
  audience: unknown
  caller: Identified
  /** What handlers receive besides input and caller, such as the database. */
  services: object
  /** What an operation may ask to be read together with the caller. */
  alongside: unknown
  /** The kinds of things that an id in a request can name. */
  thing: string
  /** The scope that handlers receive, by what the operation acts on: `thing`, or a word of the API. */
  scopes: { thing: object }
  /** Kinds of things without a scope of their own: handlers receive nothing besides the usual. */
  unscoped: string
}

/** The API's words for what a request acts on if it names no thing. */
type Surroundings<A extends Api> = Exclude<keyof A['scopes'], 'thing'> & string

/**
 * What an operation acts on: the thing that a field names (`{ thing: 'id' }`), the things that a list names (`{ thing: 'entries.id' }`), or a
 * word of the API. With `or` the field may be left out. An unknown id is a 404, but in a list or with `or` it is a 422 on the field.
 */
type On<A extends Api, Field extends string> =
  | Surroundings<A>
  | {
      [Thing in A['thing']]: { [T in Thing]: Field } & { or?: Surroundings<A> }
    }[A['thing']]

type FieldOf<Input extends Fields> = (keyof Input & string) | `${keyof Input & string}.${string}`

/** The scope that a handler receives. */
type ScopeOf<A extends Api, Acts> = Acts extends undefined
  ? object
  : Acts extends keyof A['scopes']
    ? A['scopes'][Acts]
    : keyof Acts & A['unscoped'] extends never
      ? A['scopes']['thing']
      : object

/** What handlers return if their scope does not have the thing. */
type Missing<A extends Api, Acts> = Acts extends object
  ? keyof Acts & A['unscoped'] extends never
    ? undefined
    : never
  : never

/** What only `handle` receives: the result of `begin`, or else its scope. */
type Handed<A extends Api, Acts, Begun> = [Begun] extends [undefined]
  ? ScopeOf<A, Acts>
  : { begun: Exclude<Begun, Missing<A, Acts>> }

interface Declaration<
  A extends Api,
  Path extends string,
  Audience extends 'public' | A['audience'],
  Acts,
  Input extends Fields,
  Output extends Schema,
  Declared extends Failures,
  Begun,
> {
  /** The v1 path below the base address; it is also the file's path. */
  path: Path
  summary: string
  /** What the reference says in addition to the summary. */
  about?: string
  audience: Audience
  /** What it acts on. The caller must belong to the audience in that scope. */
  on?: Acts
  input: Input
  success: 200 | 201
  /** The message of a success. */
  message: string
  output: Output
  /** The handler's own failures; `statusesOf` adds those of the router. */
  failures: Declared
  /** Keys of `data` that v1 sends as text; `each` encodes the entries of a list. */
  v1Text?: { [Key in keyof Static<Output>]?: 'whole' | 'each' }
  /** Error bodies whose keys differ from the usual ones. */
  bodies?: { [S in FailureStatus]?: BodyShape }
  /** The success body has an empty `errors` list. */
  successErrors?: true
  /** True if it changes something; it then accepts an `Idempotency-Key`. */
  writes?: true
  /** True if it changes something and accepts no `Idempotency-Key`: done twice it does no harm, or its answer must not be kept. */
  changes?: true
  /** True if it may take long and only reads, so that a copy of the data can answer it. */
  fromReplica?: true
  /** Fields that may be in the query if the body does not have them. */
  fromQuery?: readonly (keyof Input & string)[]
  alongside?: A['alongside']
  /** Checks fields beyond their types, before the scope is looked up. */
  check?(call: Call<A, Audience, Input, Declared>): void | Promise<void>
  /**
   * For work that outlasts a transaction, such as a call to another service: decides and stores what will be done. Until there is an
   * answer, a request with the same Idempotency-Key continues from its result, so `handle` may run more than once.
   */
  begin?(call: Call<A, Audience, Input, Declared> & ScopeOf<A, Acts>): Promise<Begun>
  /** Returns undefined if its scope does not have the thing; it is then called again in the thing's scope. */
  handle(
    call: Call<A, Audience, Input, Declared> & Handed<A, Acts, Begun>,
  ): Promise<
    | Static<Output>
    | Said<Static<Output>>
    | Prepared
    | Streamed
    | ([Begun] extends [undefined] ? Missing<A, Acts> : never)
  >
}

type CallerOf<A extends Api, Audience> = Audience extends 'public' ? undefined : A['caller']

type Call<
  A extends Api,
  Audience extends 'public' | A['audience'],
  Input extends Fields,
  Declared extends Failures,
> = {
  input: FieldsOf<Input>
  caller: CallerOf<A, Audience>
  fail: Fail<Declared>
  http: Exchange
  alongside: unknown
} & A['services']

/** An operation as the documentation shows it, without its types. */
export interface Description {
  path: string
  summary: string
  about?: string
  audience: unknown
  on?: string | Readonly<Record<string, string | undefined>> | undefined
  /** The audience is every caller who is known, so no role is refused. */
  isForAnyone?: boolean
  input: Fields
  success: 200 | 201
  message: string
  output: Schema
  failures: Failures
  /** The API's own refusals that apply to it. */
  beforehand: Failures
  v1Text?: Record<string, 'whole' | 'each' | undefined>
  bodies?: { [S in FailureStatus]?: BodyShape }
  successErrors?: true
  writes?: true
  changes?: true
  fromReplica?: true
  fromQuery?: readonly string[]
}

/** An operation as the router calls it; its own types are hidden inside. */
export interface Operation<A extends Api> extends Description {
  audience: 'public' | A['audience']
  on?: On<A, string> | undefined
  alongside?: A['alongside']
  /** Checks the fields of a body and returns what to do if all are valid. */
  accept(body: Record<string, unknown>): Accepted<A> | { problems: Problems }
}

export interface Accepted<A extends Api> {
  input: Readonly<Record<string, unknown>>
  check: ((call: Given<A>) => void | Promise<void>) | undefined
  begin: ((call: Given<A>) => Promise<unknown>) | undefined
  handle(call: Given<A>, begun?: unknown): Promise<unknown>
}

/** What every handler receives from the router. */
export interface Given<A extends Api> {
  caller: A['caller'] | undefined
  services: A['services']
  /** The scope, unless the work has already begun. */
  scope?: object
  /** The `fail` of the operation's declaration. */
  failOf<F extends Failures>(failures: F): Fail<F>
  http: Exchange
  alongside: unknown
}

/** Binds the declaration to one API, so that its operations need no type arguments; `anyone` is its word for every caller who is known. */
export const operationOf =
  <A extends Api>(
    anyone: A['audience'],
    beforehandOf: (
      audience: 'public' | A['audience'],
      on: On<A, string> | undefined,
      writes: boolean,
    ) => A['beforehand'],
  ) =>
  <
    const Path extends `/${string}`,
    const Audience extends 'public' | A['audience'],
    Input extends Fields,
    Output extends Schema,
    const Acts extends On<A, FieldOf<Input>> | undefined = undefined,
    const Declared extends Failures = Record<never, never>,
    Begun = undefined,
  >(
    declaration: Declaration<A, Path, Audience, Acts, Input, Output, Declared, Begun>,
  ) => {
    const { check, begin, handle, ...described } = declaration
    return {
      ...described,
      isForAnyone: declaration.audience === anyone,
      beforehand: beforehandOf(declaration.audience, declaration.on, declaration.writes ?? false),
      accept(body: Record<string, unknown>): Accepted<A> | { problems: Problems } {
        const validated = validate(declaration.input, body)
        if ('problems' in validated) return validated
        const { value: input } = validated
        const callOf = ({ services, caller, failOf, http, alongside }: Given<A>) => ({
          ...services,
          input,
          caller: caller as CallerOf<A, Audience>,
          fail: failOf(declaration.failures),
          http,
          alongside,
        })
        return {
          input,
          check: check && ((given) => check(callOf(given))),
          begin: begin && ((given) => begin({ ...callOf(given), ...(given.scope as ScopeOf<A, Acts>) })),
          handle: (given, begun) =>
            handle({ ...callOf(given), ...((begin ? { begun } : given.scope) as Handed<A, Acts, Begun>) }),
        }
      },
    }
  }

/** Every status of an operation: the handler's own, and the statuses that the router answers before or instead of it. */
export function statusesOf(operation: Description): number[] {
  const { success, failures, beforehand } = operation
  const declared = [failures, beforehand].flatMap((all) => Object.keys(all).map(Number))
  const statuses = new Set<number>([success, ...declared, 400, 429, 500])
  if (operation.audience !== 'public') statuses.add(401)
  if (operation.audience !== 'public' && !operation.isForAnyone) statuses.add(403)
  if (Object.keys(operation.input).length > 0 || operation.writes) statuses.add(422)
  return [...statuses].sort((a, b) => a - b)
}
