// The address of a PostgreSQL that Cardinal does not run itself. It may name several servers, of which the one that can be written is used.
import { Socket } from 'node:net'
import postgres from 'postgres'
import type { DatabaseAddress } from './embedded.ts'
import { type Host, hostOf, splitHosts } from './hosts.ts'

export interface ServerAddress {
  /** With one host only. */
  url: string
  /** What sentences call it: the variable, the hosts and the database. */
  name: string
  /** Set if several servers are named. */
  primary: Primary | undefined
  /** True if a connection pooler is in between: a session lasts no longer than a transaction. */
  isPooled: boolean
  /** Where sessions last, for notifications, if not here. */
  direct: ServerAddress | undefined
}

export type Address = DatabaseAddress | ServerAddress | string

interface Primary {
  readonly current: Host
  /** Looks once for the server that can be written; returns why none was found. */
  find(): Promise<string | undefined>
}

export function serverAddress(given: string, variable = 'DATABASE_URL'): ServerAddress {
  // Always the server that can be written (config.ts).
  const text = given.replace(/([?&])target_session_attrs=[^&#]*&?/, '$1')
  const { names, urlOf } = splitHosts(text)
  const url = names.length > 1 ? urlOf(names[0] as string) : text
  return {
    url,
    name: `database of ${variable} (${names.join(',')}${new URL(url).pathname})`,
    primary: names.length > 1 ? primaryOf(url, names.map(urlOf).map(hostOf)) : undefined,
    isPooled: false,
    direct: undefined,
  }
}

/** Which of these servers can be written. The driver's own choice between hosts (3.4.9) never gives up while all of them refuse. */
function primaryOf(url: string, hosts: Host[]): Primary {
  let current = hosts[0] as Host
  let finding: Promise<string | undefined> | undefined
  async function look(): Promise<string | undefined> {
    try {
      current = await Promise.any(hosts.map((host) => requireWritable(url, host)))
      return undefined
    } catch (failures) {
      const reasons = (failures as AggregateError).errors.map(
        (error: Error) => error.message || String(error),
      )
      return [...new Set(reasons)].join('; ')
    }
  }
  return {
    get current() {
      return current
    },
    find() {
      finding ??= look().finally(() => {
        finding = undefined
      })
      return finding
    },
  }
}

async function requireWritable(url: string, host: Host): Promise<Host> {
  const sql = postgres(url, {
    host: host.hostname,
    port: host.port,
    max: 1,
    connect_timeout: 2,
    fetch_types: false,
    onnotice: () => {},
    connection: { application_name: 'cardinal' },
  })
  try {
    const [row] = await sql<{ is_read_only: boolean }[]>`
      select pg_is_in_recovery() or current_setting('default_transaction_read_only')::boolean as is_read_only`
    if (row?.is_read_only) throw new Error(`${host.hostname}:${host.port} ${readOnlyReason}`)
    return host
  } finally {
    void sql.end({ timeout: 1 })
  }
}

export const readOnlyReason = 'is read-only, such as a replica that has not been promoted'

/** Opens a socket for the driver, which tells the hosts, ports and path of the address. */
export type SocketMaker = (parts: { host: string[]; port: number[]; path: string | false }) => Socket

/** What the driver itself opens. */
export const usualSocket: SocketMaker = ({ host: [host = ''], port: [port = 0], path }) =>
  opened((socket) => (path ? socket.connect(path) : socket.connect(port, host)), { host, port })

/** Options for the driver that make each connection one to the primary of now, and none to a replica. */
export const optionsFor = (primary: Primary) => ({
  target_session_attrs: 'primary' as const,
  socket() {
    const { hostname, port } = primary.current
    return opened((socket) => socket.connect(port, hostname), { host: hostname, port })
  },
})

/** Connects after the driver hears the socket: an unreachable network fails at once, and a failure that nobody hears ends the process. */
function opened(open: (socket: Socket) => void, place: { host: string; port: number }): Socket {
  const socket = new Socket()
  setImmediate(() => socket.destroyed || open(socket))
  // The driver takes the name for TLS and for its errors from here.
  return Object.assign(socket, place)
}
