import { type ConnectOptions, connect, usualLimits } from './connect.ts'
import type { Address } from './server-address.ts'

/** The connection pools of an instance, separated so that one kind of work never waits for another; docs/operating.md has the total. */
export function openPools(
  address: Address,
  { onNews, onEffectFailure }: Required<Pick<ConnectOptions, 'onNews' | 'onEffectFailure'>>,
) {
  const connectTo = (options: ConnectOptions) => connect(address, { longestSilenceSeconds, ...options })
  const pools = {
    /** Looks up callers, so the time limit is short. */
    identity: connectTo({ ...ofCallers, longestStatementSeconds: 5 }),
    signIn: connectTo({ ...ofCallers, onEffectFailure }),
    /** The requests themselves, in turns. Writers may wait for a project's lock, so readers have their own pool. */
    reads: connectTo({
      ...{ connections: requestConnections, onNews, onEffectFailure },
      // An operation that changes something and does not declare it would wait for locks in the place of reads.
      isReadOnly: true,
    }),
    writes: connectTo({ connections: requestConnections, onNews, onEffectFailure }),
    live: connectTo({ connections: 2, longestLockWaitSeconds }),
    /** Follows events for the inbox and the figures; it changes no project and does not wait for those who do. */
    inbox: connectTo({ connections: 1 }),
    /** Rollouts and jobs. */
    background: connectTo({ connections: 4, onNews, onEffectFailure }),
  }
  return { ...pools, all: pools, end: () => Promise.all(Object.values(pools).map((pool) => pool.end())) }
}

/** Of a lookup: shorter than its time limit, so that a locked table is answered as busy and not as an error. */
const longestLockWaitSeconds = 4

/** PostgreSQL ends any statement before. A database that hangs for less than this is waited for. */
export const longestSilenceSeconds = usualLimits.statement + 5

const ofCallers = { connections: 2, longestLockWaitSeconds, findsByKeys: true }

/** For reads and for writes each. */
export const requestConnections = 10

export const replicaConnections = 10

export type Pools = ReturnType<typeof openPools>
