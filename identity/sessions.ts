// Opens, lists and ends sessions. The cookie that carries one to a browser is in cookie.ts.
import { type Origin, recordEntry } from '#audit/record.ts'
import type { Fragment } from '#database/assignments.ts'
import type { Database, Queries } from '#database/connect.ts'
import { newToken, sha256 } from './tokens.ts'

/** How long sessions last, as the operator has set. */
export interface Lifetimes {
  /** After sign-in, however often the session is used. */
  days: number
  /** After the last use. */
  idleHours: number
}

/** Of one user; beyond it the one that was used longest ago ends. */
export const mostSessions = 100

/** The token of an ended session is answered with a 401 that says why. */
export const endReasons = {
  expired: 'The session has reached its longest lifetime. Sign in again.',
  idle: 'The session was not used for too long. Sign in again.',
  revoked: 'The session was ended from another one of the same user, or by signing out.',
  replaced: 'A newer token was given in its place.',
  password_changed: 'The password was changed. Sign in with the new one.',
  second_factor_changed: 'Two-factor authentication was set up or reset. Sign in again.',
  limit_reached: 'The user signed in elsewhere too often, and this session was used longest ago.',
  account_disabled: 'The account was disabled.',
  account_closed: 'The account was closed by its owner.',
} as const

export type EndReason = keyof typeof endReasons

export const cookieName = '__Host-cardinal'

export const carriers = ['bearer', 'cookie'] as const
export type Carrier = (typeof carriers)[number]

/** Where a session is used. */
export interface Device {
  address: string
  userAgent: string
  /** How requests carry the token. */
  carrier: Carrier
}

interface NewSession {
  userId: number
  secondFactor: boolean
  /** The passkey that opened it. */
  passkeyId?: number | null
  lifetimes: Lifetimes
}

/** Opens a session. Returns its token, which is stored nowhere, and how many others ended because there were too many. */
export async function openSession(
  queries: Queries,
  { userId, secondFactor, passkeyId = null, lifetimes }: NewSession,
  device: Device,
): Promise<{ token: string; ended: number }> {
  const token = newToken()
  const session = { token, userId, secondFactor, passkeyId, lifetimes }
  // The caller has locked the user, so that sign-ins at the same time do not miss each other's sessions. The statement does not see the new one.
  const surplus = await queries.sql<{ id: number }[]>`
    with opened as (${insertSession(queries.sql, session, device, queries.sql``)}), ended as (
      delete from sessions where id in (
        select id from sessions where user_id = ${userId} order by last_used_at desc, id desc offset ${mostSessions - 1})
      returning id, token_hash, user_id
    ), explained as (
      insert into ended_sessions (token_hash, user_id, reason) select token_hash, user_id, 'limit_reached' from ended
    )
    select id from ended`
  if (surplus.length > 0) await forgetEnded(queries, userId)
  return { token, ended: surplus.length }
}

/** The statement that adds a session, only if `from` has a row; an empty `from` always adds one. */
export function insertSession(
  sql: Queries['sql'],
  { token, userId, secondFactor, passkeyId, lifetimes }: Required<NewSession> & { token: string },
  { address, userAgent, carrier }: Device,
  from: Fragment,
) {
  const { days, idleHours } = lifetimes
  return sql<{ id: number }[]>`
    insert into sessions (token_hash, user_id, carrier, second_factor, passkey_id, address, user_agent, ends_at, expires_at)
    select ${sha256(token)}, ${userId}, ${carrier}, ${secondFactor}, ${passkeyId}, ${address},
      ${userAgent.replaceAll('\0', '').slice(0, 255)}, now() + make_interval(days => ${days}),
      now() + least(make_interval(days => ${days}), make_interval(hours => ${idleHours}))
    ${from}
    returning id`
}

/** Of one user; a token of one that ended before these is refused without saying why. */
const mostEnded = 1000

async function forgetEnded({ sql }: Queries, userId: number): Promise<void> {
  await sql`
    delete from ended_sessions where user_id = ${userId} and ended_at < (
      select ended_at from ended_sessions where user_id = ${userId} order by ended_at desc offset ${mostEnded - 1} limit 1)`
}

/** Ends all sessions of a user, one of them, or all but one, and stores why. Returns how many. */
export async function end(
  queries: Queries,
  { userId, id = null, keptId = null }: { userId: number; id?: number | null; keptId?: number | null },
  reason: EndReason,
): Promise<number> {
  const { count } = await queries.sql`
    with ended as (
      delete from sessions where user_id = ${userId} and id = coalesce(${id}::bigint, id) and id is distinct from ${keptId}::bigint
      returning token_hash, user_id)
    insert into ended_sessions (token_hash, user_id, reason) select token_hash, user_id, ${reason} from ended`
  if (count > 0) await forgetEnded(queries, userId)
  return count
}

