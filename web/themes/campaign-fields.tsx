import { areAtFields } from '../data/at-fields.ts'
import { dateAt, midnight } from '../ui/days.ts'
import { Field, FieldArea, FieldSelect } from '../ui/field.tsx'
import { t } from '../words/words.ts'
import type { OfferedVersion } from './types.ts'

export interface CampaignWords {
  reason: string
  /** An id; empty for none. */
  replacement: string
  /** A day. */
  deadline: string
}

export const dayIn = (days: number): string => dateAt(midnight(days))

export const campaignInput = ({ reason, replacement, deadline }: CampaignWords) => ({
  reason,
  replacement_id: replacement === '' ? null : Number(replacement),
  deadline,
})

/** The refusals that the fields below show. */
export const areCampaignFields = areAtFields('reason', 'replacement_id', 'deadline')

interface Props {
  words: CampaignWords
  /** The versions that could replace it. */
  others: readonly Pick<OfferedVersion, 'version_id' | 'theme_name' | 'version'>[]
  reasonHint?: string
  deadlineHint?: string
  errors: Partial<Record<string, string>>
  onChange(words: Partial<CampaignWords>): void
}

/** Why a version ends, what replaces it, and until when. */
export const CampaignFields = ({
  words: { reason, replacement, deadline },
  others,
  reasonHint = t('The projects that use it read this.'),
  deadlineHint,
  errors,
  onChange,
}: Props) => (
  <>
    <FieldArea
      label={t('Reason')}
      hint={reasonHint}
      error={errors['reason']}
      autoFocus
      required
      rows={3}
      value={reason}
      onChange={(event) => onChange({ reason: event.target.value })}
    />
    <FieldSelect
      label={t('Replacement')}
      error={errors['replacement_id']}
      value={replacement}
      onChange={(event) => onChange({ replacement: event.target.value })}
    >
      <option value="">{t('No replacement')}</option>
      {others.map((one) => (
        <option key={one.version_id} value={one.version_id}>
          {one.theme_name} {one.version}
        </option>
      ))}
    </FieldSelect>
    <Field
      label={t('Deadline')}
      type="date"
      hint={deadlineHint}
      error={errors['deadline']}
      required
      min={dayIn(1)}
      value={deadline}
      onChange={(event) => onChange({ deadline: event.target.value })}
    />
  </>
)
