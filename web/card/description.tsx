import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Html } from '../ui/html.tsx'
import './description.css'

const RichText = lazy(() => import('../ui/rich-text.tsx'))

interface Props {
  html: string | null
  refusal: string | undefined
  onSave(html: string | null): void
}

export function Description({ html, refusal, onSave }: Props) {
  const [isEditing, setEditing] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const returns = useRef(false)
  useEffect(() => {
    if (!isEditing && returns.current) button.current?.focus()
    returns.current = isEditing
  }, [isEditing])
  return (
    <section className="description" aria-label="Description">
      <div className="description-header">
        <h2>Description</h2>
        {!isEditing && (
          <Button ref={button} look="quiet" refusal={refusal} onClick={() => setEditing(true)}>
            {html ? 'Edit' : 'Add'}
            <span className="visually-hidden"> the description</span>
          </Button>
        )}
      </div>
      {isEditing ? (
        <Suspense fallback={<Html html={html ?? ''} />}>
          <RichText
            label="Description"
            html={html ?? ''}
            onCancel={() => setEditing(false)}
            onSave={(next) => {
              setEditing(false)
              if (next !== (html ?? '')) onSave(next === '' ? null : next)
            }}
          />
        </Suspense>
      ) : (
        html && <Html html={html} />
      )}
    </section>
  )
}
