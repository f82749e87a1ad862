// Bare node:http that reads one row by its key and sends prepared bytes: the minimal cost of a response from the database.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect } from '#database/connect.ts'
import type { DatabaseAddress } from '#database/embedded.ts'
import { answerBench } from '../process.ts'

export interface KeyRead {
  database: DatabaseAddress
  /** A statement that reads one row by its key, and the key as hexadecimal digits. */
  statement: string
  key: string
  headers: Record<string, string>
  body: string
}

/** Starts the server and answers with its address. */
answerBench(async ({ database, statement, key, headers, body }: KeyRead) => {
  const db = connect(database)
  const values = [Buffer.from(key, 'hex')]
  const server = createServer(async (request, response) => {
    request.resume()
    const [row] = await db.run(statement, values)
    response.writeHead(row ? 200 : 500, headers).end(body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
