// Cases that are many and alike: `npm test` tries some of them, others each time, and `npm run long` tries all.
import { effort } from './effort.ts'
import { randomNumbers } from './random.ts'

const below = randomNumbers('drawn')

/** One of the cases, or all in `npm run long`. */
export function drawn<Case>(all: readonly Case[]): readonly Case[] {
  const one = below(all.length)
  return effort > 1 ? all : all.slice(one, one + 1)
}
