// What a request needs must not outlive it (docs/architecture.md, requests leave nothing behind).
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { constants, PerformanceObserver } from 'node:perf_hooks'
import test from 'node:test'
import { setImmediate as soon } from 'node:timers/promises'
import { getHeapSpaceStatistics } from 'node:v8'
import { createBoard } from './board.ts'
import { startTestService } from './service.ts'

const service = await startTestService()
/** Many, because work beside the requests also leaves something behind: the longer they take, the more it seems to be theirs. */
const connections = 32
const requestsInWindow = 3 * connections
const windows = 60
/** In the first requests V8 compiles their code, which it keeps. */
const warmUpWindows = 20

/** Sends a request on each connection, and waits for the answers, which are all of the same length. */
async function ask(sockets: Socket[], request: Buffer, answerBytes: number): Promise<void> {
  await Promise.all(
    sockets.map(async (socket) => {
      socket.write(request)
      for (let bytes = 0; bytes < answerBytes; ) {
        const [chunk] = await once(socket, 'data')
        bytes += (chunk as Buffer).length
      }
    }),
  )
}

/** Of a collection of garbage; the types of Node lack it. */
const kindOf = (entry: object) => (entry as { detail: { kind: number } }).detail.kind

const oldBytes = () =>
  getHeapSpaceStatistics().find(({ space_name: name }) => name === 'old_space')?.space_used_size as number

test('a request leaves less than 2.5 kB behind it', async () => {
  const { boardId, members } = await createBoard(service, { cards: 1 })
  const body = JSON.stringify({ id: boardId })
  const path = '/services/operations/v1/operations/boards/get'
  const request = Buffer.from(
    `POST /api${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${members.viewer.token}\r\n` +
      `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  )
  const { port } = new URL(service.url)
  const sockets = Array.from({ length: connections }, () => connect(Number(port), '127.0.0.1'))
  const [first] = sockets as [Socket]
  first.write(request)
  let answerBytes = 0
  let head = ''
  while (head === '' || answerBytes < Number(/content-length: (\d+)/.exec(head)?.[1]) + head.length) {
    const [chunk] = await once(first, 'data')
    answerBytes += (chunk as Buffer).length
    if (head === '') head = (chunk as Buffer).toString('latin1').split('\r\n\r\n')[0] as string
  }

  let fullCollections = 0
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      if (kindOf(entry) === constants.NODE_PERFORMANCE_GC_MAJOR) fullCollections++
  })
  observer.observe({ entryTypes: ['gc'] })
  let counted = 0
  let left = 0
  for (let window = -warmUpWindows; window < windows; window++) {
    const [collectionsBefore, bytesBefore] = [fullCollections, oldBytes()]
    for (let sent = 0; sent < requestsInWindow; sent += connections) await ask(sockets, request, answerBytes)
    const bytes = oldBytes() - bytesBefore
    await soon()
    await soon()
    // It would hide what was left.
    if (window < 0 || fullCollections > collectionsBefore) continue
    counted++
    left += bytes / requestsInWindow
  }
  observer.disconnect()
  for (const socket of sockets) socket.destroy()
  assert.ok(counted >= windows / 2, `only ${counted} of ${windows} windows had no full collection`)
  assert.ok(left / counted < 2500, `${Math.round(left / counted)} bytes are left of a request`)
})
