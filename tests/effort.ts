/** How many times as much the random tests try: 1 in `npm test`, more in `npm run long`. */
export const effort = Number(process.env['CARDINAL_TEST_EFFORT'] ?? 1)
