// The mails that a demo on this machine would send; routes/outbox.ts shows them.
import type { Queries } from '#database/connect.ts'
import type { StoredMail } from './writing.ts'

/** How the service sends mails: by SMTP, into the outbox of a demo, or not at all. */
export const mailWays = ['smtp', 'outbox', 'none'] as const
export type MailWay = (typeof mailWays)[number]

/**
 * Whether the outbox can be read. It shows links that sign people in, so it is open only while the demo is: then anyone who reaches the
 * machine can sign in to the demo's accounts anyway.
 */
async function isOutboxOpen({ sql }: Queries): Promise<boolean> {
  return (await sql`select from users where is_demo and disabled_at is null limit 1`).length > 0
}

/** How mails are sent at this moment: not at all once the outbox is closed. */
export const openWay = async (queries: Queries, way: MailWay): Promise<MailWay> =>
  way === 'outbox' && !(await isOutboxOpen(queries)) ? 'none' : way

/** Whether mails reach anybody. */
export const canMail = async (queries: Queries, way: MailWay): Promise<boolean> =>
  (await openWay(queries, way)) !== 'none'

export interface OutboxMail extends StoredMail {
  secret: string | null
  created_at: string
}

const mostListed = 100

/** The newest mails, or undefined if the outbox is closed. */
export async function listOutbox(queries: Queries): Promise<OutboxMail[] | undefined> {
  if (!(await isOutboxOpen(queries))) return undefined
  return queries.sql<OutboxMail[]>`
    select id, key, kind, to_address, language, content, secret, created_at from mails
    where send_at is not null order by id desc limit ${mostListed}`
}

export async function readOutbox(queries: Queries, id: number): Promise<OutboxMail | undefined> {
  return (await listOutbox(queries))?.find((one) => one.id === id)
}
