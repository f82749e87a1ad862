// A tenant that sends as many requests as the rate limit of an account allows, in its own process.
import { setTimeout as sleep } from 'node:timers/promises'
import { answerBench } from './process.ts'

export interface Attack {
  token: string
  /** Sent in turn by all clients together. */
  calls: { url: string; body: object }[]
  clients: number
}

export type Order = { start: Attack } | { stop: true }

/** How many answers of each call had which status; 0 counts broken connections. */
export type Statuses = Record<number, number>[]

/** The default of CARDINAL_RATE_LIMIT for one account. */
const callsPerMinute = 1200

let running: { isStopping: boolean; ended: Promise<Statuses> } | undefined

answerBench(async (order: Order): Promise<Statuses> => {
  if ('start' in order) {
    const state = { isStopping: false, ended: Promise.resolve<Statuses>([]) }
    state.ended = attack(order.start, state)
    running = state
    return []
  }
  if (!running) return []
  running.isStopping = true
  return running.ended
})

async function attack({ token, calls, clients }: Attack, state: { isStopping: boolean }): Promise<Statuses> {
  const statuses: Statuses = calls.map(() => ({}))
  let sent = 0
  const pauseMilliseconds = (clients * 60_000) / callsPerMinute
  const client = async (number: number) => {
    await sleep((pauseMilliseconds * number) / clients)
    while (!state.isStopping) {
      const index = sent++ % calls.length
      const [call, counted] = [calls[index], statuses[index]] as [Attack['calls'][number], Statuses[number]]
      const pause = sleep(pauseMilliseconds)
      const status = await answerTo(call, token)
      counted[status] = (counted[status] ?? 0) + 1
      await pause
    }
  }
  await Promise.all(Array.from({ length: clients }, (_, number) => client(number)))
  return statuses
}

/** Reads the whole response and discards it. */
async function answerTo({ url, body }: Attack['calls'][number], token: string): Promise<number> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    })
    for await (const _chunk of response.body ?? []);
    return response.status
  } catch {
    return 0
  }
}
