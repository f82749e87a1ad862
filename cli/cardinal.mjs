// The entry of the command line: runs what tools/build-service.ts has built. Compiled code is cached, so that later starts and threads need no
// compiler in memory.
import { enableCompileCache } from 'node:module'
import path from 'node:path'

// In our own directory, and one for each user, because anyone who can write to the cache can run code here.
const cache = path.join(import.meta.dirname, `../node_modules/.cache/cardinal-${process.getuid?.()}`)
process.env.NODE_COMPILE_CACHE = cache
enableCompileCache(cache)
await import('../dist/cardinal.js')
