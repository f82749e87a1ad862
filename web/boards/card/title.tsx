import { SavedField } from '../../drafts/saved-field.tsx'
import type { Card } from '../types.ts'
import './title.css'

interface Props {
  card: Card
  /** Under which what is half written is found again. */
  place: string
  refusal: string | undefined
  onSave(title: string): Promise<unknown>
}

/** The title in the panel, several lines high if it has to be. */
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
