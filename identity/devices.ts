// Recognizes devices that have signed in before, so that a flood of sign-ins by strangers does not keep them out.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Exchange } from '#contract/operation.ts'
import type { Queries } from '#database/connect.ts'
import { signingKey } from './signing-keys.ts'

const cookieName = '__Host-cardinal-device'
const maxAgeSeconds = 365 * 86_400

export interface KnownDevices {
  /** Gives the device a cookie that says that it has signed in to this account. */
  remember(http: Pick<Exchange, 'answerHeader'>, email: string): Promise<void>
  isKnown(http: Pick<Exchange, 'header'>, email: string): Promise<boolean>
}

/** The cookie is a random number and its signature together with the account, so it says nothing about either to anyone else. */
export function knownDevices(queries: Queries): KnownDevices {
  const key = signingKey(queries, 'device')
  const sign = async (number: string, email: string) =>
    createHmac('sha256', await key())
      .update(`${number}\n${accountName(email)}`)
      .digest()
  return {
    async remember(http, email) {
      const number = randomBytes(16).toString('base64url')
      const value = `${number}.${(await sign(number, email)).toString('base64url')}`
      http.answerHeader(
        'set-cookie',
        `${cookieName}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; Secure; SameSite=Strict`,
      )
    },
    async isKnown(http, email) {
      const [, number = '', signature = ''] = cookie.exec(http.header('cookie') ?? '') ?? []
      if (number === '') return false
      const given = Buffer.from(signature, 'base64url')
      const expected = await sign(number, email)
      return given.length === expected.length && timingSafeEqual(given, expected)
    },
  }
}

const cookie = new RegExp(`(?:^|; *)${cookieName}=([\\w-]{22})\\.([\\w-]{43})(?:;|$)`)

export const accountName = (email: string) => email.trim().toLowerCase()
