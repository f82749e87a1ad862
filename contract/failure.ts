// Why a request is refused: a code for programs, a sentence for people. Operations declare their own codes; the router's are here.
import { english, type Sentence, type Speech, say } from './speech.ts'

/** The statuses with which an operation may refuse a request. With a 500 it reports that something else failed. */
export type FailureStatus = 400 | 401 | 403 | 404 | 409 | 422 | 429 | 500

export type ErrorStatus = FailureStatus | 405

/** Each code with its sentence. A sentence with varying parts is passed where the failure is thrown. */
export type Codes = Readonly<Record<string, string>>

/** The refusals of an operation, by status. A 422 has its codes by field; `entries.*.id` stands for the id of every entry of a list. */
export type Failures = { readonly [S in Exclude<FailureStatus, 422>]?: Codes } & {
  readonly 422?: Readonly<Record<string, Codes>>
}

/** The router's own refusals. A 429 always answers with its first sentence; the reference lists the others. */
export const usual = {
  400: {
    host_not_allowed: 'The service does not answer to this host name. Its operator can allow it.',
    body_too_large: 'The request body is larger than this operation accepts.',
    body_too_complex: 'The request body has too many values, or they are nested too deeply.',
    content_type_not_json: 'The request body must be of content type application/json.',
    content_encoding_not_supported: 'The request body must not be compressed.',
    body_not_utf8: 'The request body is not valid UTF-8.',
    body_not_json: 'The request body is not valid JSON.',
    body_not_an_object: 'The request body must be a JSON object.',
  },
  401: { unauthenticated: 'Unauthenticated.' },
  403: { forbidden: 'This action is unauthorized.' },
  404: { address_not_found: 'Not found.' },
  405: { method_not_allowed: 'This address is called with POST.' },
  429: {
    rate_limited: 'Too Many Attempts.',
    answers_unread: 'You have too many responses that were not read yet.',
    server_busy:
      'Too many of your requests are waiting, or others were changing the same thing for too long.',
  },
  500: {
    server_error: 'Server Error',
    cut_short: 'The server is too busy to finish this request. Check what was changed before you try again.',
    writes_unavailable: 'Nothing can be saved at the moment. Try again in a few minutes.',
  },
} as const

/** Refusals by the parser of HTTP, before it is known which operation is called. */
export const parserFailures = {
  400: { not_http: 'This is not a request of HTTP.' },
  408: { request_timeout: 'The request took too long to arrive.' },
  431: { headers_too_large: 'The headers of the request are too large.' },
} as const

/** The most characters of an Idempotency-Key. */
export const longestKey = 255

/** Refusals of requests with an Idempotency-Key. */
export const keyFailures = {
  400: { request_running: 'A request with this Idempotency-Key is still running.' },
  422: {
    idempotency_key: {
      wrong_length: `The idempotency key must have 1 to ${longestKey} characters.`,
      already_used: 'The idempotency key has been used for another request.',
    },
  },
} as const

/** A sentence about a field, which is its `:attribute`, and the code. */
export interface Problem extends Sentence {
  code: string
}

/** The problems of each failing field. */
export type Problems = Record<string, Problem[]>

/** Its `message` is in English and for the log only; `messageOf` is for the caller. */
export class Failure extends Error {
  readonly status: ErrorStatus
  readonly code: string
  readonly sentence: Sentence
  readonly problems: Problems
  /** Set on a 429. */
  readonly retryAfterSeconds: number | undefined
  /** What access was refused to, in the API's words; the caller does not see it. */
  target: object | undefined
  constructor(
    status: ErrorStatus,
    code: string,
    sentence: Sentence,
    { problems = {}, retryAfterSeconds, cause }: Partial<Failure> = {},
  ) {
    super(say(english, sentence), { cause })
    this.status = status
    this.code = code
    this.sentence = sentence
    this.problems = problems
    this.retryAfterSeconds = retryAfterSeconds
  }
}

type PlainStatus = Exclude<ErrorStatus, 422 | 429>

type Key<Field> = Field extends `${infer List}.*.${infer Name}`
  ? `${List}.${number}.${Name}`
  : Field extends `${infer List}.*`
    ? `${List}.${number}`
    : Field

