// Shares a few slots, such as the connections of a pool, fairly between tenants and their users, which are plain names here.

/** Runs work when its turn has come. */
export type Turn = <Result>(work: () => Promise<Result>) => Promise<Result>

/** A request that waits and may be abandoned. */
interface Waiter {
  readonly isGone: boolean
  /** Returns a function that unsubscribes. */
  onGone(effect: () => void): () => void
}

export interface FairQueue {
  readonly running: number
  readonly waiting: number
  /** How many requests were refused so far, by reason. */
  readonly refused: Readonly<Record<Refused, number>>
  /** The turns of one request. After its first turn it may have done half of its work, so it waits longer and is refused only for that. */
  enter(tenant: string, user: string, waiter?: Waiter): Turn
}

type Refused = 'full' | 'late' | 'gone'

interface Limits {
  /** How many may run at the same time. */
  slots: number
  /** How many may wait at the same time. */
  places: number
  longestWaitMilliseconds: number
  /** The longest wait of a request that has had a turn. */
  longestPauseMilliseconds: number
  /**
   * Gives every second turn to the request that has waited longest. For tenants whose names anyone can make up: new names would come before
   * the second request of every other tenant, so that it waits in vain.
   */
  isAlsoByAge?: boolean
  /** The result of work is there at once, but its turn lasts twice as long, so that half of the time is left to others. */
  rests?: boolean
  /** All users of a tenant whose work took longer than this within the last minute share one slot. */
  longMilliseconds?: number
  refusal(hasBegun: boolean): Error
  now(): number
}

/** What a tenant or user holds; removed when it holds nothing. */
interface Share {
  name: string
  running: number
  waiting: number
  /** Time of finished work minus the start times of running work, so that `used + running * now` is the total time in slots. */
  used: number
}

interface Tenant extends Share {
  users: Shares<User>
  /** How much of what runs is of users with long work. */
  runningLong: number
}

interface User extends Share {
  tenant: Tenant
  hasLongWork: boolean
  /** Requests that have had a turn; they go before the others. */
  begun: Set<() => void>
  fresh: Set<() => void>
}

interface Shares<Kind extends Share> {
  byName: Map<string, Kind>
  /** The total time of the share that was served last; newcomers start with it. */
  clock: number
}

/**
 * A share may hold this many times what is free. Alone, a tenant gets 8 of 10 slots and a user 7; of 10 places 5 and 2. While others
 * wait, a tenant's limit is that of a user, because a tenant with many users would otherwise get twice as much.
 */
const most = { slots: { tenant: 4, user: 2 }, places: { tenant: 1, user: 1 / 4 } }
/** A share that has used less goes first, but it can be ahead by this much at most. */
const mostCreditMilliseconds = 1000
/** How long work that took long counts, and of how many users it is remembered. */
const longMemoryMilliseconds = 60_000
const mostRemembered = 1000

/**
 * The next slot goes to the tenant with the least time in slots, and within it to the user with the least. No share takes everything
 * that is free, so a newcomer finds a slot even if nothing ends for long.
 */
