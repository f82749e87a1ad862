/** Set by `npm run long` (tools/test.ts). */
export const effortVariable = 'CARDINAL_TEST_EFFORT'

/** How many times as much the random tests try: 1 in `npm test`, 20 in `npm run long`. */
export const effort = Number(process.env[effortVariable] ?? 1)

/** Rounds of what is the same each time, such as a race: a third in `npm test`, all in `npm run long`. */
export const rounds = (count: number): number => (effort > 1 ? count : Math.ceil(count / 3))
