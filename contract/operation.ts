import type { Fail, FailureStatus, Failures, Problems } from './failure.ts'
import type { Prepared, Streamed } from './prepared.ts'
import type { Fields, FieldsOf, Schema, Static } from './schema.ts'
import { validate } from './validate.ts'

/** The keys of an error body; the contract gives some operations other keys than the usual ones. */
export type BodyShape = 'error, message, data' | 'error, message' | 'message'

/** The HTTP exchange as far as a handler may see it. */
export interface Exchange {
  readonly method: string
  readonly address: string
  header(name: string): string | undefined
  answerHeader(name: string, value: string): void
  /** Refuses, before the work is done, a caller who leaves too much unread for a response of this size. */
  requireRoom(bytes: number): void
}

/** What an API built on this machine decides for all its operations. */
export interface Api {
  /** What the API refuses beside what an operation declares: who may call, and what a call acts on. */
  beforehand: Failures
  /** Who may call: `public` is the machine's own word, the others are the API's. */
  audience: unknown
  caller: { id: number }
  /** What handlers are given beside input and caller, such as the database. */
  services: object
  /** What an operation may ask to be read together with the caller. */
  alongside: unknown
  /** The kinds of things that an id in a request can name. */
  thing: string
  /** What handlers learn about where they act, by what the operation acts on: `thing`, or a word of the API. */
  scopes: { thing: object }
}

/** The words of an API for what a request acts on without naming a thing. */
type Surroundings<A extends Api> = Exclude<keyof A['scopes'], 'thing'> & string

/**
 * What an operation acts on: the thing that a field names (`{ card: 'id' }`), the things that a list names (`{ card: 'cards.id' }`), or a word
 * of the API. With `or` the field may be left out. If an id in a list, or one with `or`, names nothing, the field fails; any other id is a 404.
 */
type On<A extends Api, Field extends string> =
  | Surroundings<A>
  | {
      [Thing in A['thing']]: { [T in Thing]: Field } & { or?: Surroundings<A> }
    }[A['thing']]

type FieldOf<Input extends Fields> = (keyof Input & string) | `${keyof Input & string}.id`

/** What a handler learns about where it acts. */
type ScopeOf<A extends Api, Acts> = Acts extends undefined
  ? object
  : Acts extends keyof A['scopes']
    ? A['scopes'][Acts]
    : A['scopes']['thing']

/** What handlers answer where the scope that they were given has no such thing. */
type Missing<Acts> = Acts extends object ? undefined : never

/** What is handed to `handle` alone: what was begun, else where it acts. */
type Handed<A extends Api, Acts, Begun> = [Begun] extends [undefined]
  ? ScopeOf<A, Acts>
  : { begun: Exclude<Begun, Missing<Acts>> }

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
  audience: Audience
  /** What it acts on, where it takes more than being one of the audience: the caller has to be of the audience there. */
  on?: Acts
  input: Input
  success: 200 | 201
  /** The sentence in a successful answer. */
  message: string
  output: Output
  /** What the handler itself may fail with; what the machine answers by itself is added in `statusesOf`. */
  failures: Declared
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
  /** Judges fields beyond their types; comes before it is looked for where the operation acts. */
  check?(call: Call<A, Audience, Input, Declared>): void
  /**
   * For work that outlasts a transaction, such as a push or a call to another service: what is decided and written before it.
   * A repeated Idempotency-Key goes on from it until there is an answer, so `handle` must be able to do that more than once.
   */
  begin?(call: Call<A, Audience, Input, Declared> & ScopeOf<A, Acts>): Promise<Begun>
  /** Answers undefined where its scope has no such thing; it is then called again where the thing is. */
  handle(
    call: Call<A, Audience, Input, Declared> & Handed<A, Acts, Begun>,
  ): Promise<Static<Output> | Prepared | Streamed | ([Begun] extends [undefined] ? Missing<Acts> : never)>
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

/** What the documentation says of an operation, whatever its types are. */
export interface Description {
  path: string
  summary: string
  audience: unknown
  on?: string | Readonly<Record<string, string | undefined>> | undefined
  /** The audience is every signed-in user, so no role is refused. */
  isForAnyone?: boolean
  input: Fields
  success: 200 | 201
  message: string
  output: Schema
  failures: Failures
  /** What of the API's own refusals concerns it. */
  beforehand: Failures
  v1Text?: Record<string, 'whole' | 'each' | undefined>
  bodies?: { [S in FailureStatus]?: BodyShape }
  successErrors?: true
  writes?: true
  fromQuery?: readonly string[]
}

/** An operation as the router calls it: its own types are closed over. */
export interface Operation<A extends Api> extends Description {
  audience: 'public' | A['audience']
  on?: On<A, string> | undefined
  alongside?: A['alongside']
  /** Judges the fields of a body; where all are right, what is to be done. */
  accept(body: Record<string, unknown>): Accepted<A> | { problems: Problems }
}

export interface Accepted<A extends Api> {
  input: Readonly<Record<string, unknown>>
  check: ((call: Given<A>) => void) | undefined
  begin: ((call: Given<A>) => Promise<unknown>) | undefined
  handle(call: Given<A>, begun?: unknown): Promise<unknown>
}

/** What the router gives to every handler. */
export interface Given<A extends Api> {
  caller: A['caller'] | undefined
  services: A['services']
  /** Where it acts, for what has begun nothing yet. */
  scope?: A['scopes'][keyof A['scopes']]
  /** The `fail` of what an operation declares. */
  failOf<F extends Failures>(failures: F): Fail<F>
  http: Exchange
  alongside: unknown
}

/** Binds the declaration to one API, so that its operations need no type arguments; `anyone` is its word for all who are signed in. */
export const operationOf =
  <A extends Api>(
    anyone: A['audience'],
    beforehandOf: (audience: 'public' | A['audience'], on: On<A, string> | undefined) => A['beforehand'],
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
      beforehand: beforehandOf(declaration.audience, declaration.on),
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
