import { type Origin, recordEntry } from '#audit/record.ts'
import type { Database } from '#database/connect.ts'
import { addUser } from '#identity/accounts.ts'
import type { Passwords, serverBusy } from '#identity/passwords.ts'
import { noteDevice } from '#identity/seen-devices.ts'
import { type Device, type Lifetimes, openSession } from '#identity/sessions.ts'
import { checkSetupLink, type UnusableLink } from '#identity/setup.ts'
import type { Weakness } from '#identity/weak-password.ts'
import type { Quotas } from '#quotas/quotas.ts'
import { createProject } from './creating.ts'

interface Means {
  db: Database
  passwords: Passwords
  quotas: Quotas
  lifetimes: Lifetimes
}

interface FirstSuperadmin {
  /** Of the setup link. */
  token: string
  name: string
  email: string
  password: string
  /** A project that they will own. */
  projectName: string | null
}

interface SetUp {
  token: string
  userId: number
  projectId: number | null
}

/** Creates the first superadmin of a new installation, with a project if they name one, and signs them in. */
export async function setUp(
  means: Means,
  first: FirstSuperadmin,
  device: Device,
  origin: Origin,
): Promise<SetUp | { refusal: UnusableLink } | { weakness: Weakness } | typeof serverBusy> {
  // Before the password is judged and hashed, because that is work and only a usable link should cause it.
  const link = await checkSetupLink(means.db, first.token)
  if (link !== 'usable') return { refusal: link }
  const weakness = await means.passwords.weaknessOf(first.password, first)
  if (weakness) return { weakness }
  return means.passwords.inTurn(device, () => hashAndCreate(means, first, device, origin))
}

async function hashAndCreate(
  { db, passwords, quotas, lifetimes }: Means,
  { token, name, email, password, projectName }: FirstSuperadmin,
  device: Device,
  origin: Origin,
): Promise<SetUp | { refusal: UnusableLink }> {
  const passwordHash = await passwords.hash(password)
  return db.transaction(async (queries) => {
    // Until this is committed no other account can be added, so two browsers create one superadmin.
    await queries.sql`lock table users in share row exclusive mode`
    const link = await checkSetupLink(queries, token)
    if (link !== 'usable') return { refusal: link }
    const user = { email, name, passwordHash, superadmin: true, superadminBilling: true }
    const userId = await addUser(queries, user)
    if (userId === 'email taken') return { refusal: 'already set up' }
    const by = { ...origin, actorId: userId }
    const details = { superadmin: true }
    await recordEntry(queries, by, { kind: 'user.added', accountId: userId, details })
    const project = projectName ? { name: projectName, toolKeys: [], ownerId: userId } : undefined
    const projectId = project ? await createProject(queries, by, project, quotas) : null
    const opened = await openSession(queries, { userId, secondFactor: false, lifetimes }, device)
    await noteDevice(queries, userId, { ...device, isKnown: true }, by)
    const factor = 'setup link'
    await recordEntry(queries, by, { kind: 'sign_in.succeeded', accountId: userId, details: { factor } })
    return { token: opened.token, userId, projectId }
  })
}
