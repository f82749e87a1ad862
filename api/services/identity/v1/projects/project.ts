import { integer, nullable, oneOf, record, text } from '#contract/schema.ts'
import { roles } from '#identity/roles.ts'

/** A project as its members see it in a list. */
export const project = record({
  id: integer(),
  platform_id: integer(),
  name: text(),
  role: nullable(oneOf(roles)),
  website_url: nullable(text()),
  language: nullable(text()),
  time_zone: nullable(text()),
})
