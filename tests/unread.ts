// Clients that ask and never read, for the tests of unread answers.
import { connect, type Socket } from 'node:net'
import { createBoard } from './board.ts'
import type { TestService } from './service.ts'

const area = '/services/operations/v1/operations'
export const megabyte = 1_000_000

export type Scene = Awaited<ReturnType<typeof createBoard>>

/** A board whose answer in v1 has about so many bytes. */
export async function boardOf(service: TestService, bytes: number): Promise<Scene> {
  const scene = await createBoard(service)
  await service.db.sql`
    insert into cards (project_id, board_id, group_id, title, short_description, sort_order)
    select project_id, board_id, id, 'Long', repeat('x', 50000), number
    from groups, generate_series(1, ${Math.ceil(bytes / 51_000)}::int) number where id = ${scene.groupIds[0] as number}`
  await service.db.sql`
    select record_event(${scene.projectId}, ${scene.boardId}, null, null, 'groups.reordered', '{"group_ids": []}')`
  await service.db.sql`
    update board_sizes size set bytes = counted.bytes from counted_sizes(array[${scene.projectId}::bigint]) counted
    where size.project_id = counted.project_id`
  return scene
}

/** Sends the same request many times on one connection and never reads. */
export async function askWithoutReading(
  service: TestService,
  request: string,
  times: number,
): Promise<Socket> {
  const { hostname, port } = new URL(service.url)
  const socket = connect(Number(port), hostname).pause()
  socket.on('error', () => {})
  await new Promise((resolve) => socket.once('connect', resolve))
  socket.write(request.repeat(times))
  return socket
}

export function boardRequest({ members, boardId }: Scene, { token } = members.viewer): string {
  const body = JSON.stringify({ id: boardId })
  return [
    `POST /api${area}/boards/get HTTP/1.1`,
    'host: cardinal',
    `authorization: Bearer ${token}`,
    'content-type: application/json',
    `content-length: ${body.length}`,
    '',
    body,
  ].join('\r\n')
}

export async function unreadBytes(service: TestService): Promise<number> {
  const text = await (await fetch(`${service.url}/metrics`)).text()
  return Number(/^cardinal_unread_bytes (\d+)$/m.exec(text)?.[1])
}

export const read = (service: TestService, { boardId }: Scene, token: string) =>
  service.client(token).attempt(`${area}/boards/get`, { id: boardId })
