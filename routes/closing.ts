// How the server ends: first it tells everybody, then it waits for what is running, then it closes its connections.
import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** Longer than the statement timeout. */
const longestStopMilliseconds = 35_000

interface Closing {
  isClosing(): boolean
  /** From now on `ready` answers 503, and every answer ends its connection if there is time to connect again. */
  drain(hurry?: AbortSignal): Promise<void>
  close(hurry?: AbortSignal): Promise<void>
}

/**
 * @param drainSeconds how long requests are still taken, so that the load balancer has seen `ready` or the end of its
 * connections, and sends none to a closed one
 */
export function closingOf(app: FastifyInstance, drainSeconds: number): Closing {
  /** Each answer is in an object that is emptied at its end (docs/architecture.md, requests leave nothing behind). */
  const running = new Set<{ response: ServerResponse | undefined }>()
  let isClosing = false
  app.server.on('request', (_request, response) => {
    const one: { response: ServerResponse | undefined } = { response }
    running.add(one)
    response.once('close', () => {
      running.delete(one)
      one.response = undefined
    })
    if (isClosing) endAfter(response)
  })

  /** Without a drain time, a client asked to reconnect would find no service. */
  const endAfter = (response: ServerResponse) => {
    if (drainSeconds > 0) response.shouldKeepAlive = false
  }

  return {
    isClosing: () => isClosing,
    async drain(hurry) {
      isClosing = true
      for (const { response } of running) if (response) endAfter(response)
      if (drainSeconds > 0)
        await sleep(drainSeconds * 1000, undefined, hurry && { signal: hurry }).catch(() => {})
    },
    async close(hurry) {
      const deadline = performance.now() + longestStopMilliseconds
      // Idle connections would otherwise hold it for a minute or more.
      const sweep = setInterval(() => {
        if (running.size === 0 || hurry?.aborted || performance.now() > deadline)
          app.server.closeAllConnections()
        else app.server.closeIdleConnections()
      }, 20)
      await app.close()
      clearInterval(sweep)
    },
  }
}
