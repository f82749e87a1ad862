/** Set by `npm run long` (tools/test.ts). */
export const effortVariable = 'CARDINAL_TEST_EFFORT'

/** How many times as much the random tests try: 1 in `npm test`, 20 in `npm run long`, 0.02 in `npm run mutate`. */
export const effort = Number(process.env[effortVariable] ?? 1)

/** Rounds of what is the same each time, such as a race: a third in `npm test`, all in `npm run long`. */
export const rounds = (count: number): number => (effort > 1 ? count : Math.ceil(count / 3))

/** Random cases: as many rounds, times the effort. Whole, because fast-check never ends with a fraction. */
export const cases = (count: number): number => Math.ceil(rounds(count) * effort)
