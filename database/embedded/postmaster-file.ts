import { constants, type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { unlessMissing } from '../unless-missing.ts'

/** What PostgreSQL writes into postmaster.pid for programs like pg_ctl. */
interface PostmasterFile {
  pid: number
  isReady: boolean
}

export async function readPostmasterFile(dataDirectory: string): Promise<PostmasterFile | undefined> {
  return withFile(dataDirectory, async (file) => {
    const lines = await linesOf(file)
    return { pid: Number(lines[0]), isReady: lines[7]?.trim() === 'ready' }
  })
}

/**
 * Lets a new PostgreSQL start although postmaster.pid names a pid that another process uses by now: the pid is replaced by ours,
 * since PostgreSQL ignores its own parent. The rest of the file stays, because it names the shared memory by which PostgreSQL
 * detects old backends.
 */
export async function disownPostmasterFile(dataDirectory: string): Promise<void> {
  await withFile(dataDirectory, async (file) => {
    const [, ...rest] = await linesOf(file)
    await file.truncate()
    await file.write([process.pid, ...rest].join('\n'), 0)
  })
}

async function withFile<Result>(
  dataDirectory: string,
  use: (file: FileHandle) => Promise<Result>,
): Promise<Result | undefined> {
  // Links are not followed, because as root we would write wherever PostgreSQL's user pointed them.
  const flags = constants.O_RDWR | constants.O_NOFOLLOW
  const file = await unlessMissing(open(join(dataDirectory, 'postmaster.pid'), flags))
  if (file === undefined) return undefined
  try {
    return await use(file)
  } finally {
    await file.close()
  }
}

async function linesOf(file: FileHandle): Promise<string[]> {
  return (await file.readFile('utf8')).split('\n')
}
