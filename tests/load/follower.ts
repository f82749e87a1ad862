// Follows the event stream of a project across outages, as a browser does.
import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '#database/connect.ts'
import { parseCursor } from '#live/cursor.ts'
import { openStream } from '../event-stream.ts'
import { eventually } from '../running.ts'
import type { Where } from './caller.ts'

export interface Follower {
  /** Asserts that it has received, once and in order, every event since its last `reset`. */
  assertComplete(db: Database): Promise<void>
  stop(): Promise<void>
}

const reconnectMilliseconds = 50
/** After a test that failed, nobody stops it. */
const unattended = { ref: false }

export function startFollower(where: Where, token: () => string, projectId: number): Follower {
  const over = new AbortController()
  /** Where it began, or was told to load everything again. */
  let base: string | undefined
  let cursor: string | undefined
  let received: number[] = []

  async function follow() {
    while (!over.signal.aborted) {
      await readOne().catch(() => {})
      await delay(reconnectMilliseconds, undefined, unattended)
    }
  }

  async function readOne() {
    const since = cursor === undefined ? {} : { since: cursor }
    const stream = await openStream({ url: where() }, token(), {
      ...since,
      query: `?project_id=${projectId}`,
    })
    let read = 0
    while (!stream.hasEnded() || read < stream.messages.length) {
      for (const { event, id, events } of stream.messages.slice(read)) {
        read++
        if (event === 'beat') continue
        cursor = id
        if (event === 'reset' || base === undefined) {
          base = id
          received = []
        } else received.push(...events.map((one) => one.id))
      }
      if (over.signal.aborted) await stream.close()
      else await delay(5, undefined, unattended)
    }
  }

  const following = follow()
  return {
    assertComplete: ({ sql }) =>
      eventually(async () => {
        const from = parseCursor(base ?? '')?.version
        assert.ok(from !== undefined, 'the stream has begun')
        const events = await sql<{ id: number }[]>`
          select id from events where project_id = ${projectId} and id > ${from} order by id`
        assert.deepEqual(
          received,
          events.map(({ id }) => id),
        )
      }),
    async stop() {
      over.abort()
      await following
    },
  }
}
