// Opens, lists and ends sessions. The cookie that carries one to a browser is in cookie.ts.
import { type Origin, recordEntry } from '#audit/record.ts'
import type { Database, Queries } from '#database/connect.ts'
import { newToken, sha256 } from './tokens.ts'

export const sessionDays = 30
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

/** Opens a session and returns its token, which is stored nowhere. */
export async function openSession(
  { sql }: Queries,
  { userId, secondFactor }: { userId: number; secondFactor: boolean },
  { address, userAgent, carrier }: Device,
): Promise<string> {
  const token = newToken()
  await sql`
    insert into sessions (token_hash, user_id, carrier, second_factor, address, user_agent, expires_at)
    values (${sha256(token)}, ${userId}, ${carrier}, ${secondFactor}, ${address},
      ${userAgent.replaceAll('\0', '').slice(0, 255)}, now() + ${`${sessionDays} days`}::interval)`
  return token
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
): Promise<{ second_factor: boolean } | undefined> {
  const [session] = await sql<{ second_factor: boolean }[]>`
    select s.second_factor from users u join sessions s on s.user_id = u.id
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
    from sessions where user_id = ${userId} and expires_at > now() order by id desc limit 200`
}

/** Returns false if the user has no such session. */
export function endSession(
  db: Database,
  { userId, id }: { userId: number; id: number },
  origin: Origin,
): Promise<boolean> {
  return db.transaction(async (queries) => {
    const ended = await queries.sql`delete from sessions where user_id = ${userId} and id = ${id}`
    if (ended.count === 0) return false
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
    const { count } = await queries.sql`
      delete from sessions where user_id = ${userId} and id is distinct from ${keptId}`
    await recordEntry(queries, origin, { kind: 'sessions.ended', accountId: userId, details: { count } })
    return count
  })
}
