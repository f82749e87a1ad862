import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, open, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { addressOfRunning, type DatabaseAddress } from '#database/embedded.ts'
import manifest from '../package.json' with { type: 'json' }

export interface Service {
  url: string
  apiUrl: string
  /** The embedded PostgreSQL, which the ceilings use as well. */
  database: DatabaseAddress
}

const root = path.join(import.meta.dirname, '..')
const startMilliseconds = 60_000
const stopMilliseconds = 15_000

/** How `npm start` starts the service once the web app is built. */
const startCommand = manifest.scripts.start.split(' && ').at(-1) as string

/** The real service as a separate process with an empty data directory; only the rate limits differ from production. */
export async function startService(
  toUndo: AsyncDisposableStack,
  environment: Record<string, string> = {},
): Promise<Service> {
  return startServiceOn(await newDirectory(toUndo), toUndo, environment)
}

export async function newDirectory(toUndo: AsyncDisposableStack): Promise<string> {
  const directory = await mkdtemp(path.join(tmpdir(), 'cardinal-bench-'))
  toUndo.defer(() => rm(directory, { recursive: true, force: true }))
  return directory
}

/** Where a service that was started on a directory has its data. */
export const dataIn = (directory: string) => path.join(directory, 'data')

export async function startServiceOn(
  directory: string,
  toUndo: AsyncDisposableStack,
  environment: Record<string, string> = {},
): Promise<Service & { kill(): Promise<unknown> }> {
  const logFile = path.join(directory, 'service.log')
  await using output = await open(logFile, 'w')
  const data = dataIn(directory)
  const child = spawn('sh', ['-c', startCommand], {
    cwd: root,
    env: {
      PATH: process.env['PATH'],
      CARDINAL_DATA_DIR: data,
      CARDINAL_RATE_LIMIT: '1000000000',
      CARDINAL_ANONYMOUS_RATE_LIMIT: '1000000000',
      PORT: '0',
      ...environment,
    },
    stdio: ['ignore', output.fd, output.fd],
    // In its own process group it gets Ctrl-C once, from us.
    detached: true,
  })
  const exited = once(child, 'exit')
  toUndo.defer(async () => {
    child.kill('SIGTERM')
    const timer = setTimeout(() => child.kill('SIGKILL'), stopMilliseconds)
    await exited
    clearTimeout(timer)
  })

  const url = await readyAddress(logFile, () => child.exitCode === null && child.signalCode === null)
  const database = await addressOfRunning(data)
  if (!database) throw new Error('The service runs without its embedded PostgreSQL.')
  const kill = () => {
    child.kill('SIGKILL')
    return exited
  }
  return { url, apiUrl: `${url}/api`, database, kill }
}

/** Reads the address from the log, which goes to a file so that it costs the load generator nothing. */
async function readyAddress(logFile: string, isRunning: () => boolean): Promise<string> {
  const giveUpAt = Date.now() + startMilliseconds
  while (Date.now() < giveUpAt && isRunning()) {
    const ready = /Cardinal is ready at (\S+)/.exec(await readFile(logFile, 'utf8'))
    if (ready?.[1]) return ready[1]
    await sleep(50)
  }
  throw new Error(`The service did not start:\n${await readFile(logFile, 'utf8')}`)
}
