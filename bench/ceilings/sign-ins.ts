// Bare node:http that verifies a password on as many threads as the service and stores a session: the minimal cost of a sign-in.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { availableParallelism } from 'node:os'
import { json } from 'node:stream/consumers'
import { connect } from '#database/connect.ts'
import type { DatabaseAddress } from '#database/embedded.ts'
import type { HashJob, HashResult } from '#identity/password-worker.ts'
import { startThreads } from '#threads.ts'
import { answerBench } from '../process.ts'

export interface SignIns {
  database: DatabaseAddress
}

const threads = startThreads<HashJob, HashResult>(
  new URL(import.meta.resolve('#identity/password-worker.ts')),
  availableParallelism(),
)

/** Starts the server and answers with its address. */
answerBench(async ({ database }: SignIns) => {
  const { sql } = connect(database)
  const server = createServer(async (request, response) => {
    const { email, password } = (await json(request)) as { email: string; password: string }
    const [user] = await sql<{ id: number; password_hash: string }[]>`
      select id, password_hash from users where email = ${email}`
    const matches = user && (await threads.run({ password, stored: user.password_hash }))
    if (matches)
      await sql`
        insert into sessions (token_hash, user_id, carrier, second_factor, address, user_agent, ends_at, expires_at)
        values (${randomBytes(32)}, ${user.id}, 'bearer', false, '127.0.0.1', 'bench', now() + interval '1 day', now() + interval '1 day')`
    response.writeHead(matches ? 200 : 401, { 'content-length': 2 }).end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
