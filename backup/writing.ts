import { createHash } from 'node:crypto'
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress } from 'node:zlib'
import { flushDirectory } from '#database/embedded/cluster.ts'
import { errorCode, unlessMissing } from '#database/unless-missing.ts'
import { StartFailure } from '#start-failure.ts'
import { endOfRows, head, seal } from './format.ts'
import type { Snapshot } from './snapshot.ts'

/** Writes a backup that only its owner can read, and returns its size. It gets its name when it is complete; until then an older one stays. */
export async function writeBackup(file: string, snapshot: Snapshot): Promise<number> {
  const partial = `${file}.partial`
  try {
    if ((await unlessMissing(stat(file)))?.isFile() === false)
      throw new StartFailure(`${file} is not a file that can be written.`)
    await rm(partial, { force: true })
    const opened = await open(partial, 'wx', 0o600)
    try {
      await pipeline(contentsOf(snapshot), createZstdCompress(), sealed, (chunks) => opened.writeFile(chunks))
      await opened.sync()
      if (!(await isAt(partial, opened)))
        throw new StartFailure(`Another backup to ${file} has started in the meantime.`)
      await rename(partial, file)
    } catch (error) {
      if (await isAt(partial, opened)) await rm(partial, { force: true })
      throw error
    } finally {
      await opened.close()
    }
    await flushDirectory(path.dirname(file))
    return (await stat(file)).size
  } catch (error) {
    throw unwritable(file, error)
  }
}

async function* contentsOf({ about, tables, sequences }: Snapshot) {
  yield line(about)
  for await (const { name, columns, rows } of tables()) {
    yield line({ table: name, columns })
    yield* rows
    yield endOfRows
  }
  yield line({ sequences: await sequences() })
}

const line = (value: object) => Buffer.from(`${JSON.stringify(value)}\n`)

async function* sealed(compressed: AsyncIterable<Buffer>) {
  const hash = createHash('sha256').update(head)
  yield head
  for await (const bytes of compressed) {
    hash.update(bytes)
    yield bytes
  }
  yield seal(hash.digest())
}

/** False if another backup to the same file has put its own there. */
async function isAt(file: string, opened: FileHandle): Promise<boolean> {
  const [there, ours] = await Promise.all([unlessMissing(stat(file)), opened.stat()])
  return there?.ino === ours.ino && there.dev === ours.dev
}

const reasons: Record<string, string> = {
  EACCES: 'the user that Cardinal runs as may not write there',
  EPERM: 'the user that Cardinal runs as may not write there',
  EROFS: 'that file system is read-only',
  ENOENT: 'its directory does not exist',
  ENOTDIR: 'its directory does not exist',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk is full',
}

function unwritable(file: string, error: unknown): unknown {
  const reason = reasons[errorCode(error) ?? '']
  return reason === undefined ? error : new StartFailure(`The backup ${file} cannot be written: ${reason}.`)
}
