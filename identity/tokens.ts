import { hash, randomBytes } from 'node:crypto'

const prefix = 'cardinal_'

/** 256 random bits; the prefix lets secret scanners recognise a leaked one. */
export const newToken = () => prefix + randomBytes(32).toString('base64url')

/** The hexadecimal digits of what is stored; undefined for what cannot be a token, which then costs no statement. */
export function tokenHash(token: string): string | undefined {
  return token.length === prefix.length + 43 && token.startsWith(prefix) ? hash('sha256', token) : undefined
}

export const sha256 = (value: string) => hash('sha256', value, 'buffer')