/** The arguments of `fail`. */
type Refused<F> =
  | {
      [S in keyof F & PlainStatus]: [status: S, code: keyof F[S] & string, sentence?: Sentence]
    }[keyof F & PlainStatus]
  | (F extends { 429: infer C } ? [status: 429, code: keyof C & string, retryAfterSeconds: number] : never)
  | (F extends { 422: infer Fields }
      ? [
          status: 422,
          fields: {
            [Field in keyof Fields as Key<Field>]?:
              | (keyof Fields[Field] & string)
              | readonly [code: keyof Fields[Field] & string, sentence: Sentence]
          },
        ]
      : never)

/** `throw fail(404, 'thing_not_found')` compiles only for a status and code that the operation declares. */
export type Fail<F> = (...refused: Refused<F>) => Failure

const tooMany: Sentence = { text: usual[429].rate_limited }

/** Creates the `fail` of a declaration; `note` is called with each failure. */
export function failOf<const F extends Failures | typeof usual>(
  failures: F,
  note?: (failure: Failure) => void,
): Fail<F> {
  const declared = failures as Record<number, Record<string, unknown>>
  const refused = (status: ErrorStatus, what: unknown, detail?: unknown) => {
    if (status === 422) return invalid(problemsOf(declared[422] as Failures[422], what as FieldCodes))
    const code = String(what)
    if (status === 429) return new Failure(429, code, tooMany, { retryAfterSeconds: detail as number })
    const sentence = detail ?? { text: String(declared[status]?.[code]) }
    return new Failure(status, code, sentence as Sentence)
  }
  const fail: typeof refused = (...given) => {
    const failure = refused(...given)
    note?.(failure)
    return failure
  }
  return fail as Fail<F>
}

type FieldCodes = Record<string, string | readonly [code: string, sentence: Sentence]>

function problemsOf(declared: Failures[422] = {}, fields: FieldCodes): Problems {
  return Object.fromEntries(
    Object.entries(fields).map(([field, what]) => {
      if (typeof what !== 'string') return [field, [{ code: what[0], ...what[1] }]]
      return [field, [{ code: what, text: String(declared[patternOf(field)]?.[what]) }]]
    }),
  )
}

/** A 422. Its sentence and code are those of the first failing field. */
export function invalid(problems: Problems): Failure {
  const [[field, [first]]] = Object.entries(problems) as [[string, [Problem]]]
  return new Failure(422, fieldCode(field, first.code), about(field, first), { problems })
}

const about = (field: string, { text, values }: Problem): Sentence => ({
  text,
  values: { ...values, attribute: field },
})

/** What follows the first problem of several. */
export const moreErrors = {
  one: '(and 1 more error)',
  many: '(and :count more errors)',
} as const

/** The message of a failure. */
export function messageOf({ sentence, problems }: Failure, speech: Speech): string {
  const message = say(speech, sentence)
  const count = Object.values(problems).flat().length - 1
  if (count < 1) return message
  return `${message} ${say(speech, { text: count === 1 ? moreErrors.one : moreErrors.many, values: { count } })}`
}

/** The sentences of the failing fields. */
export const errorsOf = ({ problems }: Failure, speech: Speech): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(problems).map(([field, all]) => [field, all.map((one) => say(speech, about(field, one)))]),
  )

/** The codes of the failing fields. */
export const fieldCodesIn = ({ problems }: Failure): Record<string, string[]> =>
  Object.fromEntries(Object.entries(problems).map(([field, all]) => [field, all.map(({ code }) => code)]))

/** `entries.0.id` is declared as `entries.*.id`. */
export const patternOf = (field: string) => field.replace(/\.\d+/g, '.*')

/** If `entries.0.id` is `required`, the code is `entries_id_required`. */
export const fieldCode = (field: string, code: string) =>
  `${patternOf(field).replaceAll('.*', '').replace(/\W/g, '_')}_${code}`

/** A refusal by the router, at any address. */
export const fail = failOf(usual)

/** Refuses a caller who already has more than their share of work waiting. */
export const busy = (retryAfterSeconds: number) => fail(429, 'server_busy', retryAfterSeconds)
