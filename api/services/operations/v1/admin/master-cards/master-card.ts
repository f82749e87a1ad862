import { taken } from '#api/failures.ts'
import { limitOn, limitReached } from '#api/quota.ts'
import { priorities } from '#boards/card/priorities.ts'
import { flag, oneOf, optional, text } from '#contract/schema.ts'
import { badDescription, description } from '../../operations/fields.ts'

const masterStatuses = ['open', 'in_progress', 'closed', 'to_check', 'blocked'] as const

/** The fields of a master card besides its title. */
export const masterCardInput = {
  description,
  unique_identifier: optional(text({ max: 100 })),
  evaluation_check: optional(text({ max: 100 })),
  needs_confirmation: optional(flag()),
  tour_key: optional(text({ max: 100 })),
  short_description: optional(text()),
  status: optional(oneOf(masterStatuses)),
  is_active: optional(flag()),
  priority: optional(oneOf(priorities)),
}

/** What can be wrong with the texts of a master card. */
export const badTexts = {
  ...limitOn('title', 'evaluation_check', 'tour_key', 'short_description', 'status', 'priority'),
  description: { ...badDescription, ...limitReached },
  unique_identifier: { ...taken, ...limitReached },
}
