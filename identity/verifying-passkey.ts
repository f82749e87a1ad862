// Checks what authenticators sign, with the library that the field uses. It is loaded by its first use.
import type { RelyingParty } from './relying-party.ts'

/** Ed25519, P-256 and RSA as COSE numbers, in the order of preference. What Node calls experimental is not among them. */
export const algorithms = [-8, -7, -257]

/** What a browser returns for a new passkey; all are bytes in base64url. */
export interface NewCredential {
  credential: string
  clientData: string
  attestation: string
}

/** What a browser returns when a passkey is used. */
export interface Assertion {
  credential: string
  clientData: string
  authenticatorData: string
  signature: string
}

interface Expected {
  site: RelyingParty
  isChallenge(challenge: string): boolean
}

export type VerifiedPasskey = NonNullable<Awaited<ReturnType<typeof verifyNew>>>

/**
 * Without what the maker of the authenticator states. Nothing here depends on it, and the library would follow addresses in its
 * certificates, which anybody can make: a member could make the service call any address of its network, and read without an end.
 */
async function withoutStatement(attestation: string): Promise<string> {
  const { decodeAttestationObject, isoBase64URL, isoCBOR } = await import('@simplewebauthn/server/helpers')
  const authData = decodeAttestationObject(isoBase64URL.toBuffer(attestation)).get('authData')
  const stated: [string, string | Uint8Array | Map<string, string>][] = [
    ['fmt', 'none'],
    ['attStmt', new Map()],
    ['authData', authData],
  ]
  return isoBase64URL.fromBuffer(isoCBOR.encode(new Map(stated)))
}

/** Undefined if it is not accepted: another site, no verification of the person, a wrong challenge, or no credential at all. */
export async function verifyNew({ credential, clientData, attestation }: NewCredential, expected: Expected) {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  return accepted(expected, async (check) => {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      ...check,
      supportedAlgorithmIDs: algorithms,
      response: {
        ...responseOf(credential),
        response: { clientDataJSON: clientData, attestationObject: await withoutStatement(attestation) },
      },
    })
    if (!verified) return undefined
    const { id, publicKey, counter } = registrationInfo.credential
    return { credential: id, publicKey, counter, isSynced: registrationInfo.credentialBackedUp }
  })
}

/** The same for an assertion, by the public key of its passkey. */
export async function verifyUse(
  { credential, clientData, authenticatorData, signature }: Assertion,
  known: { publicKey: Uint8Array; counter: number },
  expected: Expected,
) {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  return accepted(expected, async (check) => {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      ...check,
      response: {
        ...responseOf(credential),
        response: { clientDataJSON: clientData, authenticatorData, signature },
      },
      credential: {
        id: credential,
        publicKey: new Uint8Array(known.publicKey),
        counter: known.counter,
      },
    })
    const { newCounter: counter, credentialBackedUp: isSynced } = authenticationInfo
    return verified ? { counter, isSynced } : undefined
  })
}

const responseOf = (credential: string) => ({
  id: credential,
  rawId: credential,
  type: 'public-key' as const,
  clientExtensionResults: {},
})

/** The library throws for everything that is not right, also for bytes that cannot be read. */
async function accepted<Verified>(
  { site, isChallenge }: Expected,
  verify: (check: {
    expectedOrigin: string
    expectedRPID: string
    requireUserVerification: true
    expectedChallenge(challenge: string): boolean
  }) => Promise<Verified | undefined>,
): Promise<(Verified & { challenge: string }) | undefined> {
  let used = ''
  const check = {
    expectedOrigin: site.origin,
    expectedRPID: site.id,
    requireUserVerification: true,
    expectedChallenge(challenge: string) {
      used = challenge
      return isChallenge(challenge)
    },
  } as const
  const verified = await verify(check).catch(() => undefined)
  return verified && { ...verified, challenge: used }
}
