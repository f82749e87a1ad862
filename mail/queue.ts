import type { Queries } from '#database/connect.ts'
import type { Language } from '#languages/known.ts'
import { catalogue, type MailName, type ValuesOf } from './catalogue.ts'

export interface NewMail<Name extends MailName> {
  kind: Name
  to: string
  language: Language
  values: ValuesOf<Name>
  /** The secret of the mail's link, encrypted: the database holds links only as hashes. */
  sealedSecret?: string
}

/** Adds a mail in the transaction of what causes it. It is sent after the commit, within some seconds, and not at all if that does not come. */
export async function queueMail<Name extends MailName>(
  { sql }: Queries,
  { kind, to, language, values, sealedSecret }: NewMail<Name>,
): Promise<void> {
  await sql`
    insert into mails (kind, to_address, language, content, secret, expires_at)
    values (${kind}, ${to}, ${language}, ${JSON.stringify(values)}::text::jsonb, ${sealedSecret ?? null},
      now() + make_interval(secs => ${catalogue[kind].hours * 3600}))`
}
