// Secrets that the service has to read again, such as those of authenticator apps, are encrypted in the database (AES-256-GCM).
import { createCipheriv, createDecipheriv, hash, randomBytes } from 'node:crypto'
import type { Database } from '#database/connect.ts'

export interface Secrets {
  /** The owner is part of the encryption, so a secret that was copied to another user's row does not open. */
  seal(userId: number, secret: string): string
  open(userId: number, stored: string): string
  /** True if its key is here. */
  opens(stored: string): boolean
  /** True if it is encrypted with the first key. */
  isCurrent(stored: string): boolean
}

const nonceBytes = 12
const tagBytes = 16

/** A stored secret is `v1.<id of the key>.<nonce, tag and text>`. One without this form is from before secrets were encrypted. */
const form = /^v1\.([0-9a-f]{12})\.([\w-]+)$/

export const keyId = (key: string) => hash('sha256', `cardinal key ${key}`).slice(0, 12)

/** The id of the key that a stored secret needs; undefined if it is not encrypted. */
const neededKey = (stored: string) => form.exec(stored)?.[1]

export function secretsWith(keys: () => readonly string[]): Secrets {
  const first = () => {
    const [key] = keys()
    if (key === undefined) throw new Error('There is no key for secrets.')
    return key
  }
  return {
    seal(userId, secret) {
      const key = first()
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', Buffer.from(key, 'base64'), nonce)
      cipher.setAAD(ownerOf(userId))
      const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
      return `v1.${keyId(key)}.${Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url')}`
    },
    open(userId, stored) {
      const [, id, content = ''] = form.exec(stored) ?? []
      if (id === undefined) return stored
      const key = keys().find((candidate) => keyId(candidate) === id)
      if (key === undefined) throw new Error(`The key ${id} of a secret is missing.`)
      const bytes = Buffer.from(content, 'base64url')
      const decipher = createDecipheriv(
        'aes-256-gcm',
        Buffer.from(key, 'base64'),
        bytes.subarray(0, nonceBytes),
        {
          authTagLength: tagBytes,
        },
      )
      decipher.setAAD(ownerOf(userId))
      decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
      return Buffer.concat([
        decipher.update(bytes.subarray(nonceBytes + tagBytes)),
        decipher.final(),
      ]).toString()
    },
    opens: (stored) => keys().some((key) => keyId(key) === neededKey(stored)),
    isCurrent: (stored) => neededKey(stored) === keyId(first()),
  }
}

const ownerOf = (userId: number) => Buffer.from(`user ${userId}`)

/** The owner of secrets of links in mails: an invitation may be for somebody who has no account yet. */
export const nobody = 0

interface SecretRow {
  id: number
  totp_secret: string | null
  totp_pending_secret: string | null
}

/** The ids of the keys that the secrets of users need; those of mails expire within days. */
export async function neededKeys({ sql }: Database): Promise<Set<string>> {
  const rows = await sql<SecretRow[]>`
    select id, totp_secret, totp_pending_secret from users
    where totp_secret is not null or totp_pending_secret is not null`
  const stored = rows.flatMap((row) => [row.totp_secret ?? '', row.totp_pending_secret ?? ''])
  return new Set(stored.flatMap((secret) => neededKey(secret) ?? []))
}

/** Encrypts all stored secrets, also those of mails that wait, with the first key, and returns of how many users some were not. */
export function sealAll(db: Database, secrets: Secrets): Promise<number> {
  return db.transaction(async ({ sql }) => {
    const rows = await sql<SecretRow[]>`
      select id, totp_secret, totp_pending_secret from users
      where totp_secret is not null or totp_pending_secret is not null order by id for no key update`
    const isStale = (stored: string | null) => stored !== null && !secrets.isCurrent(stored)
    const stale = rows.filter((row) => isStale(row.totp_secret) || isStale(row.totp_pending_secret))
    for (const { id, totp_secret: secret, totp_pending_secret: pending } of stale) {
      const renew = (stored: string | null) => stored && secrets.seal(id, secrets.open(id, stored))
      await sql`
        update users set totp_secret = ${renew(secret)}, totp_pending_secret = ${renew(pending)} where id = ${id}`
    }
    const mails = await sql<{ id: number; secret: string }[]>`
      select id, secret from mails where secret is not null order by id for no key update`
    for (const { id, secret } of mails.filter((mail) => isStale(mail.secret) && secrets.opens(mail.secret)))
      await sql`update mails set secret = ${secrets.seal(nobody, secrets.open(nobody, secret))} where id = ${id}`
    return stale.length
  })
}
