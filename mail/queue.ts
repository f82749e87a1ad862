import type { Queries } from '#database/connect.ts'
import type { Language } from '#languages/known.ts'
import { catalogue, type MailName, type ValuesOf } from './catalogue.ts'

const isBulk = (kind: { isBulk?: true }) => kind.isBulk ?? false

/** Notified after the commit of what has to be sent; service.ts then hurries the job. */
export const mailChannel = 'cardinal_mail'

interface NewMail<Name extends MailName> {
  kind: Name
  to: string
  language: Language
  values: ValuesOf<Name>
  /** The secret of the mail's link, encrypted: the database holds links only as hashes. */
  sealedSecret?: string
}

/** Adds a mail in the transaction of what causes it. It is sent after the commit, at most some seconds later, and not at all if that does not come. */
export const queueMail = <Name extends MailName>(queries: Queries, mail: NewMail<Name>): Promise<void> =>
  queueMails(queries, [mail])

/** Adds several in one statement. */
export async function queueMails<Name extends MailName>(
  { sql }: Queries,
  mails: readonly NewMail<Name>[],
): Promise<void> {
  if (mails.length === 0) return
  const rows = mails.map(({ kind, to, language, values, sealedSecret }) => ({
    ...{ kind, to, language, values },
    secret: sealedSecret ?? null,
    seconds: catalogue[kind].hours * 3600,
    is_bulk: isBulk(catalogue[kind]),
  }))
  await sql`
    insert into mails (kind, to_address, language, content, secret, expires_at, is_bulk)
    select kind, "to", language, values, secret, now() + make_interval(secs => seconds), is_bulk
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb)
      as mail (kind text, "to" text, language text, values jsonb, secret text, seconds double precision,
        is_bulk boolean)
    returning case when not is_bulk then pg_notify(${mailChannel}, '') end`
}
