import { errorCode } from './unless-missing.ts'

const unreachable = new Set([
  'CONNECT_TIMEOUT',
  'CONNECTION_CLOSED',
  // Also for a server that is not the primary, where several are named.
  'CONNECTION_DESTROYED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
  // A unix socket that does not exist yet.
  'ENOENT',
  // PostgreSQL is starting or stopping, or all its connections are taken.
  '57P01',
  '57P02',
  '57P03',
  '53300',
])

/** True if the same statement may succeed later. */
export const isUnreachable = (error: unknown): boolean => unreachable.has(errorCode(error) ?? '')
