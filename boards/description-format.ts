import { oneOf, onlyInV2 } from '#contract/schema.ts'

/** Told with every description; of none it is text. */
export const descriptionFormat = onlyInV2(oneOf(['text', 'html']))
