import { hash, randomBytes } from 'node:crypto'

const prefix = 'cardinal_'

/** 256 random bits; the prefix lets secret scanners recognise a leaked one. */
export const newToken = () => prefix + randomBytes(32).toString('base64url')

/** The stored hash in hexadecimal; undefined for text that cannot be a token, which saves a statement. */
export function tokenHash(token: string): string | undefined {
  return token.length === prefix.length + 43 && token.startsWith(prefix) ? hash('sha256', token) : undefined
}

export const sha256 = (value: string) => hash('sha256', value, 'buffer')
