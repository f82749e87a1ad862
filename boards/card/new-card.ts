/** What every new card has; the web app shows it with these until the service has created it. */
export const newCardFields = {
  master_card_id: null,
  is_master: false,
  is_active: true,
  unique_identifier: null,
  evaluation_check: null,
  evaluation_passed: null,
  evaluated_at: null,
  evaluated_by: null,
  needs_confirmation: false,
  tour_key: null,
  short_description: null,
  status: 'open',
  priority: 'normal',
  snoozed_until: null,
  deleted_at: null,
  card_type: 'custom',
} as const
