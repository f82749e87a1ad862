import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import type { LiveEvent } from '#live/live-event.ts'
import { observedFetch } from './observed-fetch.ts'
import type { TestService } from './service.ts'

interface Message {
  event: string
  id: string
  events: LiveEvent[]
  /** Of a message about another project. */
  project_id?: number
}

const path = '/services/operations/v1/operations/events/stream'

/** Reads a stream of server-sent events as a browser would. */
export async function openStream(
  service: Pick<TestService, 'url'>,
  token: string,
  { since, query = '' }: { since?: string; query?: string } = {},
) {
  const abort = new AbortController()
  const response = await observedFetch(`${service.url}/api${path}${query}`, {
    headers: { authorization: `Bearer ${token}`, ...(since !== undefined && { 'last-event-id': since }) },
    signal: abort.signal,
  })
  const messages: Message[] = []
  let hasEnded = false
  const reading = response.status === 200 ? read() : undefined

  async function read() {
    let text = ''
    try {
      for await (const chunk of response.body as ReadableStream<Uint8Array>) {
        text += new TextDecoder().decode(chunk)
        const blocks = text.split('\n\n')
        text = blocks.pop() as string
        for (const block of blocks) if (block !== ':') messages.push(parse(block))
      }
    } catch {
      // The test closed it.
    }
    hasEnded = true
  }

  return {
    response,
    messages,
    events: () => messages.flatMap((message) => message.events),
    hasEnded: () => hasEnded,
    /** A beat has none. */
    lastId: () => messages.findLast(({ id }) => id !== '')?.id as string,
    async close() {
      abort.abort()
      await reading
    },
  }
}

function parse(block: string): Message {
  // Only these end a line of the stream; a pattern would also end it at a line separator in a text.
  const lines = block.split('\n')
  const field = (name: string) =>
    lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2) ?? ''
  return { event: field('event'), id: field('id'), events: [], ...JSON.parse(field('data')) }
}

/** Waits until the condition is true. */
export async function until(isTrue: () => boolean | Promise<boolean>, what: string, seconds = 30) {
  const deadline = Date.now() + seconds * 1000
  while (!(await isTrue())) {
    assert.ok(Date.now() < deadline, `${what} did not happen within ${seconds} s`)
    await delay(10)
  }
}
