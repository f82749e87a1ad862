import type { Card } from '../data/types.ts'
import './title.css'

interface Props {
  card: Card
  refusal: string | undefined
  onSave(title: string): void
}

/** The title in the panel: always a field, several lines high if it has to be. Enter or leaving saves. */
export function CardTitle({ card, refusal, onSave }: Props) {
  const save = (field: HTMLTextAreaElement) => {
    const title = field.value.trim()
    if (title === '') field.value = card.title
    else if (title !== card.title) onSave(title)
  }
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
          save(event.currentTarget)
        }
        if (event.key === 'Escape' && event.currentTarget.value !== card.title) {
          event.preventDefault()
          event.currentTarget.value = card.title
        }
      }}
      onBlur={(event) => save(event.target)}
    />
  )
}
