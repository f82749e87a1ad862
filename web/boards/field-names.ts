import type { area, Output } from '../data/client.ts'
import { t } from '../words/words.ts'

export type Origin = NonNullable<Output<`${typeof area}/cards/get`>['provenance']>
export type CustomizedField = Origin['changed_fields'][number]

/** The name of each field, alone and in a sentence. */
export const fieldNames: Record<CustomizedField, readonly [name: string, inText: string]> = {
  title: [t('Title'), t('title')],
  description: [t('Description'), t('description')],
  short_description: [t('Short description'), t('short description')],
  priority: [t('Priority'), t('priority')],
  evaluation_check: [t('Check'), t('check', { as: 'field' })],
  needs_confirmation: [t('Confirmation'), t('confirmation')],
  tour_key: [t('Tour key'), t('tour key')],
  unique_identifier: [t('Identifier'), t('identifier')],
  place: [t('Position'), t('position')],
  is_active: [t('Hidden'), t('hidden')],
}
