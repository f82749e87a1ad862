// Asks the installation's identity provider who somebody is, by OpenID Connect: the code flow with PKCE, state and nonce. The library is
// loaded by the first who wants to sign in this way. Nothing is stored: all three come from one secret in a cookie of the browser.
import { hash, randomBytes } from 'node:crypto'
import type { Configuration } from 'openid-client'
import { controlCharacterIn, isEmail, trimmed } from '#contract/validate.ts'
import type { Log } from '../log.ts'

/** As the operator has set it. */
export interface ProviderSettings {
  issuer: string
  clientId: string
  clientSecret: string
  /** What the button on the sign-in page calls it. */
  name: string
  /** Only addresses of these domains. */
  domains: string[]
  /** The claim whose values decide who becomes a member of what. */
  claim: string
  members: { value: string; projectId: number; role: 'viewer' | 'member' | 'admin' }[]
}

/** Somebody whom the provider knows, and whose address it has verified. */
export interface SignedOn {
  issuer: string
  subject: string
  email: string
  name: string
  /** The values of the claim that decides about memberships. */
  values: string[]
  /** Whether the provider has asked for more than one factor. */
  isMultiFactor: boolean
}

/** What the provider sent the browser back with. */
export interface Returned {
  code: string | null
  state: string
  issuer: string | null
  error: string | null
}

export type SignOnRefusal =
  | 'attempt_unknown'
  | 'denied_by_provider'
  | 'code_refused'
  | 'wrong_issuer'
  | 'wrong_audience'
  | 'wrong_nonce'
  | 'token_expired'
  | 'token_invalid'
  | 'address_unverified'
  | 'domain_not_allowed'
  | 'provider_failed'

export interface SingleSignOn {
  settings: ProviderSettings
  /** Where to send the browser, and the secret that it keeps; undefined if the provider does not respond. */
  begin(): Promise<{ url: string; secret: string } | undefined>
  complete(secret: string | undefined, returned: Returned): Promise<SignedOn | { refusal: SignOnRefusal }>
}

const timeoutSeconds = 10
const longestSubject = 255
const longestEmail = 254
const scope = 'openid email profile'

const derive = (secret: string, purpose: string) => hash('sha256', `${purpose}\n${secret}`, 'base64url')

export function startSingleSignOn(
  settings: ProviderSettings,
  { redirectUri, log }: { redirectUri(): string; log: Log },
): SingleSignOn {
  const library = () => import('openid-client')
  let discovered: Promise<Configuration> | undefined
  const discover = () => {
    discovered ??= ask().catch((error: unknown) => {
      discovered = undefined
      throw error
    })
    return discovered
  }
  const ask = async () => {
    const { discovery, allowInsecureRequests, enableNonRepudiationChecks } = await library()
    const { issuer, clientId, clientSecret } = settings
    const isPlain = issuer.startsWith('http:')
    // Signatures are checked too, and not only the connection that brought the token.
    const execute = [enableNonRepudiationChecks, ...(isPlain ? [allowInsecureRequests] : [])]
    return discovery(new URL(issuer), clientId, clientSecret, undefined, { execute, timeout: timeoutSeconds })
  }
  return {
    settings,
    async begin() {
      const [{ buildAuthorizationUrl, calculatePKCECodeChallenge }, configuration] = await Promise.all([
        library(),
        discover().catch(
          (error: unknown) => void log.warn({ error }, 'the identity provider does not respond'),
        ),
      ])
      if (!configuration) return undefined
      const secret = randomBytes(32).toString('base64url')
      const url = buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri(),
        scope,
        state: derive(secret, 'state'),
        nonce: derive(secret, 'nonce'),
        code_challenge: await calculatePKCECodeChallenge(derive(secret, 'verifier')),
        code_challenge_method: 'S256',
      })
      return { url: url.href, secret }
    },
    async complete(secret, returned) {
      if (!secret || returned.state !== derive(secret, 'state')) return { refusal: 'attempt_unknown' }
      try {
        return judge(settings, await claimsOf(await discover(), secret, returned))
      } catch (error) {
        const refusal = refusalOf(error)
        log.warn({ error, refusal }, 'the answer of the identity provider was refused')
        return { refusal }
      }
    },
  }

  async function claimsOf(configuration: Configuration, secret: string, returned: Returned) {
    const { authorizationCodeGrant, fetchUserInfo } = await library()
    const url = new URL(redirectUri())
    const { code, state, issuer, error } = returned
    for (const [name, value] of Object.entries({ code, state, iss: issuer, error }))
      if (value !== null) url.searchParams.set(name, value)
    const tokens = await authorizationCodeGrant(configuration, url, {
      pkceCodeVerifier: derive(secret, 'verifier'),
      expectedState: derive(secret, 'state'),
      expectedNonce: derive(secret, 'nonce'),
      idTokenExpected: true,
    })
    const claims = tokens.claims() as NonNullable<ReturnType<typeof tokens.claims>>
    if (claims['email'] !== undefined) return claims
    // Many providers tell the address only there, and whether it is verified belongs to it.
    const more = await fetchUserInfo(configuration, tokens.access_token, claims.sub)
    return { ...more, ...claims, email: more.email, email_verified: more.email_verified }
  }
}

