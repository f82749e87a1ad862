import { oneOf, onlyInV2 } from '#contract/schema.ts'

export const descriptionFormat = onlyInV2(
  oneOf(['text', 'html'], {
    about: 'Whether the description is plain text or HTML; `text` if there is none.',
  }),
)
