import { priorities } from '#boards/card/priorities.ts'
import { flag, integer, oneOf, optional, text, timestamp, timestampWithOffset } from '#contract/schema.ts'

/** What can be changed of one card and of several at once. */
export const changeable = {
  status: optional(text({ min: 1, max: 50 })),
  owner_id: optional(integer()),
  tag_id: optional(integer()),
  due_date: optional(timestampWithOffset()),
  due_is_date: optional(flag()),
  snoozed_until: optional(timestamp()),
  priority: optional(oneOf(priorities)),
  is_active: optional(flag()),
}
