import { after } from 'node:test'
import { pino } from 'pino'
import type { Registry } from '#api/registry.ts'
import type { KeptBoards } from '#boards/kept-boards.ts'
import type { Config } from '#config.ts'
import { readConfig } from '#config.ts'
import { type Calls, type Client, createClient } from '#contract/client.ts'
import { connect, type Database } from '#database/connect.ts'
import type { DatabaseAddress } from '#database/embedded.ts'
import { addUser } from '#identity/accounts.ts'
import type { Role } from '#identity/roles.ts'
import { newToken, sha256 } from '#identity/tokens.ts'
import { addProject } from '#projects/creating.ts'
import { addMember } from '#projects/members.ts'
import type { Log } from '../log.ts'
import { startService } from '../service.ts'
import { assertEventsTrue } from './events.ts'
import { observedFetch } from './observed-fetch.ts'
import { createTestDatabase } from './postgres.ts'

export const password = 'demo-password'
/** argon2id of `demo-password`, fixed because hashing takes longer than most tests. */
const passwordHash =
  '$argon2id$v=19$m=19456,t=2,p=1$mHIRu+r89NoeZoDWGhoTMA$tCPsJP4nVjSTk9OsAqSiRYtZJAab0HAKlXEyrE2jpqA'

/** The second factor of the superadmins that tests add. */
export const testTotpSecret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'

export interface TestUser {
  id: number
  email: string
  token: string
}

export interface TestService {
  url: string
  db: Database
  keptBoards: KeptBoards
  /** For a second instance on the same database. */
  address: DatabaseAddress
  /** The typed client, anonymous or with a token. */
  client(token?: string, headers?: Record<string, string>): Client<Calls<Registry>>
  /** Any request; its response is checked against the declarations like those of the client. */
  fetch(path: string, init?: RequestInit): Promise<Response>
  stop(): Promise<void>
  /** For what would notice that the service ends with its test, such as a window. */
  beforeEnd(work: () => Promise<void>): void
  addProject(name?: string, toolKeys?: string[], platformId?: number): Promise<number>
  addUser(options?: {
    roles?: Record<number, Role>
    superadmin?: boolean
    /** True by default for superadmins. */
    superadminBilling?: boolean
    /** The platform of a superadmin; all by default. */
    platformId?: number
    /** Superadmins have one by default, because they need it; null for none. */
    totpSecret?: string | null
  }): Promise<TestUser>
}

/** `CARDINAL_TEST_LOG=error npm test -- one.test.ts` shows why an answer was 500. */
const silentLog = pino({
  level: process.env['CARDINAL_TEST_LOG'] ?? 'silent',
  serializers: { error: pino.stdSerializers.err },
})

/** A log whose lines a test can read. */
export function recordedLog(): { log: Log; lines: string[] } {
  const lines: string[] = []
  return { log: pino({ level: 'info' }, { write: (line) => lines.push(line) }), lines }
}

/** Secrets that tests write into the database themselves may be plain: the service reads both. */
const testKey = Buffer.alloc(32).toString('base64')

/** How many users were added to each database. */
const users = new Map<string, number>()

/** The real service on a fresh database, or as a second instance; it ends with the test file. */
export async function startTestService(
  overrides: Partial<Config> = {},
  beside?: DatabaseAddress,
  log: Log = silentLog,
): Promise<TestService> {
  const database = beside ? { address: beside, drop: async () => {} } : await createCheckedDatabase()
  const config = {
    ...readConfig({}),
    port: 0,
    secretKeys: [testKey],
    rateLimit: 1e9,
    anonymousRateLimit: 1e9,
    // The names in the tests' raw requests.
    allowedHosts: ['x', 'cardinal', 'cardinal.test'],
    ...overrides,
  }
  const service = await startService(config, database.address, log)
  let stopped: Promise<void> | undefined
  const stop = () => {
    stopped ??= service.stop()
    return stopped
  }
  const lastWork: (() => Promise<void>)[] = []
  after(async () => {
    for (const work of lastWork) await work()
    await stop()
    await database.drop()
  })
  const apiUrl = `${service.url}/api`
  const { db, keptBoards } = service
  return {
    url: service.url,
    db,
    keptBoards,
    address: database.address,
    stop,
    beforeEnd: (work) => lastWork.push(work),
    client: (token, headers) =>
      createClient<Calls<Registry>>({
        baseUrl: apiUrl,
        headers: { ...(token !== undefined && { authorization: `Bearer ${token}` }), ...headers },
        fetch: observedFetch,
      }),
    fetch: (path, init) => observedFetch(apiUrl + path, init),
    // In a transaction, as in the product: a job may correct the counts of projects at any moment.
    addProject: (name = 'Project', toolKeys = [], platformId) =>
      db.transaction((queries) => addProject(queries, name, toolKeys, platformId)),
    async addUser({
      roles = {},
      superadmin = false,
      superadminBilling = superadmin,
      platformId,
      totpSecret = superadmin ? testTotpSecret : null,
    } = {}) {
      const number = (users.get(database.address.database) ?? 0) + 1
      users.set(database.address.database, number)
      const email = `user${number}@example.test`
      const name = `User ${number}`
      const id = await addUser(db, {
        email,
        name,
        passwordHash,
        superadmin,
        superadminBilling,
        superadminPlatformId: platformId ?? null,
        ...(totpSecret && { totpSecret }),
      })
      if (id === 'email taken') throw new Error(`${email} is taken`)
      for (const [projectId, role] of Object.entries(roles)) await addMember(db, Number(projectId), id, role)
      return { id, email, token: await signedIn(db, id) }
    },
  }
}

/** The jobs that the first service of this process has done and that come again after a minute or an hour. */
let rareJobs: { kind: string; seconds: number }[] = []

/** On a new database all jobs are due at once, which takes longer than the start and many tests; these come later, as after a first round. */
async function postponeJobs(address: DatabaseAddress) {
  if (rareJobs.length === 0) return
  const db = connect(address, { connections: 1 })
  await db.sql`
    insert into jobs (kind, run_at) select kind, now() + make_interval(secs => seconds)
    from json_to_recordset(${JSON.stringify(rareJobs)}::text::json) as known (kind text, seconds float)`
  await db.end()
}

/** A database whose events are checked against the catalogue before it is dropped. */
async function createCheckedDatabase() {
  const database = await createTestDatabase()
  await postponeJobs(database.address)
  const check = async () => {
    const db = connect(database.address, { connections: 1 })
    try {
      await assertEventsTrue(db)
      if (rareJobs.length === 0)
        rareJobs = await db.sql<typeof rareJobs>`
          select kind, extract(epoch from run_at - now())::float as seconds from jobs
          where run_at between now() + interval '30 seconds' and now() + interval '1 hour'`
    } finally {
      await db.end()
    }
  }
  return { ...database, drop: () => check().finally(database.drop) }
}

/** A session without the cost of a password check. */
async function signedIn({ sql }: Database, userId: number): Promise<string> {
  const token = newToken()
  await sql`
    insert into sessions (token_hash, user_id, carrier, second_factor, address, user_agent, expires_at)
    values (${sha256(token)}, ${userId}, 'bearer', false, '127.0.0.1', 'test', now() + interval '30 days')`
  return token
}
