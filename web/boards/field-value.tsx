import { Html } from '../ui/html.tsx'
import { formatOf, PlainText } from '../ui/plain-text.tsx'
import { t } from '../words/words.ts'
import type { CustomizedField } from './field-names.ts'
import { priorityNames } from './signs.tsx'

/** The value of a field of a template card, or of a copy, as people know it. */
export function FieldValue({ field, value }: { field: CustomizedField; value: string | null }) {
  if (value === null) return t('none')
  if (field === 'priority') return priorityNames[value as keyof typeof priorityNames]
  if (field === 'needs_confirmation') return value === 'true' ? t('yes') : t('no')
  return formatOf(value) === 'html' ? <Html html={value} /> : <PlainText text={value} />
}