type Claims = Record<string, unknown> & { iss: string; sub: string }

function judge(settings: ProviderSettings, claims: Claims): SignedOn | { refusal: SignOnRefusal } {
  const { iss: issuer, sub: subject, email, email_verified: isVerified, name } = claims
  // As long as OpenID Connect allows, and without what the database does not store.
  if (subject.length > longestSubject || controlCharacterIn(subject)) return { refusal: 'token_invalid' }
  if (!isEmail(email) || email.length > longestEmail || isVerified !== true)
    return { refusal: 'address_unverified' }
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase()
  if (!settings.domains.includes(domain)) return { refusal: 'domain_not_allowed' }
  return {
    issuer,
    subject,
    email,
    name: typeof name === 'string' ? nameFrom(name) || email : email,
    values: texts(claims[settings.claim]),
    isMultiFactor: texts(claims['amr']).includes('mfa'),
  }
}

/** People choose their names at many providers, so they may hold characters that no other way to set a name allows. */
const nameFrom = (claim: string): string =>
  trimmed([...trimmed(claim.toWellFormed().replace(/\p{Cc}+/gu, ' '))].slice(0, 255).join(''))

/** Providers send one value as a text, and several as a list. */
const texts = (claim: unknown): string[] =>
  (Array.isArray(claim) ? claim : [claim]).filter((value) => typeof value === 'string')

const byClaim: Record<string, SignOnRefusal> = {
  iss: 'wrong_issuer',
  aud: 'wrong_audience',
  azp: 'wrong_audience',
  nonce: 'wrong_nonce',
}

const byCode: Record<string, SignOnRefusal> = {
  OAUTH_AUTHORIZATION_RESPONSE_ERROR: 'denied_by_provider',
  OAUTH_RESPONSE_BODY_ERROR: 'code_refused',
  OAUTH_JWT_TIMESTAMP_CHECK_FAILED: 'token_expired',
  OAUTH_TIMEOUT: 'provider_failed',
}

/** The library's errors have their reason among their causes. What is no error of the token is one of the connection. */
function refusalOf(error: unknown): SignOnRefusal {
  let found: SignOnRefusal | undefined
  let isOfToken = false
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code = '' } = cause as { code?: string }
    const { claim = '' } = (cause.cause ?? {}) as { claim?: string }
    if (code === 'OAUTH_JWT_CLAIM_COMPARISON_FAILED') found = byClaim[claim] ?? 'token_invalid'
    found ??= byCode[code]
    isOfToken ||= code.startsWith('OAUTH_')
  }
  return found ?? (isOfToken ? 'token_invalid' : 'provider_failed')
}
