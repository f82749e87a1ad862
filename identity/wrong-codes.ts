// Wrong two-factor codes after a correct password, stored until the account's owner has seen them.
import { addressKey } from '#contract/rate-limit.ts'
import type { Queries } from '#database/connect.ts'

export async function rememberWrongCode({ sql }: Queries, userId: number, address: string): Promise<void> {
  await sql`
    insert into wrong_codes as known (user_id, address, count, last_at)
    values (${userId}, ${addressKey(address)}, 1, now())
    on conflict (user_id, address) do update set count = known.count + 1, last_at = now()`
}

/** More could be from somebody else behind the same IP address. */
const mostOwnSlips = 2

/** A few wrong codes from the IP address of a successful sign-in were the person's own mistakes. */
export async function forgetOwnSlips({ sql }: Queries, userId: number, address: string): Promise<void> {
  await sql`
    delete from wrong_codes
    where user_id = ${userId} and address = ${addressKey(address)} and count <= ${mostOwnSlips}`
}

export async function forgetWrongCodes({ sql }: Queries, userId: number): Promise<void> {
  await sql`delete from wrong_codes where user_id = ${userId}`
}

/** `u` is the user; null if there is nothing to report. */
export const wrongCodesColumn = `
  (select json_build_object('count', sum(w.count), 'last_at', wire_time(max(w.last_at)),
      'last_address', (array_agg(w.address order by w.last_at desc))[1])
    from wrong_codes w where w.user_id = u.id having count(*) > 0) as wrong_codes`

export interface WrongCodes {
  count: number
  last_at: string
  last_address: string
}

/** The accounts whose password someone else seems to know, latest first; for the command line. */
export function listWrongCodes({ sql }: Queries) {
  return sql<(WrongCodes & { email: string })[]>`
    select u.email, sum(w.count) as count, max(w.last_at) as last_at,
      (array_agg(w.address order by w.last_at desc))[1] as last_address
    from wrong_codes w join users u on u.id = w.user_id group by u.id order by max(w.last_at) desc`
}
