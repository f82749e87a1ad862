// Secrets that the service has to read again, such as those of authenticator apps, are encrypted in the database (AES-256-GCM).
import { createCipheriv, createDecipheriv, hash, randomBytes } from 'node:crypto'
import type { Queries } from '#database/connect.ts'

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

const isPlain = (stored: string) => neededKey(stored) === undefined

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
export async function neededKeys({ sql }: Queries): Promise<Set<string>> {
  const rows = await sql<SecretRow[]>`
    select id, totp_secret, totp_pending_secret from users
    where totp_secret is not null or totp_pending_secret is not null`
  const stored = rows.flatMap((row) => [row.totp_secret ?? '', row.totp_pending_secret ?? ''])
  return new Set(stored.flatMap((secret) => neededKey(secret) ?? []))
}

const rowsAtOnce = 100

/**
 * Encrypts all stored secrets, also those of mails that wait, with the first key, and returns of how many users some were not. Each row by
 * itself, so that nobody waits for more than one of them, and the work can end at any moment and begin again. What somebody changes
 * meanwhile, or what another run has encrypted with a newer key, is left as it is.
 */
export async function sealAll(queries: Queries, secrets: Secrets): Promise<number> {
  const isStale = (stored: string) => !secrets.isCurrent(stored) && (secrets.opens(stored) || isPlain(stored))
  const renewed = (owner: number, stored: string) => secrets.seal(owner, secrets.open(owner, stored))
  await sealMails(queries, isStale, renewed)
  return sealUsers(queries, isStale, renewed)
}

type IsStale = (stored: string) => boolean
type Renewed = (owner: number, stored: string) => string

async function sealUsers({ sql }: Queries, isStale: IsStale, renewed: Renewed): Promise<number> {
  let count = 0
  for (let last = 0; ; ) {
    const rows = await sql<SecretRow[]>`
      select id, totp_secret, totp_pending_secret from users
      where id > ${last} and (totp_secret is not null or totp_pending_secret is not null) order by id limit ${rowsAtOnce}`
    for (const { id, totp_secret: secret, totp_pending_secret: pending } of rows) {
      const renew = (stored: string | null) => (stored && isStale(stored) ? renewed(id, stored) : stored)
      const [newSecret, newPending] = [renew(secret), renew(pending)]
      if (newSecret === secret && newPending === pending) continue
      const changed = await sql`
        update users set totp_secret = ${newSecret}, totp_pending_secret = ${newPending}
        where id = ${id} and totp_secret is not distinct from ${secret} and totp_pending_secret is not distinct from ${pending}
        returning id`
      count += changed.length
    }
    if (rows.length < rowsAtOnce) return count
    last = rows.at(-1)?.id as number
  }
}

async function sealMails({ sql }: Queries, isStale: IsStale, renewed: Renewed): Promise<void> {
  for (let last = 0; ; ) {
    const mails = await sql<{ id: number; secret: string }[]>`
      select id, secret from mails where secret is not null and id > ${last} order by id limit ${rowsAtOnce}`
    for (const { id, secret } of mails.filter((mail) => isStale(mail.secret)))
      await sql`update mails set secret = ${renewed(nobody, secret)} where id = ${id} and secret = ${secret}`
    if (mails.length < rowsAtOnce) return
    last = mails.at(-1)?.id as number
  }
}
