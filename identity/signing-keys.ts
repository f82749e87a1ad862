import type { Queries } from '#database/connect.ts'

/** A key that all instances share. It is read by its first use, because a start does not wait for the database. */
export function signingKey(queries: Queries, purpose: 'device' | 'passkey'): () => Promise<Buffer> {
  let read: Promise<Buffer> | undefined
  return () => {
    read ??= readKey(queries, purpose).catch((error: unknown) => {
      read = undefined
      throw error
    })
    return read
  }
}

async function readKey({ sql }: Queries, purpose: string): Promise<Buffer> {
  const [stored] = await sql<{ key: Buffer }[]>`select key from signing_keys where purpose = ${purpose}`
  if (!stored) throw new Error(`The signing key "${purpose}" is missing.`)
  return stored.key
}
