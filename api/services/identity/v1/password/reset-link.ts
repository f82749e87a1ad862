import { text } from '#contract/schema.ts'

export const resetToken = text({ max: 255, about: 'The part of the link after the `#`.' })

export const resetFailures = {
  404: { reset_link_not_found: 'This link was used before or has expired. Ask for a new one.' },
} as const
