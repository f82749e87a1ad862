import { useState } from 'react'
import type { Card } from '../data/types.ts'
import { Button } from '../ui/button.tsx'
import { useFocusReturn } from '../ui/focus-return.ts'
import { Html } from '../ui/html.tsx'
import { loadable } from '../ui/loadable.tsx'
import './description.css'

const RichText = loadable(() => import('../ui/rich-text.tsx'))

interface Props {
  card: Card
  refusal: string | undefined
  onSave(html: string | null): void
}

export function Description({ card, refusal, onSave }: Props) {
  const [isEditing, setEditing] = useState(false)
  const { button, willReturn } = useFocusReturn(isEditing)
  const close = () => {
    willReturn()
    setEditing(false)
  }
  return (
    <section className="description" aria-label="Description">
      <div className="description-header">
        <h2>Description</h2>
        {!isEditing && (
          <Button ref={button} look="quiet" refusal={refusal} onClick={() => setEditing(true)}>
            {card.description ? 'Edit' : 'Add'}
            <span className="visually-hidden"> the description</span>
          </Button>
        )}
      </div>
      {isEditing ? (
        <RichText
          label="Description"
          html={card.description ?? ''}
          onCancel={close}
          onSave={(html) => {
            close()
            if (html !== (card.description ?? '')) onSave(html === '' ? null : html)
          }}
        />
      ) : (
        card.description && <Html html={card.description} />
      )}
    </section>
  )
}
