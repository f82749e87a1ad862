/// <reference path="./oidc-provider.d.ts" />
// A real OpenID Connect provider that signs the chosen person in at once, and spoils its tokens on demand.
import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import Provider from 'oidc-provider'
import type { Config } from '#config.ts'

export const clientId = 'cardinal'
const clientSecret = 'a-secret-of-the-tests-only-0123456789'

/** What the provider says about a person. */
export interface Claims {
  sub: string
  email?: string
  email_verified?: boolean
  name?: string
  groups?: string[]
  amr?: string[]
}

/** Changes the claims of the next token; it is signed again with the provider's own key, or with another one. */
export type Spoil =
  | { claims: Record<string, unknown> }
  | { isForged: true }
  /** Without a signature, or with one by the client's secret. */
  | { algorithm: 'none' | 'HS256' }

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

function signed(header: object, claims: object, key: KeyObject): string {
  const content = `${encode(header)}.${encode(claims)}`
  const signature = sign('sha256', Buffer.from(content), { key, dsaEncoding: 'ieee-p1363' })
  return `${content}.${signature.toString('base64url')}`
}

const decode = (part = '') => JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>

export async function startIdentityProvider({ redirectUris }: { redirectUris: string[] }) {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const state: { person: Claims; spoil: Spoil | undefined; denies: boolean } = {
    person: { sub: 'nobody' },
    spoil: undefined,
    denies: false,
  }
  const people = new Map<string, Claims>()
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: redirectUris,
        id_token_signed_response_alg: 'ES256',
        response_types: ['code'],
        grant_types: ['authorization_code'],
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'test', alg: 'ES256', use: 'sig' }] },
    cookies: { keys: ['cookies of the tests'] },
    claims: { openid: ['sub', 'amr'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
    conformIdTokenClaims: false,
    ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600 },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, interaction) => `/interaction/${interaction.uid}` },
    findAccount: (_context, id) => ({
      accountId: id,
      claims: async () => ({ ...people.get(id), sub: id }),
    }),
  })
  // The person signs in and agrees without being asked.
  provider.use(async (context, next) => {
    if (!context.path.startsWith('/interaction/')) return next()
    const details = await provider.interactionDetails(context.req, context.res)
    if (state.denies)
      return provider.interactionFinished(context.req, context.res, { error: 'access_denied' })
    const { person } = state
    people.set(person.sub, person)
    if (details.prompt.name === 'login')
      return provider.interactionFinished(context.req, context.res, { login: { accountId: person.sub } })
    const grant = new provider.Grant({ accountId: person.sub, clientId })
    grant.addOIDCScope('openid email profile')
    const consent = { grantId: await grant.save() }
    return provider.interactionFinished(
      context.req,
      context.res,
      { consent },
      { mergeWithLastSubmission: true },
    )
  })
  provider.use(async (context, next) => {
    await next()
    const { spoil } = state
    if (context.path !== '/token' || !spoil || !context.body?.id_token) return
    const [header, claims] = context.body.id_token.split('.')
    if ('algorithm' in spoil) {
      const content = `${encode({ ...decode(header), alg: spoil.algorithm })}.${claims}`
      const bySecret = createHmac('sha256', clientSecret).update(content).digest('base64url')
      context.body.id_token = `${content}.${spoil.algorithm === 'none' ? '' : bySecret}`
      return
    }
    const changed = 'claims' in spoil ? { ...decode(claims), ...spoil.claims } : decode(claims)
    context.body.id_token = signed(decode(header), changed, 'isForged' in spoil ? stranger : privateKey)
  })
  server.on('request', provider.callback())
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  const settings: NonNullable<Config['singleSignOn']> = {
    issuer,
    clientId,
    clientSecret,
    name: 'Example ID',
    domains: ['example.test'],
    claim: 'groups',
    members: [],
  }
  return { issuer, settings, state, stop: () => server.closeAllConnections() }
}

/** Goes from the address that `begin` gave to the one that the provider sends the browser back to, without a browser. */
export async function followToReturn(url: string, returnTo: string): Promise<URL> {
  const cookies = new Map<string, string>()
  let next = new URL(url)
  for (let step = 0; step < 10; step++) {
    if (next.href.startsWith(returnTo)) return next
    const response = await fetch(next, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      cookies.set(name, value)
    }
    const location = response.headers.get('location')
    if (location === null) throw new Error(`${next.pathname}: ${response.status} ${await response.text()}`)
    next = new URL(location, next)
  }
  throw new Error('The provider never sent the browser back.')
}
