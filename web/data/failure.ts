import { CallFailure } from '#contract/client.ts'
import { showProblem } from '../ui/toast.tsx'
import { counted, t } from '../words/words.ts'
import type { Operations, Path } from './client.ts'

export interface Failure {
  /** 0 if there was no answer. */
  status: number
  /** The reason; the app decides by it. */
  code: Operations[Path]['code'] | 'unreachable'
  message: string
  /** Finds the error in the log; empty if the fault is not ours. */
  requestId: string
  /** When to retry, if the service said so. */
  retryAfterSeconds?: number | undefined
}

/** A sentence for the person. */
export function failureOf(error: unknown): Failure {
  if (!(error instanceof CallFailure))
    return {
      status: 0,
      code: 'unreachable',
      message: t("Can't reach Cardinal. Check your connection and try again."),
      requestId: '',
    }
  const { status, retryAfterSeconds } = error.refusal
  const requestId = status >= 500 ? error.refusal.requestId : ''
  const code = error.refusal.code as Failure['code']
  return { status, code, message: sentence(error.refusal), requestId, retryAfterSeconds }
}

/** True for errors that a retry may solve: no answer, a failing service, or too many requests. */
export const isPassing = (status: number): boolean => status === 0 || status === 429 || status >= 500

function sentence({
  status,
  code,
  message,
  requestId,
  retryAfterSeconds = 60,
}: CallFailure['refusal']): string {
  if (code === 'forbidden') return t('Your role does not allow this.')
  if (status === 429)
    return counted(retryAfterSeconds, {
      one: 'Too many requests. Try again in {count} second.',
      other: 'Too many requests. Try again in {count} seconds.',
    })
  if (status >= 500)
    return requestId === ''
      ? t('Something went wrong on our side. Try again in a moment.')
      : t('Something went wrong on our side. Try again. If it keeps failing, report it with the request id.')
  return message
}

/** The first message of each field of a 422. */
export const fieldErrors = (error: unknown) => firstPerField(error, 'errors')

/** The first code of each field of a 422. */
export const fieldCodes = (error: unknown) => firstPerField(error, 'codes')

/** True if somebody else, or another window, has restored it first: it is back, as the person wanted. */
export const isRestoredAlready = (error: unknown): boolean =>
  /_not_(?:deleted|deprecated)$/.test(failureOf(error).code)

function firstPerField(error: unknown, kind: 'errors' | 'codes'): Record<string, string> {
  if (!(error instanceof CallFailure)) return {}
  return Object.fromEntries(
    Object.entries(error.refusal[kind]).map(([field, [first = '']]) => [field, first]),
  )
}

/** Shows what failed and why, until it is dismissed, replaced by another failure of its topic, or settled (`dismissTopic`). */
export function showFailure(what: string, error: unknown, topic?: string) {
  const { message, requestId, status } = failureOf(error)
  // An ended session leads to the sign-in page, which needs no message.
  if (status !== 401)
    showProblem(`${what}. ${message}`, {
      ...(requestId !== '' && { detail: t('Request {id}', { id: requestId }) }),
      ...(topic !== undefined && { topic }),
    })
}
