// Randomness in tests: a run prints its seed, and CARDINAL_TEST_SEED repeats it.
import fc from 'fast-check'

export const seedVariable = 'CARDINAL_TEST_SEED'
const given = process.env[seedVariable]
export const seed = given === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(given)
console.log(`${seedVariable}=${seed}`)

fc.configureGlobal({ seed, includeErrorInReport: true })

export { fc }

/** Whole numbers below a bound; each name has its own sequence. */
export const randomNumbers = (name: string | number) =>
  numbersFrom([...String(name)].reduce((sum, letter) => Math.imul(sum, 31) + letter.charCodeAt(0), seed))

function numbersFrom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}
