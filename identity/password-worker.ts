import { hashSync, verifySync } from '@node-rs/argon2'
import { answerJobs } from '#threads.ts'

/** A password to hash, or to compare with a stored hash. */
export interface HashJob {
  password: string
  stored?: string
}
export type HashResult = string | boolean

/** OWASP's argon2id parameters, and the prefix of hashes made with them. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
export const argon2Parameters = '$argon2id$v=19$m=19456,t=2,p=1$'

answerJobs(
  ({ password, stored }: HashJob): HashResult =>
    stored === undefined ? hashSync(password, parameters) : isOf(stored, password),
)

/** An unreadable hash matches no password; an error thrown here would end the process. */
function isOf(stored: string, password: string): boolean {
  try {
    return verifySync(stored, password)
  } catch {
    return false
  }
}
