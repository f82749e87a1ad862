const laterThanV1 = new Set([
  'description_format',
  'card_type',
  'done_closes_cards',
  'evaluation_passed',
  'evaluated_at',
  'evaluated_by',
  'needs_confirmation',
  'due_is_date',
  'has_draft_changes',
])

/** A v2 record as v1 sends it, without the fields that came later. */
export const inV1 = <Thing>(thing: Thing): Thing =>
  JSON.parse(JSON.stringify(thing, (key, value) => (laterThanV1.has(key) ? undefined : value)))
