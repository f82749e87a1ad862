import { connect } from '#database/connect.ts'
import { sha256 } from '#identity/tokens.ts'
import { demoPassword } from '../../demo/accounts.ts'
import type { KeyRead } from '../ceilings/key-read.ts'
import type { SignIns } from '../ceilings/sign-ins.ts'
import { compare, onceCompiled } from '../compare.ts'
import { type Load, post, runLoad, startLoad } from '../load.ts'
import { startProcess } from '../process.ts'
import type { Row } from '../row.ts'
import type { Service } from '../service.ts'
import { fetchAnswer, signIn } from '../session.ts'

const mePath = '/services/identity/v1/users/me'

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
    ceiling: 'node:http, argon2id on as many threads, one session stored',
    target: { atLeast: 0.85 },
    async measure({ service, toUndo }) {
      const startServer = startProcess<SignIns, string>('ceilings/sign-ins', toUndo)
      const ceilingUrl = await startServer({ database: service.database })
      const emails = await addPeople(service, 320)
      const signInsPerSecond = (load: Load) => async () => (await runLoad(load, 2)).perSecond
      return compare(
        signInsPerSecond(signIns(service.apiUrl, emails)),
        signInsPerSecond(signIns(ceilingUrl, emails)),
        onceCompiled,
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
      const emails = await addPeople(service, 32)
      const p99WhileSigningIn = async () => {
        const running = await startLoad(signIns(service.apiUrl, emails))
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

/** The clients take turns with the people: many sign-ins of one would be delayed as guesses, and end the oldest of too many sessions. */
function signIns(baseUrl: string, emails: string[]): Load {
  const requests = emails.map((email) =>
    post(`${baseUrl}/v1/authenticate`, { email, password: demoPassword }),
  )
  let sent = 0
  return { url: baseUrl, clients: 32, request: () => requests[sent++ % requests.length] as Buffer }
}

/** Adds people with the password of the demo, and returns their addresses. */
async function addPeople({ database }: Service, count: number): Promise<string[]> {
  const db = connect(database, { connections: 1 })
  try {
    const added = await db.sql<{ email: string }[]>`
      insert into users (email, name, password_hash, default_project_id)
      select 'bench-' || gen_random_uuid() || '@example.test', 'Bench', password_hash, default_project_id
      from (select * from users where is_demo and totp_secret is null order by id limit 1) demo, generate_series(1, ${count}::int)
      returning email`
    return added.map(({ email }) => email)
  } finally {
    await db.end()
  }
}
