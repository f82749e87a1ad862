import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { Account } from './account.ts'
import { installedBinaries, sharedBinaries } from './binaries.ts'

type Program = ChildProcessByStdio<null, null, Readable>

/** Starts one of PostgreSQL's programs on a data directory. */
export type StartProgram = (name: 'initdb' | 'postgres', dataDirectory: string, options: string[]) => Program

export async function findPrograms(account: Account | undefined): Promise<StartProgram> {
  const binaries = account === undefined ? installedBinaries() : await sharedBinaries()
  return (name, dataDirectory, options) => {
    // Another user may not be allowed to reach the directory by its path, but a process keeps the working
    // directory that it had before it changed its user.
    const reachable = account === undefined ? dataDirectory : '/proc/self/cwd'
    return spawn(join(binaries, 'bin', name), ['-D', reachable, ...options], {
      ...account,
      cwd: dataDirectory,
      env: { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/bin:/bin' },
      // Ctrl-C goes to the terminal's whole process group, and PostgreSQL has to run until the last requests are finished.
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
  }
}
