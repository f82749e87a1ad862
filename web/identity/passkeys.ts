// Makes and uses passkeys in the browser. Bytes travel in base64url, as the browser writes them.
import { clientOf, identity, signInClient } from '../data/client.ts'
import { failureOf } from '../data/failure.ts'
import { t } from '../words/words.ts'

/** How long the browser waits for the person. */
const timeout = 5 * 60_000

/** What the service checks of a used passkey. */
export interface Assertion {
  credential: string
  client_data: string
  authenticator_data: string
  signature: string
}

/** Asks the person for a passkey; `isQuiet` offers it among the suggestions of the email field and waits. */
export async function askForPasskey({
  isQuiet = false,
  signal,
}: {
  isQuiet?: boolean
  signal?: AbortSignal
} = {}): Promise<Assertion> {
  const { challenge, relying_party: rpId } = await signInClient.call(`${identity}/passkeys/begin-sign-in`)
  signal?.throwIfAborted()
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON({
    challenge,
    rpId,
    timeout,
    userVerification: 'required',
  })
  const used = await navigator.credentials.get({
    publicKey,
    ...(isQuiet && { mediation: 'conditional' }),
    ...(signal && { signal }),
  })
  const { id, response } = (used as PublicKeyCredential).toJSON() as AuthenticationResponseJSON
  return {
    credential: id,
    client_data: response.clientDataJSON,
    authenticator_data: response.authenticatorData,
    signature: response.signature,
  }
}

/** Lets the person create a passkey, and adds it to their account. */
export async function createPasskey(name: string) {
  const client = clientOf()
  const begun = await client.call(`${identity}/passkeys/begin-adding`)
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON({
    challenge: begun.challenge,
    rp: { id: begun.relying_party, name: 'Cardinal' },
    user: { id: begun.user_handle, name: begun.user_name, displayName: begun.user_display_name },
    pubKeyCredParams: begun.algorithms.map((alg) => ({ type: 'public-key', alg })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    excludeCredentials: begun.present_credentials.map((id) => ({ type: 'public-key', id })),
    attestation: 'none',
    timeout,
  })
  const made = await navigator.credentials.create({ publicKey })
  const { id, response } = (made as PublicKeyCredential).toJSON() as RegistrationResponseJSON
  return client.call(`${identity}/passkeys/add`, {
    name,
    credential: id,
    client_data: response.clientDataJSON,
    attestation: response.attestationObject,
  })
}

/** True if the person has closed the browser's dialog, or another one has taken its place. */
export const isCanceled = (error: unknown): boolean =>
  error instanceof DOMException && ['NotAllowedError', 'AbortError'].includes(error.name)

/** What to tell the person. */
export function passkeyProblem(error: unknown): string {
  if (error instanceof DOMException && error.name === 'InvalidStateError')
    return t('This device already has a passkey for your account.')
  if (error instanceof DOMException) return t("The browser couldn't use the passkey. Try again.")
  return failureOf(error).message
}
