import { hash, randomBytes } from 'node:crypto'

const prefix = 'cardinal_'

/** 256 random bits; the prefix lets secret scanners recognise a leaked one. */
export const newToken = () => prefix + randomBytes(32).toString('base64url')

/** What is stored and looked up; undefined for what cannot be a token, which then costs no statement. */
export function tokenHash(token: string): Buffer | undefined {
  return token.length === prefix.length + 43 && token.startsWith(prefix) ? sha256(token) : undefined
}

export const sha256 = (value: string) => hash('sha256', value, 'buffer')
