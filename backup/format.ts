// A backup is a file of zstd, so `zstd -dc` shows what is in it: a line of JSON about the whole, then for each table a line of JSON and its
// rows as PostgreSQL's COPY writes them, up to a line with `\.`, and at last a line with the sequences. Before and after that are frames
// that zstd skips: one with the name of the format, and one with the SHA-256 of everything before it.

const skippedFrame = 0x184d2a50

function skipped(content: Buffer): Buffer {
  const prefix = Buffer.alloc(8)
  prefix.writeUInt32LE(skippedFrame, 0)
  prefix.writeUInt32LE(content.length, 4)
  return Buffer.concat([prefix, content])
}

/** The first bytes of every backup. The number changes when older versions cannot read it. */
export const head = skipped(Buffer.from('Cardinal backup 1\n'))

/** Its last bytes, with the SHA-256 of those before. */
export const seal = (digest: Buffer) => skipped(digest)

export const sealBytes = seal(Buffer.alloc(32)).length

/** No row is this line, because COPY writes a backslash in a row as two. */
export const endOfRows = Buffer.from('\\.\n')
