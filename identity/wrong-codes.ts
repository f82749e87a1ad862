// Wrong codes after a right password: remembered until the owner of the account has seen them.
import { addressKey } from '#contract/rate-limit.ts'
import type { Queries } from '#database/connect.ts'

export async function rememberWrongCode({ sql }: Queries, userId: number, address: string): Promise<void> {
  await sql`
    insert into wrong_codes as known (user_id, address, count, last_at)
    values (${userId}, ${addressKey(address)}, 1, now())
    on conflict (user_id, address) do update set count = known.count + 1, last_at = now()`
}

/** Those from the address of a sign-in that succeeded were the person's own slips. */
export async function forgetOwnSlips({ sql }: Queries, userId: number, address: string): Promise<void> {
  await sql`delete from wrong_codes where user_id = ${userId} and address = ${addressKey(address)}`
}

export async function forgetWrongCodes({ sql }: Queries, userId: number): Promise<void> {
  await sql`delete from wrong_codes where user_id = ${userId}`
}

/** `u` is the user; null where there is nothing to tell. */
export const wrongCodesColumn = `
  (select json_build_object('count', sum(w.count), 'last_at', wire_time(max(w.last_at)),
      'last_address', (array_agg(w.address order by w.last_at desc))[1])
    from wrong_codes w where w.user_id = u.id having count(*) > 0) as wrong_codes`

export interface WrongCodes {
  count: number
  last_at: string
  last_address: string
}

/** For operators: the accounts whose password somebody else seems to know, the latest first. */
export function listWrongCodes({ sql }: Queries) {
  return sql<(WrongCodes & { email: string })[]>`
    select u.email, sum(w.count) as count, max(w.last_at) as last_at,
      (array_agg(w.address order by w.last_at desc))[1] as last_address
    from wrong_codes w join users u on u.id = w.user_id group by u.id order by max(w.last_at) desc`
}
