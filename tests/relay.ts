// Stands between a service and its database, and can keep what they say to each other, as while the database's machine hangs.
import { once } from 'node:events'
import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net'
import type { DatabaseAddress } from '#database/embedded.ts'

export async function startRelay({ host, port, ...rest }: DatabaseAddress) {
  const sockets = new Set<Socket>()
  let isPaused = false
  const server = createServer((client) => {
    const target = host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port }
    const backend = createConnection(target)
    for (const [socket, other] of [
      [client, backend],
      [backend, client],
    ] as const) {
      sockets.add(socket)
      socket.on('data', (part) => other.write(part))
      socket.on('error', () => other.destroy())
      socket.on('close', () => other.destroy())
      if (isPaused) socket.pause()
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    address: { ...rest, host: '127.0.0.1', port: (server.address() as AddressInfo).port },
    pause() {
      isPaused = true
      for (const socket of sockets) socket.pause()
    },
    resume() {
      isPaused = false
      for (const socket of sockets) socket.resume()
    },
    async stop() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
