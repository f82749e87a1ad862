// The job that sends waiting mails. One instance works at a time (jobs/), and each mail is taken before it is sent.
import type { Database, Queries } from '#database/connect.ts'
import type { Log } from '../log.ts'
import { judgeError, type Sender, type Transport } from './transport.ts'
import { type StoredMail, writeMail } from './writing.ts'

const together = 40
const mostAttempts = 8
const firstRetrySeconds = 30
/** Two instances that take mails at the same moment differ by less. */
const slackSeconds = 60

export interface Means {
  transport: Transport
  from: Sender
  /** The address that people use. */
  baseUrl: string
  /** Decrypts the secret of a link. */
  open(sealed: string): string
}

interface TakenMail extends StoredMail {
  secret: string | null
  attempts: number
}

/**
 * The attempt counts from when the mail is taken, and the next one is later. So a sender that is killed has sent it or not, and it is
 * sent at most once more. After the clock was set back, a mail can seem to wait for longer than is possible; it is taken as well.
 */
const takeMails = ({ sql }: Queries) => sql<TakenMail[]>`
  update mails set attempts = attempts + 1, send_at = now() + make_interval(secs => ${firstRetrySeconds} * 2 ^ attempts)
  where id in (
    select id from mails
    where (send_at <= now() or send_at > now() + make_interval(secs => ${slackSeconds} + ${firstRetrySeconds} * 2 ^ (attempts - 1)))
      and expires_at > now()
    order by is_bulk, send_at limit ${together} for update skip locked)
  returning id, key, kind, to_address, language, content, secret, attempts`

/** Sends the mails that are due, until there is none, the server cannot be reached or the job has to end. */
export async function sendMails(
  db: Database,
  means: Means,
  { log, signal }: { log: Log; signal: AbortSignal },
): Promise<void> {
  await giveUpExpired(db, log)
  while (!signal.aborted) {
    const taken = await takeMails(db)
    if (taken.length === 0) return
    const reached = await Promise.all(taken.map((one) => sendOne(db, means, one, log)))
    if (reached.includes(false)) return
  }
}

/** False if the server could not be reached. */
async function sendOne(db: Database, means: Means, mail: TakenMail, log: Log): Promise<boolean> {
  const { transport, from, baseUrl, open } = means
  const { id, key, kind, attempts } = mail
  try {
    const secret = mail.secret === null ? '' : open(mail.secret)
    const domain = from.address.split('@').at(-1)
    await transport.send({
      ...writeMail(mail, { baseUrl, secret }),
      to: mail.to_address,
      messageId: `<${key}@${domain}>`,
    })
  } catch (error) {
    const { code, isFinal, isOfServer } = judgeError(error)
    const isLast = isFinal || attempts >= mostAttempts
    await db.sql`
      update mails set error = ${code}, send_at = case when ${isLast} then null else send_at end,
        secret = case when ${isLast} then null else secret end, content = case when ${isLast} then '{}' else content end
      where id = ${id}`
    // Without the error itself, because it quotes addresses.
    log.warn(
      { mail: id, kind, attempts, code },
      isLast ? 'a mail was given up' : 'a mail was not sent; it will be tried again',
    )
    return !isOfServer
  }
  await db.sql`
    update mails set sent_at = now(), send_at = null, content = '{}', secret = null, error = null where id = ${id}`
  log.info({ mail: id, kind }, 'mail sent')
  return true
}

async function giveUpExpired({ sql }: Queries, log: Log): Promise<void> {
  const expired = await sql<{ id: number; kind: string }[]>`
    update mails set send_at = null, content = '{}', secret = null
    where send_at is not null and expires_at <= now() returning id, kind`
  for (const { id, kind } of expired) log.warn({ mail: id, kind }, 'a mail was not sent in time and given up')
}

/** For a service that cannot send mails: nothing is left to wait. */
export async function dropMails({ sql }: Queries): Promise<void> {
  await sql`delete from mails where send_at is not null`
}

const keptDays = 30

/** Forgets what was sent, given up or shown in the outbox a while ago. */
export async function forgetMails({ sql }: Queries): Promise<void> {
  await sql`delete from mails where created_at < now() - make_interval(days => ${keptDays})`
}
