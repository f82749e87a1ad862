import { type Origin, recordEntry } from '#audit/record.ts'
import type { Database, Transaction } from '#database/connect.ts'
import { addUser } from '#identity/accounts.ts'
import type { Passwords, serverBusy } from '#identity/passwords.ts'
import { noteDevice } from '#identity/seen-devices.ts'
import { type Device, type Lifetimes, openSession } from '#identity/sessions.ts'
import { endSignUps, findSignUp, refusalFor, type SignUpRule } from '#identity/signing-up.ts'
import { isTimeZone } from '#identity/time-zone.ts'
import type { Weakness } from '#identity/weak-password.ts'
import type { Language } from '#languages/known.ts'
import type { Quotas } from '#quotas/quotas.ts'
import { createProject } from './creating.ts'
import { firstPlatform } from './platform.ts'

interface Means {
  db: Database
  passwords: Passwords
  lifetimes: Lifetimes
  quotas: Quotas
  rule: SignUpRule
  trials: Trials
}

/** What `billing/` does for a new project. */
interface Trials {
  productFor(platformId: number, wanted: string | null): string | null | 'unknown product'
  start(
    queries: Transaction,
    platformId: number,
    trial: { projectId: number; product: string; actorId: number },
  ): Promise<void>
}

interface NewPerson {
  /** Of the link that confirms the address. */
  token: string
  name: string
  password: string
  language: Language | null
  timeZone: string | null
  projectName: string
  /** What they try; null for the first product that there is. */
  product: string | null
}

/** Creates an account and its first project, with the templates and a trial, and signs the person in. */
export async function signUp(
  { db, passwords, lifetimes, quotas, rule, trials }: Means,
  { token, name, password, language, timeZone, projectName, product: wanted }: NewPerson,
  device: Device,
  origin: Origin,
): Promise<
  | { token: string; userId: number; projectId: number; email: string }
  | 'unknown product'
  | 'no link'
  | 'not allowed'
  | 'has account'
  | { weakness: Weakness }
  | typeof serverBusy
> {
  const platformId = await firstPlatform(db)
  const product = trials.productFor(platformId, wanted)
  if (product === 'unknown product') return product
  // Before the password is judged and hashed, because that is work and only a usable link should cause it.
  const found = await findSignUp(db, token)
  if (!found) return 'no link'
  const { email } = found
  // The operator may have changed the rule since the link was sent.
  if (refusalFor(rule, email)) return 'not allowed'
  const hashed = await passwords.hashNew(device, password, { email, name, projectName })
  if (!('passwordHash' in hashed)) return hashed
  return db.transaction(async (queries) => {
    if (!(await findSignUp(queries, token, { locks: true }))) return 'no link'
    const userId = await addUser(queries, {
      ...{ email, name, passwordHash: hashed.passwordHash, language },
      timeZone: timeZone !== null && isTimeZone(timeZone) ? timeZone : null,
    })
    if (userId === 'email taken') return 'has account'
    await endSignUps(queries, email)
    const by = { ...origin, actorId: userId }
    await recordEntry(queries, by, { kind: 'user.added', accountId: userId, details: { signed_up: true } })
    const projectId = await createProject(
      queries,
      by,
      { name: projectName, toolKeys: product === null ? [] : [product], ownerId: userId },
      quotas,
    )
    if (product !== null) await trials.start(queries, platformId, { projectId, product, actorId: userId })
    const opened = await openSession(queries, { userId, secondFactor: false, lifetimes }, device)
    await noteDevice(queries, userId, { ...device, isKnown: true }, by)
    const details = { factor: 'sign-up' }
    await recordEntry(queries, by, { kind: 'sign_in.succeeded', accountId: userId, details })
    return { token: opened.token, userId, projectId, email }
  })
}
