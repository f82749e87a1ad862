// A noisy client in its own process: a tenant that uses all of its rate limit, or strangers that open what they never finish.
import { randomInt, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type ClientRequest, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { answerBench } from './process.ts'

interface Call {
  url: string
  /** JSON text. */
  body: string
}

/** What the attacker does until it is stopped. */
export type Attack =
  /** Sent in turn by twelve clients together. */
  | { calls: Call[]; token: string }
  /** Sign-ins in flight, each from another address. */
  | { signIns: number; url: string }
  /** Bodies of which the last byte is never sent. */
  | { openBodies: number; url: string; bytes: number }
  /** Event streams, shared out among the tokens, while the first of them makes changes. */
  | { streams: number; url: string; tokens: string[]; changes: Call[] }

export type Order = { start: Attack } | { stop: true }

/** How many answers had which status; 0 counts broken connections. */
export type Statuses = Record<number, number>

/** The default of CARDINAL_RATE_LIMIT for one account. */
const callsPerMinute = 1200
const clients = 12

interface Running {
  statuses: Statuses
  isStopping: boolean
  /** Ends what is open. */
  stopped: AbortController
}

let running: { state: Running; ended: Promise<unknown> } | undefined

answerBench(async (order: Order): Promise<Statuses> => {
  if ('start' in order) {
    const state: Running = { statuses: {}, isStopping: false, stopped: new AbortController() }
    running = { state, ended: begin(order.start, state) }
    return {}
  }
  if (!running) return {}
  const { state, ended } = running
  state.isStopping = true
  state.stopped.abort()
  await ended
  return state.statuses
})

function begin(attack: Attack, state: Running): Promise<unknown> {
  if ('calls' in attack) return makeCalls(attack.calls, attack.token, state)
  if ('signIns' in attack) return times(attack.signIns, () => signInAgainAndAgain(attack.url, state))
  if ('openBodies' in attack) return times(attack.openBodies, () => keepBodyOpen(attack, state))
  const { streams, url, tokens, changes } = attack
  return Promise.all([
    times(streams, (number) => keepStreamOpen(url, tokens[number % tokens.length] as string, state)),
    makeCalls(changes, tokens[0] as string, state),
  ])
}

const times = (count: number, work: (number: number) => Promise<void>) =>
  Promise.all(Array.from({ length: count }, (_, number) => work(number)))

function note({ statuses }: Running, status: number) {
  statuses[status] = (statuses[status] ?? 0) + 1
}

function makeCalls(calls: Call[], token: string, state: Running) {
  let sent = 0
  const pauseMilliseconds = (clients * 60_000) / callsPerMinute
  return times(clients, async (number) => {
    await sleep((pauseMilliseconds * number) / clients)
    while (!state.isStopping) {
      const pause = sleep(pauseMilliseconds)
      const { url, body } = calls[sent++ % calls.length] as Call
      note(state, await statusOf(url, body, { authorization: `Bearer ${token}` }))
      await pause
    }
  })
}

/** Any address of the loopback network can be bound on Linux, so each attempt comes from another one. */
async function signInAgainAndAgain(url: string, state: Running) {
  while (!state.isStopping) {
    const pause = sleep(50)
    const body = JSON.stringify({ email: `${randomUUID()}@example.test`, password: 'a wrong password' })
    const localAddress = `127.${randomInt(1, 255)}.${randomInt(256)}.${randomInt(1, 255)}`
    note(state, await statusOf(url, body, {}, localAddress))
    await pause
  }
}

/** Reads the whole response and discards it. */
async function statusOf(url: string, body: string, headers: Record<string, string>, localAddress?: string) {
  const sent = request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), ...headers },
    agent: false,
    ...(localAddress && { localAddress }),
  })
  sent.end(body)
  return ending(sent)
}

async function ending(sent: ClientRequest): Promise<number> {
  try {
    const [response] = await once(sent, 'response')
    for await (const _chunk of response);
    return response.statusCode
  } catch {
    return 0
  }
}

/** Opens another one when the service closes the connection. */
async function keepBodyOpen({ url, bytes }: { url: string; bytes: number }, state: Running) {
  const { hostname, port, pathname } = new URL(url)
  while (!state.isStopping) {
    const pause = sleep(1000)
    const socket: Socket = connect({ host: hostname, port: Number(port), signal: state.stopped.signal })
    socket.resume().on('error', () => {})
    socket.write(
      `POST ${pathname} HTTP/1.1\r\nhost: ${hostname}\r\ncontent-type: application/json\r\ncontent-length: ${bytes}\r\n\r\n`,
    )
    socket.write('x'.repeat(bytes - 1))
    await once(socket, 'close').catch(() => {})
    note(state, 0)
    await pause
  }
}

/** A refused stream is opened again after a second. */
async function keepStreamOpen(url: string, token: string, state: Running) {
  while (!state.isStopping) {
    const pause = sleep(1000)
    const { signal } = state.stopped
    const sent = request(url, { headers: { authorization: `Bearer ${token}` }, agent: false, signal }).end()
    sent.once('response', ({ statusCode }) => note(state, statusCode ?? 0))
    await ending(sent)
    await pause
  }
}
