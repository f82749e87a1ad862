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
 * Lets a new PostgreSQL pass a postmaster.pid whose process is gone although its number is in use again:
 * PostgreSQL never takes its own parent for another server. The rest of the file stays, because it names the
 * shared memory by which PostgreSQL finds out whether old backends are still at work.
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
  // Not through a link: as root we would otherwise write wherever PostgreSQL's user pointed it.
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
