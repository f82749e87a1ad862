// How much JavaScript the built web app needs to sign in and to show a board.
import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { languages } from '#languages/known.ts'

const built = path.join(import.meta.dirname, '../web/dist')

/** The most bytes, compressed by gzip. */
export const mostFirstScriptBytes = 165_000

interface Chunk {
  file: string
  /** Of a group of vite.config.ts, as the board's. */
  name?: string
  src?: string
  isEntry?: boolean
  imports?: string[]
}

const isFirst = ({ name, src, isEntry }: Chunk) =>
  isEntry || name === 'board' || src === 'identity/sign-in/page.tsx'

/** Of the entry, both pages and their static imports, in the longest language. */
export async function firstScriptBytes(): Promise<number> {
  return Math.max(...(await Promise.all(languages.map((language) => bytesIn(path.join(built, language))))))
}

async function bytesIn(folder: string): Promise<number> {
  const manifest: Record<string, Chunk> = JSON.parse(
    await readFile(path.join(folder, 'manifest.json'), 'utf8'),
  )
  const files = new Set<string>()
  const collect = (key: string) => {
    const chunk = manifest[key]
    if (!chunk || files.has(chunk.file)) return
    files.add(chunk.file)
    for (const imported of chunk.imports ?? []) collect(imported)
  }
  for (const [key, chunk] of Object.entries(manifest)) if (isFirst(chunk)) collect(key)
  const sizes = await Promise.all(
    [...files].filter((file) => file.endsWith('.js')).map((file) => stat(path.join(folder, `${file}.gz`))),
  )
  return sizes.reduce((sum, { size }) => sum + size, 0)
}
