import { useEffect, useRef } from 'react'
import type { Card } from '../data/types.ts'
import './title.css'

interface Props {
  card: Card
  refusal: string | undefined
  onSave(title: string): void
}

/** The title in the panel: always a field, several lines high if it has to be. Enter or leaving saves. */
export function CardTitle({ card, refusal, onSave }: Props) {
  const field = useRef<HTMLTextAreaElement>(null)
  const known = useRef(card.title)
  // A title that somebody else gives comes into the field, unless another one is being written there.
  useEffect(() => {
    if (field.current?.value === known.current) field.current.value = card.title
    known.current = card.title
  }, [card.title])
  const save = (field: HTMLTextAreaElement) => {
    const title = field.value.trim()
    if (title === '') field.value = card.title
    else if (title !== card.title) onSave(title)
  }
  return (
    <textarea
      key={card.id}
      ref={field}
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
