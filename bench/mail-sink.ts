import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'

const longestMinutes = 5

/** An SMTP server that takes every mail and keeps none: a real one would take the processor from the service it measures. */
export async function startMailSink(toUndo: AsyncDisposableStack) {
  let count = 0
  let wanted = Number.POSITIVE_INFINITY
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    socket.write('220 sink\r\n')
    let buffer = ''
    let isMail = false
    socket.setEncoding('latin1').on('data', (text: string) => {
      buffer += text
      for (;;) {
        const end = buffer.indexOf(isMail ? '\r\n.\r\n' : '\r\n')
        if (end === -1) return
        const line = buffer.slice(0, end).toUpperCase()
        buffer = buffer.slice(end + (isMail ? 5 : 2))
        if (isMail) {
          isMail = false
          count++
          socket.write('250 taken\r\n')
          if (count >= wanted) resolve()
        } else if (line.startsWith('DATA')) {
          isMail = true
          socket.write('354 go on\r\n')
        } else socket.write(line.startsWith('QUIT') ? '221 bye\r\n' : '250 ok\r\n')
      }
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  toUndo.defer(async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const { port } = server.address() as { port: number }
  return {
    url: `smtp://127.0.0.1:${port}`,
    /** Waits until this many mails have come. */
    received(number: number): Promise<void> {
      wanted = number
      const limit = setTimeout(
        () => reject(new Error(`only ${count} of ${number} mails came`)),
        longestMinutes * 60_000,
      )
      return promise.finally(() => clearTimeout(limit))
    },
  }
}
