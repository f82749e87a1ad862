import { errorBody } from './bodies.ts'
import type { FastifyExchange } from './exchange.ts'
import { type ErrorStatus, Failure, usual } from './failure.ts'
import type { Description } from './operation.ts'

interface Refusal {
  status: ErrorStatus
  code: string
  body: string
  /** The error for the log, unless the failure was decided. */
  cause?: unknown
}

/** The response to an error: a decided failure, or an unexpected one whose details are not shown. */
export function refusalOf(error: unknown, http: FastifyExchange, operation?: Description): Refusal {
  const failure = error instanceof Failure ? error : (http.failureAfter(error) ?? unexpected(error))
  const { status, code, retryAfterSeconds } = failure
  http.answerHeader('x-error-code', code)
  if (status === 405) http.answerHeader('allow', 'POST')
  if (retryAfterSeconds !== undefined) http.answerHeader('retry-after', String(retryAfterSeconds))
  const body = errorBody(failure, http.version, http.speech, operation)
  return { status, code, body, ...(status === 500 && { cause: failure.cause ?? failure }) }
}

const unexpected = (cause: unknown) => failed('server_error', cause)

/** A 500 of every operation, with the error for the log. */
export const failed = (code: keyof (typeof usual)[500], cause: unknown): Failure =>
  new Failure(500, code, { text: usual[500][code] }, { cause })
