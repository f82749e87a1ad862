import type { Fail } from '#contract/failure.ts'
import { flag, integer, nullable, record, text, timestamp } from '#contract/schema.ts'
import type { Passkeys } from '#identity/passkeys.ts'
import type { RelyingParty } from '#identity/relying-party.ts'

export const passkey = record({
  id: integer(),
  name: text(),
  is_synced: flag({ about: 'True if the passkey is also on other devices of the person.' }),
  created_at: timestamp(),
  last_used_at: nullable(timestamp({ about: 'Null if it was not used yet.' })),
})

export const longestName = 100

export const noPasskey = { passkey_not_found: 'You have no passkey with this id.' } as const

/** Declared by operations that make or use one. */
export const unavailable = {
  passkeys_unavailable:
    'Passkeys do not work at this address. The operator sets CARDINAL_PUBLIC_URL to an address with https and a host name.',
} as const

export const notAccepted = {
  passkey_not_accepted: 'The passkey was not accepted. Try again.',
} as const

/** Fails where passkeys cannot work. */
export function requireSite(passkeys: Passkeys, fail: Fail<{ 400: typeof unavailable }>): RelyingParty {
  const site = passkeys.site()
  if (!site) throw fail(400, 'passkeys_unavailable')
  return site
}
