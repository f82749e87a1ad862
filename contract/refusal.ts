import { type ErrorStatus, errorBody, shapeOf } from './bodies.ts'
import {
  type Description,
  type Exchange,
  Failure,
  type FieldErrors,
  Outage,
  usualMessages,
} from './operation.ts'
import { overview } from './validate.ts'

/** An address or method that no operation has. */
export class Unroutable extends Error {
  readonly status: 404 | 405
  constructor(status: 404 | 405) {
    super(usualMessages[status])
    this.status = status
  }
}

interface Refusal {
  status: ErrorStatus
  body: string
  /** What broke, for the log; a decision has none. */
  cause?: unknown
}

/** The response to an error: a decision to fail, or a fault whose details are not shown. */
export function refusalOf(error: unknown, http: Exchange, operation?: Description): Refusal {
  if (error instanceof Failure) {
    const { status, detail } = error
    if (status === 422) {
      const errors = detail as FieldErrors
      return { status, body: JSON.stringify({ message: overview(errors), errors }) }
    }
    if (status === 429) http.answerHeader('retry-after', String(detail))
    const message = status === 429 ? usualMessages[429] : String(detail)
    return { status, body: errorBody(shapeOf(status, operation), message) }
  }
  const status = error instanceof Unroutable ? error.status : 500
  if (status === 405) http.answerHeader('allow', 'POST')
  const message = error instanceof Outage ? error.message : usualMessages[status]
  const body = errorBody(shapeOf(status, operation), message)
  return { status, body, ...(status === 500 && { cause: error }) }
}
