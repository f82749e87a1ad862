// Tells the owner of an account by mail what happened to it, so that they notice if it was somebody else. In the transaction of the change.
import type { Origin } from '#audit/record.ts'
import type { Queries } from '#database/connect.ts'
import { isLanguage, type Language } from '#languages/known.ts'
import type { MailName, ValuesOf } from '#mail/catalogue.ts'
import { queueMail } from '#mail/queue.ts'

/** The language of a person's mails. */
export const mailLanguage = (chosen: string | null): Language => (isLanguage(chosen) ? chosen : 'en')

/** Where and when something happened; a command has no address. */
export const circumstancesOf = ({ address }: Pick<Origin, 'address'>) => ({
  at: new Date().toISOString(),
  address,
})

/** Queues a mail to the owner of an account; the values are made from their address. */
export async function tellOwner<Name extends MailName>(
  queries: Queries,
  userId: number,
  kind: Name,
  valuesFor: (email: string) => ValuesOf<Name>,
): Promise<void> {
  const [user] = await queries.sql<{ email: string; language: string | null }[]>`
    select email, language from users where id = ${userId}`
  if (!user) return
  const { email, language } = user
  await queueMail(queries, { kind, to: email, language: mailLanguage(language), values: valuesFor(email) })
}

export const tellOfPassword = (queries: Queries, userId: number, origin: Origin): Promise<void> =>
  tellOwner(queries, userId, 'password_changed', (email) => ({ email, ...circumstancesOf(origin) }))

export const tellOfSecondFactor = (
  queries: Queries,
  userId: number,
  change: ValuesOf<'second_factor'>['change'],
  origin: Origin,
): Promise<void> =>
  tellOwner(queries, userId, 'second_factor', (email) => ({ email, change, ...circumstancesOf(origin) }))

export const tellOfPasskey = (
  queries: Queries,
  userId: number,
  change: Pick<ValuesOf<'passkey'>, 'change' | 'name'>,
  origin: Origin,
): Promise<void> =>
  tellOwner(queries, userId, 'passkey', (email) => ({ email, ...change, ...circumstancesOf(origin) }))
