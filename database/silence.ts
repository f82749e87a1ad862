// Closes connections on which PostgreSQL says nothing for long, as while its machine hangs. Used by connect.ts.
import type { Socket } from 'node:net'

/** Returns a function that watches a connection of a pool; silence counts only while a statement of the pool is running. */
export function closingSilent(longestSilenceSeconds: number, isAnyRunning: () => boolean) {
  const watched = new Map<Socket, { bytes: number; seconds: number }>()
  let looking: NodeJS.Timeout | undefined

  function look() {
    for (const [socket, silence] of watched) {
      // The sum of both, because a statement that is sent begins to run.
      const bytes = socket.bytesRead + socket.bytesWritten
      // Counted and not measured, because a service that was stopped has not listened meanwhile.
      silence.seconds = bytes === silence.bytes && isAnyRunning() ? silence.seconds + 1 : 0
      silence.bytes = bytes
      if (silence.seconds >= longestSilenceSeconds) socket.destroy()
      // Not by its event, because the driver removes all listeners from a socket that it uses for TLS.
      if (socket.destroyed) watched.delete(socket)
    }
    if (watched.size > 0) return
    clearInterval(looking)
    looking = undefined
  }

  return (socket: Socket): Socket => {
    watched.set(socket, { bytes: 0, seconds: 0 })
    looking ??= setInterval(look, 1000).unref()
    return socket
  }
}
