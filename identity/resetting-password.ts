// Lets somebody who forgot their password choose a new one, by a link in a mail. The request looks for no account, so its answer and its
// time say nothing about one; the job of the mails (jobs/repeating.ts) does.
import { type Origin, recordEntry } from '#audit/record.ts'
import { addressKey } from '#contract/rate-limit.ts'
import type { Database, Queries } from '#database/connect.ts'
import type { Language } from '#languages/known.ts'
import { canMail, type MailWay } from '#mail/outbox.ts'
import { mailChannel, queueMail } from '#mail/queue.ts'
import type { Log } from '../log.ts'
import { setPassword } from './accounts.ts'
import { beginAttempt, type Guessing, type Slowed } from './attempts.ts'
import { mailLanguage, tellOfPassword } from './notices.ts'
import { mailSecrets } from './sealed-link.ts'
import type { Secrets } from './secrets.ts'
import { newToken, sha256, tokenHash } from './tokens.ts'

const resetMinutes = 30
/** Of one account in an hour; further requests send nothing. */
const mostResets = 3

interface Request {
  email: string
  /** Of the browser, for people who have not chosen one. */
  language: Language
  address: string
  requestId: string
}

/** Counted for all accounts, so that nobody can fill the mailboxes of many people. */
const asking = (address: string): Guessing => ({
  key: sha256(`password resets\n${addressKey(address)}`),
  freeFailures: 9,
})

/** Notes the request. The answer is the same with and without an account. */
export async function requestReset(
  queries: Queries,
  { email, language, address, requestId }: Request,
  way: MailWay,
): Promise<'noted' | 'no mail' | Slowed> {
  const attempt = await beginAttempt(queries, asking(address))
  if ('refusal' in attempt) return attempt
  if (!(await canMail(queries, way))) return 'no mail'
  await queries.sql`
    insert into password_reset_requests (email, language, address, request_id)
    values (${email}, ${language}, ${address}, ${requestId}) returning pg_notify(${mailChannel}, '')`
  return 'noted'
}

/** Sends a link to the accounts that the requests are about; those without one are forgotten. */
export async function answerResetRequests(
  db: Database,
  { secrets, log, signal }: { secrets: Secrets; log: Log; signal: AbortSignal },
): Promise<void> {
  let isLeft = true
  while (isLeft && !signal.aborted)
    isLeft = await db.transaction(async (queries) => {
      const [request] = await queries.sql<
        { email: string; language: string; address: string; request_id: string }[]
      >`
        delete from password_reset_requests
        where id = (select id from password_reset_requests order by id limit 1 for update skip locked)
        returning email, language, address, request_id`
      if (request) await answerOne(queries, secrets, request, log)
      return request !== undefined
    })
}

async function answerOne(
  queries: Queries,
  secrets: Secrets,
  request: { email: string; language: string; address: string; request_id: string },
  log: Log,
): Promise<void> {
  const { sql } = queries
  const [user] = await sql<{ id: number; email: string; language: string | null; resets: number }[]>`
    select id, email, language, (
      select count(*) from password_resets r where r.user_id = u.id and r.created_at > now() - interval '1 hour') as resets
    from users u where lower(email) = lower(${request.email}) and disabled_at is null for no key update`
  if (!user || user.resets >= mostResets) return
  const token = newToken()
  await sql`
    insert into password_resets (token_hash, user_id, expires_at)
    values (${sha256(token)}, ${user.id}, now() + make_interval(mins => ${resetMinutes}))`
  await queueMail(queries, {
    kind: 'password_reset',
    to: user.email,
    language: mailLanguage(user.language ?? request.language),
    values: { email: user.email, minutes: resetMinutes },
    sealedSecret: mailSecrets(secrets).seal(token),
  })
  const origin: Origin = {
    source: 'api',
    actorId: null,
    address: request.address,
    requestId: request.request_id,
    log: (line) => log.info({ audit: line }, 'audit'),
  }
  await recordEntry(queries, origin, { kind: 'password.reset_requested', accountId: user.id })
}

interface ResettingUser {
  id: number
  email: string
  name: string
}

/** The account that a link belongs to; undefined if it was used, has expired or never existed. */
export async function findReset({ sql }: Queries, token: string): Promise<ResettingUser | undefined> {
  const hash = tokenHash(token)
  const [user] = hash
    ? await sql<ResettingUser[]>`
        select u.id, u.email, u.name from password_resets r
        join users u on u.id = r.user_id and u.disabled_at is null
        where r.token_hash = decode(${hash}, 'hex') and r.expires_at > now()`
    : []
  return user
}

/** Sets the password and ends all sessions, once for each link; the other links of the account stop working too. */
export function resetPassword(
  db: Database,
  { token, passwordHash }: { token: string; passwordHash: string },
  origin: Origin,
): Promise<'reset' | 'no link'> {
  return db.transaction(async (queries) => {
    const { sql } = queries
    const found = await findReset(queries, token)
    // Locked and read again, so that of two calls with one link only the first succeeds.
    if (found) await sql`select from users where id = ${found.id} for no key update`
    const user = found && (await findReset(queries, token))
    if (!user) return 'no link'
    await setPassword(queries, user.id, passwordHash)
    await recordEntry(queries, origin, { kind: 'password.reset', accountId: user.id })
    await tellOfPassword(queries, user.id, origin)
    return 'reset'
  })
}

/** Requests that were never answered, and links that can no longer be used but still count for the limit of an hour. */
export async function sweepResets({ sql }: Queries): Promise<void> {
  await sql`delete from password_reset_requests where created_at < now() - interval '1 day'`
  await sql`delete from password_resets where created_at < now() - interval '1 day'`
}
