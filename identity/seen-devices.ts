// Remembers on which devices an account was used, and tells its owner of a sign-in on another one.
import type { Origin } from '#audit/record.ts'
import { addressKey } from '#contract/rate-limit.ts'
import type { Queries } from '#database/connect.ts'
import { circumstancesOf, tellOwner } from './notices.ts'
import { programIn } from './program.ts'
import type { Device } from './sessions.ts'
import { sha256 } from './tokens.ts'

/** Of one account; a script with ever new names cannot add more rows, and causes at most so many mails in half a year. */
const mostDevices = 100
const forgottenDays = 180

/** Programs change their version often, so only names count. */
const programOf = (userAgent: string) => userAgent.replace(/[\d._]+/g, '')

export const deviceKey = ({ address, userAgent }: Pick<Device, 'address' | 'userAgent'>) =>
  sha256(`${addressKey(address)}\n${programOf(userAgent)}`)

/**
 * Notes the device of a sign-in, in its transaction. The first device of an account is nothing new, nor is one whose cookie says that it
 * has signed in before.
 */
export async function noteDevice(
  queries: Queries,
  userId: number,
  { address, userAgent, isKnown }: Device & { isKnown: boolean },
  origin: Origin,
): Promise<void> {
  const key = deviceKey({ address, userAgent })
  const [noted] = await queries.sql<{ is_new: boolean; others: number }[]>`
    with others as (select count(*) as count from seen_devices where user_id = ${userId})
    insert into seen_devices as seen (user_id, key)
    select ${userId}::bigint, ${key}::bytea from others where others.count < ${mostDevices}
      or exists (select from seen_devices where user_id = ${userId} and key = ${key})
    on conflict (user_id, key) do update set last_at = now()
    returning xmax = 0 as is_new, (select count from others) as others`
  if (!noted?.is_new || noted.others === 0 || isKnown) return
  await tellOwner(queries, userId, 'new_device', (email) => ({
    email,
    device: deviceName(userAgent),
    ...circumstancesOf(origin),
  }))
}

function deviceName(userAgent: string): string {
  const { browser, system } = programIn(userAgent)
  return browser && system ? `${browser}, ${system}` : (browser ?? system ?? userAgent.slice(0, 60))
}

/** Forgets devices that were not used for long. */
export async function forgetDevices({ sql }: Queries): Promise<void> {
  await sql`delete from seen_devices where last_at < now() - make_interval(days => ${forgottenDays})`
}
