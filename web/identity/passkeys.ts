// Makes and uses passkeys in the browser. Bytes travel in base64url, as the browser writes them.
import { programIn } from '#identity/program.ts'
import { clientOf, type Input, identity, type Output, signInClient } from '../data/client.ts'
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
export async function createPasskey() {
  const client = clientOf()
  const made = await makePasskey(await client.call(`${identity}/passkeys/begin-adding`))
  return client.call(`${identity}/passkeys/add`, { name: deviceName(), ...made })
}

const withPasskey = `${identity}/invitations/sign-up-with-passkey` as const

type NewPerson = Pick<Input<typeof withPasskey>, 'token' | 'name' | 'language'>

/** Lets an invited person create a passkey, and their account with it. */
export async function signUpWithPasskey(person: NewPerson) {
  const { token, name } = person
  const begun = await signInClient.call(`${identity}/invitations/begin-passkey`, { token, name })
  const made = await makePasskey(begun)
  return signInClient.call(withPasskey, { ...person, passkey_name: deviceName(), ...made })
}

/** What the service checks of a new passkey. */
async function makePasskey(begun: Output<`${typeof identity}/passkeys/begin-adding`>) {
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
  return {
    credential: id,
    client_data: response.clientDataJSON,
    attestation: response.attestationObject,
  }
}

/** The first name of a new passkey, which the person may change. */
function deviceName(): string {
  const { browser, system } = programIn(navigator.userAgent)
  if (browser && system) return t('{browser} on {system}', { browser, system })
  return browser ?? system ?? t('Passkey')
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
