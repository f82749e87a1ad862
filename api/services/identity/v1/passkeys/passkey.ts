import type { Fail } from '#contract/failure.ts'
import { flag, integer, list, nullable, record, text, timestamp } from '#contract/schema.ts'
import type { Passkeys } from '#identity/passkeys.ts'
import type { RelyingParty } from '#identity/relying-party.ts'
import { algorithms } from '#identity/verifying-passkey.ts'
import { bytes, clientData, credentialId } from './assertion.ts'

export const passkey = record({
  id: integer(),
  name: text(),
  is_synced: flag({ about: 'True if the passkey is also on other devices of the person.' }),
  created_at: timestamp(),
  last_used_at: nullable(timestamp({ about: 'Null if it was not used yet.' })),
})

export const longestName = 100

/** What `navigator.credentials.create` needs. */
export const creation = record({
  challenge: text({ about: 'Bytes in base64url, like the other values that browsers want as bytes.' }),
  relying_party: text({ about: 'The host name that the passkey is for: `rp.id`.' }),
  user_handle: text({ about: 'Names the account to the authenticator: `user.id`.' }),
  user_name: text(),
  user_display_name: text(),
  algorithms: list(integer(), {
    about: 'As COSE numbers, in the order of preference: `pubKeyCredParams`.',
  }),
  present_credentials: list(text(), { about: 'The passkeys that the account has: `excludeCredentials`.' }),
})

export const creationOf = (
  site: RelyingParty,
  begun: { challenge: string; handle: string; email: string; name: string; present: string[] },
): (typeof creation)['static'] => ({
  challenge: begun.challenge,
  relying_party: site.id,
  user_handle: begun.handle,
  user_name: begun.email,
  user_display_name: begun.name,
  algorithms,
  present_credentials: begun.present,
})

/** The answer of `navigator.credentials.create`. Without a statement of its maker, an attestation has at most about 1,600 bytes. */
export const createdInput = {
  credential: credentialId,
  client_data: clientData,
  attestation: bytes('What the authenticator says about the passkey: `attestationObject`', { max: 2200 }),
}

export const noPasskey = { passkey_not_found: 'You have no passkey with this id.' } as const

/** Declared by operations that make or use one. */
export const unavailable = {
  passkeys_unavailable:
    'Passkeys do not work at this address. The operator sets CARDINAL_PUBLIC_URL to an address with https and a host name.',
} as const

export const known = { passkey_known: 'This passkey already belongs to an account.' } as const

export const notAccepted = {
  passkey_not_accepted: 'The passkey was not accepted. Try again.',
} as const

/** Fails where passkeys cannot work. */
export function requireSite(passkeys: Passkeys, fail: Fail<{ 400: typeof unavailable }>): RelyingParty {
  const site = passkeys.site()
  if (!site) throw fail(400, 'passkeys_unavailable')
  return site
}
