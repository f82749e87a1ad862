import { SavedField } from '../../drafts/saved-field.tsx'
import type { Card } from '../types.ts'
import './title.css'

interface Props {
  card: Card
  /** The name of the draft. */
  place: string
  refusal: string | undefined
  onSave(title: string): Promise<unknown>
}

/** The title in the panel, on several lines if needed. */
export const CardTitle = ({ card, place, refusal, onSave }: Props) => (
  <div className="card-panel-title">
    <SavedField
      aria-label="Title"
      noun="the title"
      maxLength={255}
      isRequired
      value={card.title}
      place={place}
      refusal={refusal}
      onSave={onSave}
    />
  </div>
)
