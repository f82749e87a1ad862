// Stands between the service and PostgreSQL, counts the statements of a call, and lets one of them fail as PostgreSQL or the network would.
import { once } from 'node:events'
import { createConnection, createServer, type Socket } from 'node:net'
import type { DatabaseAddress } from '#database/embedded.ts'

const raised = (code: string) => `do $$ begin raise exception 'injected' using errcode = '${code}'; end $$`

/** How a statement can fail, and what PostgreSQL runs in its place. */
const failures = {
  'connection lost before it': '',
  'connection lost after it': '',
  'connection ended by PostgreSQL': 'select pg_terminate_backend(pg_backend_pid())',
  deadlock: raised('40P01'),
  conflict: raised('40001'),
  timeout: raised('57014'),
} as const

export type FaultKind = keyof typeof failures
export const faultKinds = Object.keys(failures) as FaultKind[]

export interface Fault {
  kind: FaultKind
  /** Which statement fails, counted from 1 over all connections. */
  statement: number
}

export interface FaultProxy {
  address: DatabaseAddress
  /** Counts from here on, and lets a statement fail. */
  arm(fault?: Fault): void
  /** Returns how many statements were counted. */
  disarm(): number
  stop(): Promise<void>
}

export async function startFaultProxy(behind: DatabaseAddress): Promise<FaultProxy> {
  let armed: { fault: Fault | undefined; seen: number } | undefined
  /** How the next statement fails. */
  const next = (): FaultKind | undefined => {
    if (!armed) return undefined
    armed.seen++
    return armed.fault?.statement === armed.seen ? armed.fault.kind : undefined
  }
  const open = new Set<Socket>()
  const server = createServer({ noDelay: true }, (client) => {
    const target = behind.host.startsWith('/')
      ? { path: `${behind.host}/.s.PGSQL.${behind.port}` }
      : { host: behind.host, port: behind.port }
    const backend = createConnection({ ...target, noDelay: true })
    for (const [socket, other] of [
      [client, backend],
      [backend, client],
    ] as const) {
      open.add(socket)
      socket.on('error', () => other.destroy())
      socket.on('close', () => {
        open.delete(socket)
        other.end()
      })
    }
    relay(client, backend, next)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  return {
    address: { ...behind, host: '127.0.0.1', port },
    arm(fault) {
      armed = { fault, seen: 0 }
    },
    disarm() {
      const seen = armed?.seen ?? 0
      armed = undefined
      return seen
    },
    async stop() {
      for (const socket of open) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** A statement starts with one of these messages, and ends with Sync unless it is a simple query. */
const starts = new Set(['P', 'B', 'Q'])
/** What the driver needs to have before it sends the second half of a new statement. */
const descriptions = new Set(['1', 't', 'T', 'n'])

function relay(client: Socket, backend: Socket, next: () => FaultKind | undefined) {
  const waiting: Buffer[] = []
  const texts = new Map<string, string>()
  /** Replies of PostgreSQL that are still to come; the first one ends the handshake. */
  let unanswered = 1
  let isInside = false
  /** How the statement in front fails, once everything before it is answered. */
  let coming: FaultKind | undefined
  let isAnswerLost = false
  /** Set while PostgreSQL runs something else in place of a statement, whose messages are dropped up to its end. */
  let replaced: { hasEnded: boolean; repliesLeft: number; ready?: Buffer } | undefined

  const cut = () => {
    client.destroy()
    backend.destroy()
  }

  function replace(query: string, text: string) {
    // A commit that fails ends its transaction, unlike any other statement.
    const queries = text === 'commit' ? [query, 'rollback'] : [query]
    replaced = { hasEnded: false, repliesLeft: queries.length }
    for (const one of queries) backend.write(simpleQuery(one))
  }

  /** Returns false if the statement has to wait, or never comes. */
  function begin(frame: Buffer): boolean {
    coming ??= next()
    if (coming === undefined) return true
    if (unanswered > 0) return false
    const kind = coming
    coming = undefined
    if (kind === 'connection lost before it') cut()
    else if (kind === 'connection lost after it') isAnswerLost = true
    else replace(failures[kind], textOf(frame, texts))
    return kind !== 'connection lost before it'
  }

  function pass() {
    for (let frame = waiting[0]; frame; frame = waiting[0]) {
      const type = typeOf(frame)
      if (!isInside && starts.has(type) && (isAnswerLost || replaced || !begin(frame))) return
      waiting.shift()
      if (type === 'P') texts.set(...parsedOf(frame))
      const isEnd = type === 'S' || type === 'Q'
      if (isEnd) isInside = false
      else if (starts.has(type)) isInside = true
      if (replaced) {
        replaced.hasEnded ||= isEnd
        answerReplaced()
      } else {
        if (isEnd) unanswered++
        backend.write(frame)
      }
    }
  }

  function answerReplaced() {
    if (!replaced?.hasEnded || !replaced.ready) return
    client.write(replaced.ready)
    replaced = undefined
  }

  client.on(
    'data',
    framesOf(0, (frame) => {
      waiting.push(frame)
      pass()
    }),
  )
  backend.on(
    'data',
    framesOf(1, (frame) => {
      const type = typeOf(frame)
      if (replaced) {
        if (type === 'E') client.write(frame)
        if (type === 'Z' && --replaced.repliesLeft === 0) replaced.ready = frame
        answerReplaced()
      } else {
        if (isAnswerLost && type === 'Z') return cut()
        if (!isAnswerLost || descriptions.has(type)) client.write(frame)
        if (type === 'Z') unanswered--
      }
      pass()
    }),
  )
}

const typeOf = (frame: Buffer) => String.fromCharCode(frame[0] as number)

function simpleQuery(text: string): Buffer {
  const body = Buffer.from(`${text}\0`)
  const head = Buffer.from('Q\0\0\0\0')
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

/** The name and the text of a Parse message. */
function parsedOf(frame: Buffer): [string, string] {
  const [name = '', text = ''] = frame.toString('utf8', 5).split('\0', 2)
  return [name, text]
}

/** The text of the statement that a Query, Parse or Bind message starts. */
function textOf(frame: Buffer, texts: ReadonlyMap<string, string>): string {
  const parts = frame.toString('utf8', 5).split('\0', 2)
  const type = typeOf(frame)
  if (type === 'Q') return parts[0] as string
  return (type === 'P' ? parts[1] : texts.get(parts[1] as string)) ?? ''
}

/** Cuts a stream into messages: a byte for the type, which the first message of a client lacks, then the length. */
function framesOf(typeBytesOfFirst: 0 | 1, onFrame: (frame: Buffer) => void) {
  let rest = Buffer.alloc(0)
  let typeBytes: 0 | 1 = typeBytesOfFirst
  return (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk])
    while (rest.length >= typeBytes + 4) {
      const length = typeBytes + rest.readInt32BE(typeBytes)
      if (rest.length < length) return
      const frame = rest.subarray(0, length)
      rest = rest.subarray(length)
      typeBytes = 1
      onFrame(frame)
    }
  }
}
