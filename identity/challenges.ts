// Challenges for passkeys. They are signed and not stored, so strangers who ask for many fill nothing; each works once and for some minutes.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Queries } from '#database/connect.ts'
import { signingKey } from './signing-keys.ts'

const challengeMinutes = 5

/** What a challenge is good for: signing in or confirming, adding a passkey in one session, or making the first one of an invited person. */
type Purpose = 'sign in' | `add in session ${number}` | `join by invitation ${number}`

export interface Challenges {
  issue(purpose: Purpose): Promise<string>
  /** Judges whether a challenge was issued for this and has not expired. */
  judge(purpose: Purpose): Promise<(challenge: string) => boolean>
  /** A name of the person that means nothing to others; authenticators store it. Invited people have no account yet. */
  handleOf(person: `user ${number}` | `invitation ${number}`): Promise<string>
}

const randomLength = 16
const timeLength = 6
const signedLength = randomLength + timeLength
const challengeForm = /^[\w-]{72}$/

export function challengesOf(queries: Queries): Challenges {
  const key = signingKey(queries, 'passkey')
  const sign = (by: Buffer, purpose: Purpose, content: Buffer) =>
    createHmac('sha256', by).update(`${purpose}\n`).update(content).digest()
  return {
    async issue(purpose) {
      const content = Buffer.concat([randomBytes(randomLength), Buffer.alloc(timeLength)])
      content.writeUIntBE(Date.now() + challengeMinutes * 60_000, randomLength, timeLength)
      return Buffer.concat([content, sign(await key(), purpose, content)]).toString('base64url')
    },
    async judge(purpose) {
      const by = await key()
      return (challenge) => {
        if (!challengeForm.test(challenge)) return false
        const bytes = Buffer.from(challenge, 'base64url')
        const content = bytes.subarray(0, signedLength)
        const isOurs = timingSafeEqual(bytes.subarray(signedLength), sign(by, purpose, content))
        return isOurs && expiryOf(content) > Date.now()
      }
    },
    async handleOf(person) {
      return createHmac('sha256', await key())
        .update(person)
        .digest('base64url')
    },
  }
}

const expiryOf = (content: Buffer) => content.readUIntBE(randomLength, timeLength)

/** Notes a valid challenge as used; false if it was used before. */
export async function useChallenge({ sql }: Queries, challenge: string): Promise<boolean> {
  const bytes = Buffer.from(challenge, 'base64url')
  const { count } = await sql`
    insert into used_challenges (challenge, expires_at)
    values (${bytes}, ${new Date(expiryOf(bytes)).toISOString()}::timestamptz) on conflict do nothing`
  return count > 0
}

/** Later than they expire, for instances whose clocks differ. */
export async function forgetChallenges({ sql }: Queries): Promise<void> {
  await sql`delete from used_challenges where expires_at < now() - interval '1 hour'`
}
