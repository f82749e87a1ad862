import { SavedField } from '../../drafts/saved-field.tsx'
import { t } from '../../words/words.ts'
import type { Card } from '../types.ts'
import './title.css'

interface Props {
  card: Card
  /** The name of the draft. */
  place: string
  refusal: string | undefined
  onSave(title: string, begun?: string): Promise<unknown>
}

/** The title in the panel, on several lines if needed. */
export const CardTitle = ({ card, place, refusal, onSave }: Props) => (
  <div className="card-panel-title">
    <SavedField
      aria-label={t('Title')}
      noun={t('the title')}
      isRequired
      value={card.title}
      place={place}
      refusal={refusal}
      onSave={onSave}
    />
  </div>
)

interface SummaryProps {
  text: string | null
  /** The name of the draft. */
  place: string
  refusal: string | undefined
  onSave(text: string | null, begun?: string): Promise<unknown>
}

/** The short description below the title, which the card also shows on the board. */
export const CardSummary = ({ text, place, refusal, onSave }: SummaryProps) => (
  <div className="card-panel-summary">
    <SavedField
      aria-label={t('Short description')}
      noun={t('the short description')}
      placeholder={t('Add a short description')}
      value={text ?? ''}
      place={place}
      refusal={refusal}
      onSave={(written, begun) => onSave(written === '' ? null : written, begun)}
    />
  </div>
)