export function createFairQueue(limits: Limits): FairQueue {
  const tenants: Shares<Tenant> = { byName: new Map(), clock: 0 }
  let running = 0
  let waiting = 0
  const refused = { full: 0, late: 0, gone: 0 }
  /** The users of all requests that wait, those first who have waited longest. */
  const line = new Set<{ user: User }>()
  let isTurnByAge = false
  /** When the users last had long work, by tenant and user; the newest last. */
  const lastLong = new Map<string, number>()

  const freeSlots = () => limits.slots - running
  /** One slot is left to a newcomer; of two to four, the multiples of what is free would let several users of a tenant have all. */
  const mostOfTenant = Math.max(1, limits.slots - 1)
  const mayRun = ({ tenant, running, hasLongWork }: User) => {
    if (hasLongWork && tenant.runningLong > 0) return false
    const othersWait = waiting > tenant.waiting
    const ofTenant = othersWait ? most.slots.user : most.slots.tenant
    if (tenant.running >= mostOfTenant) return false
    return running < most.slots.user * freeSlots() && tenant.running < ofTenant * freeSlots()
  }
  const mayWait = ({ tenant, waiting: own }: User) => {
    const free = limits.places - waiting
    return own < most.places.user * free && tenant.waiting < most.places.tenant * free
  }

  function find(tenantName: string, userName: string): User {
    const tenant = findShare(tenants, tenantName, (share) => ({
      ...share,
      users: { byName: new Map(), clock: 0 },
      runningLong: 0,
    }))
    return findShare(tenant.users, userName, (share) => ({
      ...share,
      tenant,
      hasLongWork:
        (lastLong.get(nameOf(tenantName, userName)) ?? -Infinity) > limits.now() - longMemoryMilliseconds,
      begun: new Set(),
      fresh: new Set(),
    }))
  }

  function noteLongWork(user: User, now: number) {
    const name = nameOf(user.tenant.name, user.name)
    lastLong.delete(name)
    lastLong.set(name, now)
    const [oldest] = lastLong.keys()
    if (lastLong.size > mostRemembered) lastLong.delete(oldest as string)
    if (user.hasLongWork) return
    user.hasLongWork = true
    user.tenant.runningLong += user.running
  }

  function begin(user: User) {
    running++
    if (user.hasLongWork) user.tenant.runningLong++
    const now = limits.now()
    serve(tenants, user.tenant, now)
    serve(user.tenant.users, user, now)
  }

  function end(user: User) {
    running--
    if (user.hasLongWork) user.tenant.runningLong--
    const now = limits.now()
    release(user.tenant, now)
    release(user, now)
    forget(user)
    for (let next = nextUser(); next; next = nextUser()) {
      const [start] = next.begun.size > 0 ? next.begun : next.fresh
      start?.()
      isTurnByAge = limits.isAlsoByAge === true && !isTurnByAge
    }
  }

  function nextUser(): User | undefined {
    if (isTurnByAge) for (const { user } of line) if (mayRun(user)) return user
    const now = limits.now()
    const nextOf = ({ users }: Tenant) => leastServed(users, (user) => user.waiting > 0 && mayRun(user), now)
    const tenant = leastServed(tenants, (one) => one.waiting > 0 && nextOf(one) !== undefined, now)
    return tenant && nextOf(tenant)
  }

  function refusal(user: User, reason: Refused, hasBegun: boolean): Error {
    refused[reason]++
    forget(user)
    return limits.refusal(hasBegun)
  }

  function wait(user: User, hasBegun: boolean, waiter: Waiter | undefined): Promise<void> {
    if (!hasBegun && waiter?.isGone) throw refusal(user, 'gone', hasBegun)
    if (!hasBegun && !mayWait(user)) throw refusal(user, 'full', hasBegun)
    const count = (by: 1 | -1) => {
      waiting += by
      user.waiting += by
      user.tenant.waiting += by
    }
    return new Promise((resolve, reject) => {
      const starts = hasBegun ? user.begun : user.fresh
      const place = { user }
      const leave = () => {
        starts.delete(start)
        line.delete(place)
        count(-1)
        clearTimeout(timer)
        ignore?.()
      }
      const start = () => {
        leave()
        begin(user)
        resolve()
      }
      const refuse = (reason: Refused) => {
        leave()
        reject(refusal(user, reason, hasBegun))
      }
      starts.add(start)
      line.add(place)
      count(1)
      const longest = hasBegun ? limits.longestPauseMilliseconds : limits.longestWaitMilliseconds
      const timer = setTimeout(refuse, longest, 'late')
      const ignore = hasBegun ? undefined : waiter?.onGone(() => refuse('gone'))
    })
  }

  function forget(user: User) {
    const { tenant } = user
    if (user.running + user.waiting === 0) tenant.users.byName.delete(user.name)
    if (tenant.running + tenant.waiting === 0) tenants.byName.delete(tenant.name)
  }

  return {
    refused,
    get running() {
      return running
    },
    get waiting() {
      return waiting
    },
    enter(tenantName, userName, waiter) {
      let hasBegun = false
      return async (work) => {
        const user = find(tenantName, userName)
        // This overtakes no request: `end` starts waiting requests until none of them may run.
        if (mayRun(user)) begin(user)
        else await wait(user, hasBegun, waiter)
        hasBegun = true
        const startedAt = limits.now()
        try {
          return await work()
        } finally {
          const now = limits.now()
          const took = now - startedAt
          if (limits.longMilliseconds !== undefined && took > limits.longMilliseconds) noteLongWork(user, now)
          if (limits.rests) setTimeout(end, took, user).unref()
          else end(user)
        }
      }
    },
  }
}

/** Names of tenants have no line breaks. */
const nameOf = (tenant: string, user: string) => `${tenant}\n${user}`

function findShare<Kind extends Share>(
  { byName, clock }: Shares<Kind>,
  name: string,
  make: (share: Share) => Kind,
): Kind {
  const present = byName.get(name)
  if (present) return present
  const made = make({ name, running: 0, waiting: 0, used: clock })
  byName.set(name, made)
  return made
}

const had = ({ used, running }: Share, now: number) => used + running * now

function serve<Kind extends Share>(shares: Shares<Kind>, share: Kind, now: number) {
  share.used += Math.max(0, shares.clock - mostCreditMilliseconds - had(share, now))
  shares.clock = Math.max(shares.clock, had(share, now))
  share.running++
  share.used -= now
  // Moved to the end, so that shares with equal time take turns.
  shares.byName.delete(share.name)
  shares.byName.set(share.name, share)
}

function release(share: Share, now: number) {
  share.running--
  share.used += now
}

function leastServed<Kind extends Share>(
  { byName }: Shares<Kind>,
  isCandidate: (share: Kind) => boolean,
  now: number,
): Kind | undefined {
  let least: Kind | undefined
  for (const share of byName.values())
    if ((!least || had(share, now) < had(least, now)) && isCandidate(share)) least = share
  return least
}
