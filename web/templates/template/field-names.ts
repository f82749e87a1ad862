import { t } from '../../words/words.ts'

const names: Readonly<Record<string, string>> = {
  title: t('Title'),
  description: t('Description'),
  short_description: t('Short description'),
  priority: t('Priority'),
  status: t('Status'),
  evaluation_check: t('Check'),
  needs_confirmation: t('A person confirms it'),
  tour_key: t('Tour key'),
  unique_identifier: t('Identifier'),
  is_active: t('Active'),
  type: t('Type'),
  color: t('Color'),
  icon: t('Icon'),
  is_collapsed: t('Collapsed'),
}

/** The name of a field of a template, group or card. */
export const fieldName = (field: string): string => names[field] ?? field
