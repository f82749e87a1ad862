import { connect, type OnNews } from './connect.ts'
import type { DatabaseAddress } from './embedded.ts'

/** The connections of an instance, apart by who must not wait for whom; docs/operating.md has their sum, with the one that listens. */
export function openPools(address: DatabaseAddress | string, onNews: OnNews) {
  const pools = {
    /** Who is calling: reads by key alone, which is why they are cut off soon. */
    identity: connect(address, { connections: 2, longestStatementSeconds: 5 }),
    signIn: connect(address, { connections: 2 }),
    /** What callers have asked for: everybody takes turns. Who changes a project may wait for its lock, which no reader waits for. */
    reads: connect(address, { connections: requestConnections, onNews }),
    writes: connect(address, { connections: requestConnections, onNews }),
    live: connect(address, { connections: 2 }),
    /** Pushes, and what is done by the hour. */
    background: connect(address, { connections: 4, onNews }),
  }
  return { ...pools, end: () => Promise.all(Object.values(pools).map((pool) => pool.end())) }
}

/** For each of the two. */
export const requestConnections = 10

export type Pools = ReturnType<typeof openPools>
