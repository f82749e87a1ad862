import type { Card } from '../data/types.ts'
import './title.css'

interface Props {
  card: Card
  refusal: string | undefined
  onSave(title: string): void
}

/** The title in the panel: always a field, several lines high if it has to be. */
export function CardTitle({ card, refusal, onSave }: Props) {
  return (
    <textarea
      key={card.title}
      className="card-panel-title"
      aria-label="Title"
      rows={1}
      maxLength={255}
      dir="auto"
      readOnly={refusal !== undefined}
      aria-description={refusal}
      defaultValue={card.title}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return
        if (event.key === 'Enter') {
          event.preventDefault()
          event.currentTarget.blur()
        }
        if (event.key === 'Escape' && event.currentTarget.value !== card.title) {
          event.preventDefault()
          event.currentTarget.value = card.title
        }
      }}
      onBlur={(event) => {
        const title = event.target.value.trim()
        if (title === '') event.target.value = card.title
        else if (title !== card.title) onSave(title)
      }}
    />
  )
}
