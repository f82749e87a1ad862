import { flag, integer, optional, text } from '#contract/schema.ts'

/** One result of a check, as it is reported. */
export const resultInput = {
  check: text({ max: 100, about: 'The key that cards name in `evaluation_check`.' }),
  project_id: optional(integer()),
  passed: flag(),
  detail: optional(text({ max: 1000, about: 'What was found, for the people who read the card.' })),
}
