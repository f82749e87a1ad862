/** Set by `npm run long` (tools/test.ts). */
export const effortVariable = 'CARDINAL_TEST_EFFORT'

/** How many times as much the random tests try: 1 in `npm test`, 20 in `npm run long`. */
export const effort = Number(process.env[effortVariable] ?? 1)
