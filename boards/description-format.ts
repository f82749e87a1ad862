import { oneOf, onlyInV2 } from '#contract/schema.ts'

/** Sent with every description; `text` if there is none. */
export const descriptionFormat = onlyInV2(oneOf(['text', 'html']))
