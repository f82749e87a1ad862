// The part of a session that is HTTP: what a request says about its device, and the cookie that carries the token to a browser.
import { isJson } from '#contract/body.ts'
import type { Exchange } from '#contract/operation.ts'
import { type Carrier, cookieName, type Device, type Lifetimes } from './sessions.ts'

/** Browsers ask for the token in a cookie that scripts cannot read. */
export const deviceOf = (http: Exchange): Device => ({
  address: http.address,
  userAgent: http.header('user-agent') ?? '',
  carrier: http.header('x-session') === 'cookie' ? 'cookie' : 'bearer',
})

/** Returns the token for the body, or '' if it is sent in a cookie. */
export function sendToken(http: Exchange, carrier: Carrier, token: string, { days }: Lifetimes): string {
  if (carrier === 'bearer') return token
  http.answerHeader('set-cookie', sessionCookie(token, days * 86_400))
  return ''
}

export const clearCookie = (http: Exchange) => http.answerHeader('set-cookie', sessionCookie('', 0))

const sessionCookie = (token: string, maxAgeSeconds: number) =>
  `${cookieName}=${token}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; Secure; SameSite=Strict`

/** A cookie is accepted only if the browser says that our own page sent the request. */
export function cookieToken(http: Exchange): string | undefined {
  const cookies = http.header('cookie')
  if (cookies === undefined) return undefined
  const token = new RegExp(`(?:^|; *)${cookieName}=([^;]*)`).exec(cookies)?.[1]
  const isOurs = isSameOrigin(http) && (http.method === 'GET' || isJson(http.header('content-type')))
  return token && isOurs ? token : undefined
}

function isSameOrigin(http: Exchange): boolean {
  const site = http.header('sec-fetch-site')
  if (site !== undefined) return site === 'same-origin'
  const origin = http.header('origin')
  const host = http.header('host')
  // Compared as text, because reading an address of 16 kB takes 4 ms, and anybody can send one.
  return host !== undefined && (origin === `http://${host}` || origin === `https://${host}`)
}
