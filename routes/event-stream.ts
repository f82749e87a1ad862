import type { ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { admit, type Gate } from '#contract/admission.ts'
import { FastifyExchange } from '#contract/exchange.ts'
import { Failure, fail, failOf } from '#contract/failure.ts'
import { refusalOf } from '#contract/refusal.ts'
import { streamPath } from '#events/openapi.ts'
import { type Caller, currentProject, projectFailures } from '#identity/caller.ts'
import type { LiveEvent } from '#live/feed.ts'
import type { Live } from '#live/live.ts'
import type { Log } from '../log.ts'

const heartbeatMilliseconds = 15_000
/** How soon browsers reconnect; the default of 3 seconds would show as an interruption. */
const reconnectMilliseconds = 500
/** A reader this far behind is disconnected; it reconnects with its Last-Event-ID. */
const mostWaitingBytes = 4 * 1024 * 1024
/** Per user and instance: more than anyone has windows, and far fewer than the connections of a process. */
const mostStreams = 50

/**
 * The server-sent events of a project. Each message is a batch of events, and its id is the cursor to resume from. A browser cannot
 * set headers here, so the project may also be in the query.
 */
export function addEventStream(app: FastifyInstance, base: string, gate: Gate<Caller>, live: Live, log: Log) {
  const take = streamCounter()
  for (const version of [streamPath, streamPath.replace('/v1/', '/v2/')])
    app.get(base + version, async (request, reply) => {
      const http = new FastifyExchange(request, reply, gate)
      try {
        const { caller, projectId } = await judge(gate, request, http)
        if (!take(caller.id, reply.raw)) throw tooManyStreams()
        await stream(live, caller.sessionId, projectId, request, http)
      } catch (error) {
        const { status, body, cause } = refusalOf(error, http)
        if (cause) log.error({ requestId: http.requestId, error: cause }, 'failed')
        if (!reply.raw.headersSent) return http.answer(status, body)
        reply.raw.destroy()
      }
      return reply
    })
}

/** Counts the open streams of each user, until their connections close. */
function streamCounter() {
  const open = new Map<number, number>()
  return (userId: number, raw: ServerResponse): boolean => {
    const count = open.get(userId) ?? 0
    if (count >= mostStreams) return false
    // A connection that is closed already emits no event.
    if (raw.closed) return true
    open.set(userId, count + 1)
    raw.once('close', () => {
      const left = (open.get(userId) as number) - 1
      if (left > 0) open.set(userId, left)
      else open.delete(userId)
    })
    return true
  }
}

export const openStreams = 'You have :count event streams open. Close one of them.'

const tooManyStreams = () =>
  new Failure(
    429,
    'too_many_streams',
    { text: openStreams, values: { count: mostStreams } },
    { retryAfterSeconds: heartbeatMilliseconds / 1000 },
  )

async function judge(gate: Gate<Caller>, request: FastifyRequest, http: FastifyExchange) {
  const { project_id: named } = request.query as Record<string, string | undefined>
  if (named !== undefined) request.headers['x-project-id'] ??= String(named)
  const { caller, problem } = await admit(gate, http, undefined, () => ({}))
  if (problem) throw problem
  if (!caller) throw fail(401, 'unauthenticated')
  return { caller, projectId: currentProject(caller, 'read', failOf(projectFailures)) }
}

async function stream(
  live: Live,
  sessionId: number,
  projectId: number,
  request: FastifyRequest,
  http: FastifyExchange,
) {
  const raw = http.begin('text/event-stream; charset=utf-8')
  // Without a listener, a connection error would end the process.
  raw.on('error', () => raw.destroy())
  raw.on('drain', () => http.holds(raw))
  raw.write(`retry: ${reconnectMilliseconds}\n`)
  const write = (message: string) => {
    raw.write(message)
    if (!http.holds(raw) || raw.writableLength > mostWaitingBytes) raw.destroy()
  }
  const send = (type: string, cursor: string, events: LiveEvent[]) => {
    if (raw.writableEnded) return
    write(`event: ${type}\nid: ${cursor}\ndata: ${JSON.stringify({ events })}\n\n`)
  }
  // A message rather than a comment, because pages see only messages and use them to detect a lost connection.
  const heartbeat = setInterval(() => write('event: beat\ndata: {}\n\n'), heartbeatMilliseconds)
  // An open stream must not keep the process from ending.
  heartbeat.unref()
  raw.on('close', () => clearInterval(heartbeat))
  const since = request.headers['last-event-id']
  const leave = await live.listen(
    projectId,
    {
      sessionId,
      deliver: (events, cursor) => send('changes', cursor, events),
      reset: (cursor) => send('reset', cursor, []),
      end() {
        clearInterval(heartbeat)
        // A reader that does not read would keep its connection forever.
        if (raw.writableLength > 0) raw.destroy()
        else raw.end()
      },
    },
    Array.isArray(since) ? since[0] : since,
  )
  if (raw.closed) leave()
  else raw.on('close', leave)
}
