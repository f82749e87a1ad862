import type { ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { admit, type Gate } from '#contract/admission.ts'
import { FastifyExchange } from '#contract/exchange.ts'
import { Failure, fail, failOf } from '#contract/failure.ts'
import { refusalOf } from '#contract/refusal.ts'
import { cutOff } from '#contract/unread.ts'
import { controlCharacterIn } from '#contract/validate.ts'
import type { Queries } from '#database/connect.ts'
import { streamPath } from '#events/openapi.ts'
import { type Caller, currentProject, projectFailures } from '#identity/caller.ts'
import type { Listener, ReadTogether } from '#live/feed.ts'
import type { Live } from '#live/live.ts'
import type { LiveEvent } from '#live/live-event.ts'
import type { Log } from '../log.ts'

const heartbeatMilliseconds = 15_000
/** How soon browsers reconnect; the default of 3 seconds would show as an interruption. */
const reconnectMilliseconds = 500
/** A reader this far behind is disconnected; it reconnects with its Last-Event-ID. */
const mostWaitingBytes = 4 * 1024 * 1024
/** On an instance: more than anyone has windows, and fewer in all than the connections of a process. */
const mostStreams = { ofUser: 50, inAll: 2000 }

/**
 * The server-sent events of a project. Each message is a batch of events, and its id is the cursor to resume from. A browser cannot
 * set headers here, so the project may also be in the query.
 */
export function addEventStream(
  app: FastifyInstance,
  base: string,
  gate: Gate<Caller>,
  live: Live,
  {
    log,
    onRefused,
    readTogether,
  }: {
    log: Log
    onRefused(refused: Refused): void
    readTogether(projectId: number): { db: Queries }
  },
) {
  const take = streamCounter(mostStreams)
  const texts = new WeakMap<LiveEvent[], string>()
  /** Made once for all readers of the same events. */
  const textOf = (events: LiveEvent[]) => {
    const text = texts.get(events) ?? JSON.stringify({ events })
    texts.set(events, text)
    return text
  }
  for (const version of [streamPath, streamPath.replace('/v1/', '/v2/')])
    app.get(base + version, async (request, reply) => {
      const http = new FastifyExchange(request, reply, gate)
      let caller: Caller | undefined
      try {
        caller = await identify(gate, request, http)
        const projectId = currentProject(caller, 'read', failOf(projectFailures))
        const refused = take(caller.id, projectId, reply.raw)
        if (refused) throw tooManyStreams(refused)
        await stream(live, textOf, caller, projectId, request, http, () => readTogether(projectId).db)
      } catch (error) {
        const { status, code, body, cause } = refusalOf(error, http)
        if (status === 403 && caller)
          onRefused({ caller, address: http.address, requestId: http.requestId, path: streamPath, code })
        if (cause) log.error({ requestId: http.requestId, error: cause }, 'failed')
        if (!reply.raw.headersSent) return http.answer(status, body)
        reply.raw.destroy()
      }
      return reply
    })
}

interface Refused {
  caller: Caller
  address: string
  requestId: string
  path: string
  code: string
}

type Full = 'user' | 'project'

/**
 * Counts the open streams until their connections close, and says whose limit refuses another one. A project may have as many as are left
 * for others, so one of them alone gets half, and the next always finds room.
 */
export function streamCounter({ ofUser, inAll }: { ofUser: number; inAll: number }) {
  const users = new Map<number, number>()
  const projects = new Map<number, number>()
  let total = 0
  const count = (counts: Map<number, number>, id: number, by: 1 | -1) => {
    const now = (counts.get(id) ?? 0) + by
    if (now > 0) counts.set(id, now)
    else counts.delete(id)
  }
  return (
    userId: number,
    projectId: number,
    raw: { closed: boolean; once(event: 'close', listener: () => void): unknown },
  ): Full | undefined => {
    if ((users.get(userId) ?? 0) >= ofUser) return 'user'
    if ((projects.get(projectId) ?? 0) >= inAll - total) return 'project'
    // A connection that is closed already emits no event.
    if (raw.closed) return undefined
    const note = (by: 1 | -1) => {
      count(users, userId, by)
      count(projects, projectId, by)
      total += by
    }
    note(1)
    raw.once('close', () => note(-1))
    return undefined
  }
}

export const openStreams = 'You have :count event streams open. Close one of them.'
export const noStreamsLeft =
  'Your project has all event streams open that this server has for it. Close one of them.'

const tooManyStreams = (refused: Full) =>
  new Failure(
    429,
    'too_many_streams',
    refused === 'user'
      ? { text: openStreams, values: { count: mostStreams.ofUser } }
      : { text: noStreamsLeft },
    { retryAfterSeconds: heartbeatMilliseconds / 1000 },
  )

async function identify(gate: Gate<Caller>, request: FastifyRequest, http: FastifyExchange): Promise<Caller> {
  const { project_id: named } = request.query as Record<string, string | undefined>
  if (named !== undefined) request.headers['x-project-id'] ??= String(named)
  const { caller, problem } = await admit(gate, http, undefined, () => ({}))
  if (problem) throw problem
  if (!caller) throw fail(401, 'unauthenticated')
  return caller
}

/** As `presence/show` accepts it: one that cannot be stored would fail the statement that prolongs the windows of all projects. */
function streamIdOf(request: FastifyRequest): string | undefined {
  const { stream_id: id } = request.query as Record<string, unknown>
  const isUsable = typeof id === 'string' && id.length <= 64 && controlCharacterIn(id) === undefined
  return isUsable ? id : undefined
}

async function stream(
  live: Live,
  textOf: (events: LiveEvent[]) => string,
  { id: userId, sessionId, isExempt }: Caller,
  projectId: number,
  request: FastifyRequest,
  http: FastifyExchange,
  inTurn: ReadTogether,
) {
  if (http.isGone) return
  const since = request.headers['last-event-id']
  const leave = await live.listen(
    projectId,
    { sessionId, userId, isExempt, streamId: streamIdOf(request), ...writerTo(http, projectId, textOf) },
    Array.isArray(since) ? since[0] : since,
    inTurn,
  )
  if (http.isGone) leave()
  else http.onGone(leave)
}

/** The response begins with its first message, so that a lookup that fails before it is answered with a status. */
function writerTo(
  http: FastifyExchange,
  ownProjectId: number,
  textOf: (events: LiveEvent[]) => string,
): Pick<Listener, 'deliver' | 'reset' | 'tell' | 'showPresent' | 'end'> {
  let begun: ServerResponse | undefined
  let heartbeat: NodeJS.Timeout | undefined
  const write = (raw: ServerResponse, message: string) => {
    raw.write(message, () => http.holds(raw))
    if (!http.holds(raw) || raw.writableLength > mostWaitingBytes) cutOff(raw)
  }
  const begin = () => {
    const raw = http.begin('text/event-stream; charset=utf-8')
    // Without a listener, a connection error would end the process.
    raw.on('error', () => raw.destroy())
    raw.write(`retry: ${reconnectMilliseconds}\n`)
    // A message rather than a comment, because pages see only messages and use them to detect a lost connection.
    heartbeat = setInterval(() => send('beat'), heartbeatMilliseconds)
    // An open stream must not keep the process from ending.
    heartbeat.unref()
    if (http.isGone) clearInterval(heartbeat)
    else http.onGone(() => clearInterval(heartbeat))
    return raw
  }
  const response = () => (begun ??= begin())
  const send = (type: string, lines = 'data: {}') => {
    const raw = response()
    if (!raw.writableEnded) write(raw, `event: ${type}\n${lines}\n\n`)
  }
  return {
    deliver: (events, cursor) => send('changes', `id: ${cursor}\ndata: ${textOf(events)}`),
    reset: (cursor) => send('reset', `id: ${cursor}\ndata: ${textOf([])}`),
    // Without an id: the position in the stream stays the same.
    tell: (projectId) =>
      projectId === ownProjectId ? send('inbox') : send('other_inbox', `data: {"project_id":${projectId}}`),
    showPresent: (people) => send('presence', `data: {"people":${people}}`),
    end() {
      const isBehind = begun !== undefined && begun.writableLength > 0
      const raw = response()
      clearInterval(heartbeat)
      // A reader that does not read would keep its connection forever.
      if (isBehind) cutOff(raw)
      else raw.end()
    },
  }
}
