import { isUtf8 } from 'node:buffer'
import type { FastifyRequest } from 'fastify'
import { type BodyLimits, isSimpleEnough } from './body-limits.ts'
import { busy, type usual } from './failure.ts'
import { free, Refused } from './receiving.ts'
import { isObject } from './validate.ts'

/** Stands for a body whose content type the HTTP library does not parse. */
export const unreadable = Symbol('unreadable')

export type UnreadableBody = keyof (typeof usual)[400]

/** How many bytes of a body arrived. */
export const receivedBytes = ({ body }: FastifyRequest): number =>
  Buffer.isBuffer(body) || body instanceof Refused ? body.length : 0

/** The body as an object, or the code of why it cannot be read. Called once, because it frees what was received. */
export function readBody(
  request: FastifyRequest,
  limits: BodyLimits,
): Record<string, unknown> | UnreadableBody {
  const read = parsed(request, limits)
  if (Buffer.isBuffer(request.body)) free(request.body)
  return read
}

function parsed(request: FastifyRequest, limits: BodyLimits): Record<string, unknown> | UnreadableBody {
  const body = request.body as Buffer | Refused | typeof unreadable | undefined
  if (body instanceof Refused) {
    if (body.reason === 'no room') throw busy(1)
    return 'body_too_large'
  }
  if (body === undefined || (body !== unreadable && body.length === 0)) return {}
  if (body === unreadable || !isJson(request.headers['content-type'])) return 'content_type_not_json'
  if (!/^(identity)?$/i.test(request.headers['content-encoding'] ?? ''))
    return 'content_encoding_not_supported'
  if (!isUtf8(body)) return 'body_not_utf8'
  if (!isSimpleEnough(body, limits)) return 'body_too_complex'
  let value: unknown
  try {
    value = JSON.parse(body.toString())
  } catch {
    return 'body_not_json'
  }
  return isObject(value) ? value : 'body_not_an_object'
}

export const isJson = (contentType: string | undefined) =>
  /^application\/json\s*(;|$)/i.test(contentType ?? '')
