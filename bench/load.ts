// A load generator on bare sockets: an HTTP library would take more of the two cores than the service it measures.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { percentile } from './statistics.ts'

export interface Load {
  url: string
  /** Each client keeps one request in flight on its own connection. */
  clients: number
  /** The bytes of the next request of a client. */
  request(client: number): Buffer
}

export interface LoadResult {
  perSecond: number
  latency(percent: number): number
}

export interface RunningLoad {
  /** Stops sending and waits for the requests in flight; rejects if any response was not a success. */
  stop(): Promise<LoadResult>
}

const longestAnswerMilliseconds = 30_000

/** The bytes of a POST with a JSON body. */
export function post(url: string, body: object, headers: Record<string, string> = {}): Buffer {
  const { host, pathname } = new URL(url)
  const text = JSON.stringify(body)
  const lines = Object.entries({
    host,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`POST ${pathname} HTTP/1.1\r\n${lines.join('')}\r\n${text}`)
}

export async function runLoad(load: Load, seconds: number): Promise<LoadResult> {
  const running = await startLoad(load)
  await sleep(seconds * 1000)
  return running.stop()
}

export async function startLoad({ url, clients, request }: Load): Promise<RunningLoad> {
  const sockets = await Promise.all(Array.from({ length: clients }, () => open(url)))
  const milliseconds: number[] = []
  let isStopping = false
  const startedAt = performance.now()
  const finished = Promise.all(
    sockets.map((socket, client) =>
      keepBusy(socket, () => (isStopping ? undefined : request(client)), milliseconds),
    ),
  ).finally(() => {
    for (const socket of sockets) socket.destroy()
  })
  // stop() reports a failure; until then nothing awaits this promise.
  finished.catch(() => {})
  return {
    async stop() {
      isStopping = true
      await finished
      // Until the last response, so that slow requests at the end count too.
      const seconds = (performance.now() - startedAt) / 1000
      milliseconds.sort((a, b) => a - b)
      return {
        perSecond: milliseconds.length / seconds,
        latency: (percent) => percentile(milliseconds, percent),
      }
    },
  }
}

async function open(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  await once(socket, 'connect')
  return socket
}

/** Sends one request after the other until there is no next one, and records how long each took. */
function keepBusy(socket: Socket, next: () => Buffer | undefined, milliseconds: number[]): Promise<void> {
  return new Promise((resolve, reject) => {
    let sentAt = 0
    const send = () => {
      const bytes = next()
      if (bytes === undefined) return resolve()
      sentAt = performance.now()
      socket.write(bytes)
    }
    const receive = answerReader((status) => {
      if (status < 200 || status > 299) return reject(new Error(`answered ${status}`))
      milliseconds.push(performance.now() - sentAt)
      send()
    })
    socket.on('data', receive)
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('the connection was closed')))
    socket.setTimeout(longestAnswerMilliseconds, () => reject(new Error('no answer in time')))
    send()
  })
}

/** Parses only the status and the content length, which both sides of a row declare. */
function answerReader(onAnswer: (status: number) => void): (chunk: Buffer) => void {
  let head: Buffer | undefined
  let status = 0
  let bodyBytesLeft = 0
  return (chunk) => {
    if (bodyBytesLeft > 0) {
      bodyBytesLeft -= chunk.length
    } else {
      head = head ? Buffer.concat([head, chunk]) : chunk
      const headEnd = head.indexOf('\r\n\r\n')
      if (headEnd === -1) return
      const text = head.toString('latin1', 0, headEnd)
      status = Number(text.slice(9, 12))
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1])
      bodyBytesLeft = headEnd + 4 + length - head.length
      head = undefined
    }
    if (bodyBytesLeft === 0) onAnswer(status)
    // Also if no length is declared, which makes it NaN.
    else if (!(bodyBytesLeft > 0)) onAnswer(0)
  }
}
