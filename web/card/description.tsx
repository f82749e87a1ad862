import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { useFocusReturn } from '../ui/focus-return.ts'
import { Html } from '../ui/html.tsx'
import { loadable } from '../ui/loadable.tsx'
import { showToast } from '../ui/toast.tsx'
import './description.css'

const RichText = loadable(() => import('../ui/rich-text.tsx'))

interface Props {
  html: string | null
  refusal: string | undefined
  onSave(html: string | null): Promise<unknown>
}

export function Description({ html, refusal, onSave }: Props) {
  const [isEditing, setEditing] = useState(false)
  const { button, willReturn } = useFocusReturn(isEditing)
  const close = () => {
    willReturn()
    setEditing(false)
  }
  const save = async (next: string) => {
    if (next !== (html ?? '')) await onSave(next === '' ? null : next)
  }
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
        <RichText
          label="Description"
          html={html ?? ''}
          onClose={close}
          onSave={save}
          onDropped={(next) =>
            showToast('Changes to the description dropped', () => void save(next).catch(() => {}))
          }
        />
      ) : (
        html && <Html html={html} />
      )}
    </section>
  )
}