/** Why a session that is no longer valid has ended; `s` is its row. */
export const reasonOfExpiry = `case when s.expires_at < s.ends_at then 'idle' else 'expired' end`

/** Deletes the sessions that are no longer valid, and stores why. */
export async function sweepSessions(queries: Queries): Promise<void> {
  await queries.run(
    `with ended as (
       delete from sessions s where expires_at < now() returning token_hash, user_id, ${reasonOfExpiry} as reason, expires_at)
     insert into ended_sessions (token_hash, user_id, reason, ended_at) select token_hash, user_id, reason, expires_at from ended`,
    [],
  )
}

/**
 * Moves the end of a session on, after a use of it, and notes when its user was seen. It waits for no change of either, because all callers
 * are looked up on the same few connections; a later use does it.
 */
export async function extendSession(
  { sql }: Queries,
  { id, userId }: { id: number; userId: number },
  { idleHours }: Lifetimes,
): Promise<void> {
  await sql`
    with extended as (
      update sessions set last_used_at = now(), expires_at = least(ends_at, now() + make_interval(hours => ${idleHours}))
      where id = (select id from sessions where id = ${id} for no key update skip locked)
    )
    update users set last_seen_at = now() where id = (select id from users where id = ${userId} for no key update skip locked)`
}

/** For sessions of a time when they lasted longer. */
export async function shortenSessions({ sql }: Queries, { days, idleHours }: Lifetimes): Promise<void> {
  await sql`
    update sessions set ends_at = least(ends_at, created_at + make_interval(days => ${days})),
      expires_at = least(expires_at, created_at + make_interval(days => ${days}), last_used_at + make_interval(hours => ${idleHours}))
    where ends_at > created_at + make_interval(days => ${days}) or expires_at > last_used_at + make_interval(hours => ${idleHours})`
}

/** Notes that the user of a session has shown again that they are its owner: by the password, or a passkey. */
export async function notePassword({ sql }: Queries, sessionId: number): Promise<void> {
  await sql`update sessions set password_at = now() where id = ${sessionId}`
}

const recentMinutes = 15

/** Whether that was a short time ago; a time that is yet to come is from before the clock went back. */
export async function hasRecentPassword({ sql }: Queries, sessionId: number): Promise<boolean> {
  const found = await sql`
    select from sessions where id = ${sessionId} and password_at between now() - make_interval(mins => ${recentMinutes}) and now()`
  return found.length > 0
}

/** The session that makes a call, and its user. */
export interface OwnSession {
  userId: number
  sessionId: number
}

/** Locks the user for a sensitive change. Undefined if the session has ended since the call came, as after a change of the password. */
export async function lockSession(
  { sql }: Queries,
  { userId, sessionId }: OwnSession,
): Promise<{ second_factor: boolean; passkey_id: number | null } | undefined> {
  const [session] = await sql<{ second_factor: boolean; passkey_id: number | null }[]>`
    select s.second_factor, s.passkey_id from users u join sessions s on s.user_id = u.id
    where u.id = ${userId} and s.id = ${sessionId} for no key update of u for update of s`
  return session
}

interface Session {
  id: number
  carrier: Carrier
  second_factor: boolean
  address: string
  user_agent: string
  created_at: string
  last_used_at: string
  expires_at: string
  is_current: boolean
}

/** The valid sessions of a user, newest first; `currentId` is marked as the current one. */
export function listSessions(
  { sql }: Queries,
  { userId, currentId }: { userId: number; currentId: number },
): Promise<Session[]> {
  return sql<Session[]>`
    select id, carrier, second_factor, address, user_agent, created_at, last_used_at, expires_at, id = ${currentId} as is_current
    from sessions where user_id = ${userId} and expires_at > now() order by id desc`
}

/** Returns false if the user has no such session. */
export function endSession(
  db: Database,
  { userId, id }: { userId: number; id: number },
  origin: Origin,
): Promise<boolean> {
  return db.transaction(async (queries) => {
    if ((await end(queries, { userId, id }, 'revoked')) === 0) return false
    await recordEntry(queries, origin, { kind: 'session.ended', accountId: userId })
    return true
  })
}

/** Ends all sessions of a user, except the one to keep, and returns how many. */
export function endSessions(
  db: Database,
  { userId, keptId }: { userId: number; keptId: number | null },
  origin: Origin,
): Promise<number> {
  return db.transaction(async (queries) => {
    const count = await end(queries, { userId, keptId }, 'revoked')
    await recordEntry(queries, origin, { kind: 'sessions.ended', accountId: userId, details: { count } })
    return count
  })
}
