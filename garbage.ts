// Asks the engine to collect garbage: by itself it waits long if most of it is buffers, which are outside its heap.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect: (options: { type: 'minor' | 'major'; flavor?: 'last-resort' }) => void = runInNewContext('gc')

/** Collects what was made shortly before, in about a millisecond. */
export const collectNew = () => collect({ type: 'minor' })

/** Collects everything and gives memory back to the system, in about 0.1 s. */
export const collectAll = () => collect({ type: 'major', flavor: 'last-resort' })
