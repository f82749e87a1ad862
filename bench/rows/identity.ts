import { connect } from '#database/connect.ts'
import type { DatabaseAddress } from '#database/embedded.ts'
import { sha256 } from '#identity/tokens.ts'
import { demoAccounts, demoPassword } from '../../demo/accounts.ts'
import type { Verifications } from '../ceilings/argon2.ts'
import type { KeyRead } from '../ceilings/key-read.ts'
import { compare } from '../compare.ts'
import { type Load, post, runLoad, startLoad } from '../load.ts'
import { startProcess } from '../process.ts'
import type { Row } from '../row.ts'
import type { Service } from '../service.ts'
import { fetchAnswer, signIn } from '../session.ts'

const mePath = '/services/identity/v1/users/me'
/** Accounts without two-factor authentication, because its codes work once. */
const accounts = demoAccounts.filter(({ totpSecret }) => totpSecret === undefined)

export const identityRows: Row[] = [
  {
    name: 'identity: users/me at 64 in flight',
    unit: 'requests/s',
    ceiling: 'node:http, one key read, the same bytes',
    target: { atLeast: 0.7 },
    async measure({ service, toUndo }) {
      const token = await signIn(service, 'member@acme.test')
      const startServer = startProcess<KeyRead, string>('ceilings/key-read', toUndo)
      const ceilingUrl = await startServer({
        database: service.database,
        statement: 'select user_id from sessions where token_hash = $1',
        key: sha256(token).toString('hex'),
        ...(await fetchAnswer(service.apiUrl + mePath, token)),
      })
      const requestsPerSecond = (load: Load) => async () => (await runLoad(load, 1)).perSecond
      return compare(
        requestsPerSecond(me(service.apiUrl, token, 64)),
        requestsPerSecond(me(ceilingUrl, token, 64)),
        { pairs: 16, warmUps: 2 },
      )
    },
  },
  {
    name: 'identity: sign-ins by 32 clients',
    unit: 'sign-ins/s',
    ceiling: 'argon2id alone on as many threads',
    target: { atLeast: 0.85 },
    async measure({ service, toUndo }) {
      const verify = startProcess<Verifications, number>('ceilings/argon2', toUndo)
      const stored = await passwordHashIn(service.database)
      return compare(
        async () => (await runLoad(signIns(service, 32), 1)).perSecond,
        () => verify({ password: demoPassword, stored, seconds: 2 }),
      )
    },
  },
  {
    name: 'identity: p99 of users/me by 8 clients while 32 sign in',
    unit: 'ms',
    ceiling: 'the same without sign-ins',
    target: { atMost: 3 },
    async measure({ service }) {
      const token = await signIn(service, 'member@acme.test')
      const p99 = async () => (await runLoad(me(service.apiUrl, token, 8), 1.5)).latency(99)
      const p99WhileSigningIn = async () => {
        const running = await startLoad(signIns(service, 32))
        try {
          return await p99()
        } finally {
          await running.stop()
        }
      }
      return compare(p99WhileSigningIn, p99)
    },
  },
]

function me(baseUrl: string, token: string, clients: number): Load {
  const bytes = post(baseUrl + mePath, {}, { authorization: `Bearer ${token}` })
  return { url: baseUrl, clients, request: () => bytes }
}

/** Each client uses one account, because more than nine parallel attempts on one would be delayed as guesses. */
function signIns({ apiUrl }: Service, clients: number): Load {
  const requests = accounts.map(({ email }) =>
    post(`${apiUrl}/v1/authenticate`, { email, password: demoPassword }),
  )
  return { url: apiUrl, clients, request: (client) => requests[client % requests.length] as Buffer }
}

async function passwordHashIn(database: DatabaseAddress): Promise<string> {
  const db = connect(database, { connections: 1 })
  try {
    const [user] = await db.sql<{ password_hash: string }[]>`select password_hash from users limit 1`
    return user?.password_hash as string
  } finally {
    await db.end()
  }
}
