// Cases that are many and alike, and tests of what seldom breaks: `npm test` tries some of them, others each time, and `npm run long` tries all.
import test from 'node:test'
import { effort } from './effort.ts'
import { randomNumbers } from './random.ts'

const below = randomNumbers('drawn')

/** One of the cases, or so many, in their order; all in `npm run long`. */
export function drawn<Case>(all: readonly Case[], count = 1): readonly Case[] {
  const first = below(all.length)
  const isDrawn = (index: number) => (index - first + all.length) % all.length < count
  return effort > 1 ? all : all.filter((_, index) => isDrawn(index))
}

/** Set by tools/test.ts if it runs all files. */
export const sparingVariable = 'CARDINAL_TEST_SPARING'
/** Why a test is skipped; tools/test.ts counts these. */
export const leftOut = 'left to other seeds and to npm run long'

/** A test that takes long beside others of the same behavior: every third seed runs it, as do `npm run long` and a run of its file alone. */
export function seldom(...[name, work]: [name: string, work: (t: test.TestContext) => Promise<void>]): void {
  const isLeftOut = process.env[sparingVariable] !== undefined && randomNumbers(`seldom ${name}`)(3) > 0
  test(name, { skip: isLeftOut && leftOut }, work)
}
