import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { pipeline } from 'node:stream'
import { createZstdDecompress } from 'node:zlib'
import { errorCode } from '#database/unless-missing.ts'
import { StartFailure } from '#start-failure.ts'
import { endOfRows, head, seal, sealBytes } from './format.ts'
import type { Sequence, Snapshot } from './snapshot.ts'

interface Options {
  signal: AbortSignal
  /** Of the first reading, which checks the file, and of the second one. */
  onCheck(fraction: number): void
  onProgress(fraction: number): void
}

/** Reads a backup, after its checksum has shown that every byte is as it was written. */
export async function withBackup<Result>(
  file: string,
  { signal, onCheck, onProgress }: Options,
  use: (snapshot: Snapshot) => Promise<Result>,
): Promise<Result> {
  const opened = await open(file).catch((error) => {
    throw new StartFailure(`The backup ${file} cannot be read (${errorCode(error) ?? error}).`)
  })
  try {
    const found = await opened.stat()
    const start = Buffer.alloc(head.length)
    if (found.isFile()) await opened.read(start, 0, start.length, 0)
    if (!start.equals(head)) throw new StartFailure(`${file} is not a backup of Cardinal.`)
    const end = found.size - sealBytes
    if (end < head.length || !(await isIntact(opened, end, reading(signal, onCheck, end))))
      throw new StartFailure(
        `The backup ${file} is damaged or incomplete: its checksum is wrong. Nothing was changed.`,
      )
    return await use(await snapshotIn(opened, end, reading(signal, onProgress, end - head.length)))
  } finally {
    await opened.close()
  }
}

/** Notes progress while bytes pass. */
const reading = (signal: AbortSignal, onProgress: (fraction: number) => void, total: number) =>
  async function* (chunks: AsyncIterable<Buffer>) {
    let read = 0
    for await (const chunk of chunks) {
      signal.throwIfAborted()
      read += chunk.length
      onProgress(Math.min(read / total, 1))
      yield chunk
    }
  }

type Passing = ReturnType<typeof reading>

const bytesAtOnce = 64 * 1024

async function* read(opened: FileHandle, start: number, end: number): AsyncGenerator<Buffer> {
  for (let at = start; at < end; ) {
    const buffer = Buffer.alloc(Math.min(bytesAtOnce, end - at))
    const { bytesRead } = await opened.read(buffer, 0, buffer.length, at)
    if (bytesRead === 0) return
    at += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

async function isIntact(opened: FileHandle, end: number, passing: Passing): Promise<boolean> {
  const hash = createHash('sha256')
  for await (const chunk of passing(read(opened, 0, end))) hash.update(chunk)
  const found = Buffer.alloc(sealBytes)
  await opened.read(found, 0, sealBytes, end)
  return found.equals(seal(hash.digest()))
}

async function snapshotIn(opened: FileHandle, end: number, passing: Passing): Promise<Snapshot> {
  const lines = linesOf(decompressed(passing(read(opened, head.length, end))))
  const about = JSON.parse(await lines.next())
  let last: { sequences: Sequence[] } | undefined
  return {
    about,
    async *tables() {
      for (;;) {
        const next = JSON.parse(await lines.next())
        if (next.sequences) {
          last = next
          return
        }
        yield { name: next.table, columns: next.columns, rows: lines.rows() }
      }
    },
    sequences: async () => last?.sequences ?? [],
  }
}

function decompressed(chunks: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  const decompress = createZstdDecompress()
  // A failure ends the stream with its error, which the reader gets.
  pipeline(chunks, decompress, () => {})
  return decompress
}

/** Takes lines, or all rows of a table up to their end, from the beginning of what is left. */
function linesOf(chunks: AsyncIterable<Buffer>) {
  const iterator = chunks[Symbol.asyncIterator]()
  let left = Buffer.alloc(0)
  const more = async () => {
    const { value, done } = await iterator.next()
    if (done) throw new Error('The backup ends too early.')
    left = Buffer.concat([left, value])
  }
  const take = (bytes: number) => {
    const taken = left.subarray(0, bytes)
    left = left.subarray(bytes)
    return taken
  }
  return {
    async next(): Promise<string> {
      while (!left.includes('\n')) await more()
      return take(left.indexOf('\n') + 1).toString()
    },
    /** Whole rows, some at a time. */
    async *rows(): AsyncGenerator<Buffer> {
      const isAtEnd = () => left.subarray(0, endOfRows.length).equals(endOfRows)
      while (!isAtEnd()) {
        const end = left.indexOf(`\n${endOfRows}`)
        const whole = (end < 0 ? left.lastIndexOf('\n') : end) + 1
        if (whole > 0) yield take(whole)
        if (end < 0) await more()
      }
      take(endOfRows.length)
    },
  }
}
