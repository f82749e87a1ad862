import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

const onLinux = process.platform === 'linux'

/** Identifies one process forever by its pid and start time, because a pid alone is reused. */
export async function identifyProcess(pid: number): Promise<string | undefined> {
  return onLinux ? identifyOnLinux(pid) : identifyByListing(pid)
}

export function pidOf(identity: string): number {
  return Number.parseInt(identity, 10)
}

export async function isRunning(identity: string): Promise<boolean> {
  return (await identifyProcess(pidOf(identity))) === identity
}

/** The arguments of a process, or '' if there is no such process. */
export async function commandLine(pid: number): Promise<string> {
  return onLinux ? readProcess(pid, 'cmdline') : listProcess(pid, 'args=')
}

async function identifyOnLinux(pid: number): Promise<string | undefined> {
  const stat = await readProcess(pid, 'stat')
  // The second field is the program's name and may contain spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const state = fields[0]
  const startTicks = fields[19]
  // Killed processes stay listed as zombies until they are reaped.
  if (startTicks === undefined || state === 'Z' || state === 'X') return undefined
  const bootId = (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim()
  return `${pid}-${startTicks}-${bootId}`
}

async function identifyByListing(pid: number): Promise<string | undefined> {
  const [state, ...start] = (await listProcess(pid, 'stat=,lstart=')).trim().split(/\s+/)
  if (start.length === 0 || state?.startsWith('Z')) return undefined
  return `${pid}-${start.join('-')}`
}

function readProcess(pid: number, file: string): Promise<string> {
  return readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')
}

async function listProcess(pid: number, columns: string): Promise<string> {
  const environment = { ...process.env, LC_ALL: 'C', TZ: 'UTC' }
  const listing = promisify(execFile)('ps', ['-ww', '-o', columns, '-p', String(pid)], { env: environment })
  return listing.then(
    ({ stdout }) => stdout,
    () => '',
  )
}
