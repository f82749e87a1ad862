import { isIPv6, SocketAddress } from 'node:net'
import type { Redis } from 'ioredis'

export interface Count {
  limit: number
  remaining: number
  /** Set when this request is over the limit: whole seconds until the window ends. */
  retryAfterSeconds?: number
}

/** Counts a request for a key, or a large one as several, in a fixed window that starts with the key's first request. */
export type Counter = (key: string, limit: number, requests?: number) => Count | Promise<Count>

const windowMilliseconds = 60_000

function count(used: number, limit: number, millisecondsLeft: number): Count {
  const remaining = Math.max(0, limit - used)
  if (used <= limit) return { limit, remaining }
  return { limit, remaining, retryAfterSeconds: Math.max(1, Math.ceil(millisecondsLeft / 1000)) }
}

/** `clock` must not jump: a window that ends an hour later would refuse requests for an hour. */
export function memoryCounter(clock = () => performance.now()): Counter {
  const windows = new Map<string, { used: number; endsAt: number }>()
  let sweepAt = clock() + windowMilliseconds
  return (key, limit, requests = 1) => {
    const now = clock()
    if (now >= sweepAt) {
      sweepAt = now + windowMilliseconds
      for (const [name, window] of windows) if (window.endsAt <= now) windows.delete(name)
    }
    let window = windows.get(key)
    if (!window || window.endsAt <= now) {
      window = { used: 0, endsAt: now + windowMilliseconds }
      windows.set(key, window)
    }
    window.used += requests
    return count(window.used, limit, window.endsAt - now)
  }
}

/**
 * One count for all instances; while Redis does not answer, each instance counts for itself. Only calls that were under way wait for it then:
 * one at a time of the others asks whether it answers again, and none waits.
 */
export function redisCounter(redis: Redis, prefix: string): Counter {
  const fallback = memoryCounter()
  let isSilent = false
  let isAsking = false
  const ask = async (key: string, limit: number, requests: number) => {
    const name = `${prefix}${key}`
    const replies = await redis
      .multi()
      .set(name, 0, 'PX', windowMilliseconds, 'NX')
      .incrby(name, requests)
      .pttl(name)
      .exec()
    const [, [, used] = [], [, left] = []] = replies ?? []
    // Only if the clock of Redis has gone back.
    if (Number(left) > windowMilliseconds) await redis.pexpire(name, windowMilliseconds)
    return count(Number(used), limit, Math.min(Number(left), windowMilliseconds))
  }
  const askAgain = async (...asked: Parameters<typeof ask>) => {
    isAsking = true
    isSilent = await ask(...asked).then(
      () => false,
      () => true,
    )
    isAsking = false
  }
  return async (key, limit, requests = 1) => {
    if (isSilent) {
      if (!isAsking) void askAgain(key, limit, requests)
      return fallback(key, limit, requests)
    }
    try {
      return await ask(key, limit, requests)
    } catch {
      isSilent = true
      return fallback(key, limit, requests)
    }
  }
}

/** One counter per IPv4 address and per /64 of IPv6, because one subscriber has the whole /64. */
export const addressKey = (address: string) => prefixOf(address, 64)

/** The /24 of an IPv4 address or the /48 of an IPv6 address: the least that a network is given. */
export const siteKey = (address: string) => prefixOf(address, 48).replace(/^(\d+\.\d+\.\d+)\.\d+$/, '$1.0/24')

function prefixOf(address: string, bits: 48 | 64): string {
  if (!isIPv6(address)) return address
  // A proxy may write an address with capitals, leading zeros or a zone, or an IPv4 address in hexadecimal.
  const { address: normal } = new SocketAddress({ address, family: 'ipv6' })
  const mapped = /^::ffff:(.*\..*)$/.exec(normal)?.[1]
  if (mapped !== undefined) return mapped
  const [head = '', tail = ''] = normal.split('::')
  const [start, end] = [head, tail].map((part) => part.split(':').filter((group) => group !== '')) as [
    string[],
    string[],
  ]
  const zeros = Array<string>(8 - start.length - end.length).fill('0')
  return `${[...start, ...zeros, ...end].slice(0, bits / 16).join(':')}::/${bits}`
}
