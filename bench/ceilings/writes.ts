// Bare node:http that writes row and event in one transaction: the minimal cost of a durable write.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect, type Queries } from '#database/connect.ts'
import type { DatabaseAddress } from '#database/embedded.ts'
import { answerBench } from '../process.ts'
import type { Scene } from '../scene.ts'

export interface Writes {
  database: DatabaseAddress
  what: 'card' | 'comment' | 'move'
  scenes: Scene[]
}

const write = {
  card: ({ sql }: Queries, { projectId, boardId, groupIds }: Scene, number: number) => sql`
    insert into cards (project_id, board_id, group_id, title, sort_order)
    values (${projectId}, ${boardId}, ${groupIds[number % groupIds.length] as number}, 'Bench', 1) returning id`,
  comment: ({ sql }: Queries, { projectId, cardIds }: Scene, number: number) => sql`
    insert into comments (project_id, card_id, user_id, comment)
    values (${projectId}, ${cardIds[number % cardIds.length] as number}, 1, 'Bench') returning id`,
  move: ({ sql }: Queries, { projectId, cardIds }: Scene, number: number) => sql`
    update cards set rank = list_end(), is_moved = true, updated_at = now()
    where project_id = ${projectId} and id = ${cardIds[number % cardIds.length] as number} returning id`,
}

/** Starts the server and answers with its address. */
answerBench(async ({ database, what, scenes }: Writes) => {
  const db = connect(database)
  let number = 0
  const server = createServer(async (request, response) => {
    request.resume()
    const scene = scenes[++number % scenes.length] as Scene
    const id = await db.transaction(async (queries) => {
      const [row] = await write[what](queries, scene, number)
      await queries.sql`
        with project as (
          update project_versions set version = version + 1 where project_id = ${scene.projectId} returning version
        )
        insert into events (project_id, id, board_id, card_id, kind, data)
        select ${scene.projectId}, version, ${scene.boardId}, ${scene.cardIds[0] as number}, 'card.created', '{}' from project`
      return row?.['id']
    })
    const body = JSON.stringify({ id })
    response
      .writeHead(201, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
      .end(body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
