import { text } from '#contract/schema.ts'
import type { Assertion } from '#identity/verifying-passkey.ts'

/** Bytes in base64url, as browsers write them. */
export const bytes = (about: string, { max = 1024 } = {}) => text({ max, about: `${about}, in base64url.` })

/** At most 1,023 bytes, as WebAuthn says. */
export const credentialId = bytes('The id of the credential', { max: 1364 })
export const clientData = bytes('What the browser signed with it: `clientDataJSON`')

/** The answer of `navigator.credentials.get`. */
export const assertionInput = {
  credential: credentialId,
  client_data: clientData,
  authenticator_data: bytes('What the authenticator says about itself: `authenticatorData`'),
  signature: bytes('The signature of both'),
}

export const assertionOf = (input: {
  credential: string
  client_data: string
  authenticator_data: string
  signature: string
}): Assertion => ({
  credential: input.credential,
  clientData: input.client_data,
  authenticatorData: input.authenticator_data,
  signature: input.signature,
})
