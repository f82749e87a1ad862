// The entry: TypeScript that was read once is kept, so that no later start, and no thread, needs a compiler in memory.
import { enableCompileCache } from 'node:module'
import path from 'node:path'

// In our own directory, because whoever can write to the cache decides what runs.
const cache = path.join(import.meta.dirname, '../node_modules/.cache/cardinal')
process.env.NODE_COMPILE_CACHE = cache
enableCompileCache(cache)
await import('./cardinal.ts')
