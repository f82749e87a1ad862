import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { useFocusReturn } from '../ui/focus-return.ts'
import { Html } from '../ui/html.tsx'
import { loadable } from '../ui/loadable.tsx'
import { Notice } from '../ui/notice.tsx'
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
  /** What was there when editing began; undefined once the own text is on its way. */
  const [before, setBefore] = useState<string | null>()
  const isOutdated = before !== undefined && before !== html
  const { button, willReturn } = useFocusReturn(isEditing)
  const edit = () => {
    setBefore(html)
    setEditing(true)
  }
  const close = () => {
    willReturn()
    setEditing(false)
  }
  const send = async (next: string) => {
    if (next !== (html ?? '')) await onSave(next === '' ? null : next)
  }
  const save = async (next: string) => {
    setBefore(undefined)
    await send(next).catch((error) => {
      setBefore(before)
      throw error
    })
  }
  return (
    <section className="description" aria-label="Description">
      <div className="description-header">
        <h2>Description</h2>
        {!isEditing && (
          <Button ref={button} look="quiet" refusal={refusal} onClick={edit}>
            {html ? 'Edit' : 'Add'}
            <span className="visually-hidden"> the description</span>
          </Button>
        )}
      </div>
      {isEditing && isOutdated && (
        <Notice
          look="warning"
          title="It was changed meanwhile"
          action={<Button onClick={close}>Show theirs</Button>}
        >
          Saving puts your text in place of theirs.
        </Notice>
      )}
      {isEditing ? (
        <RichText
          label="Description"
          html={html ?? ''}
          onClose={close}
          onSave={save}
          onDropped={(next) =>
            showToast('Changes to the description dropped', () => void send(next).catch(() => {}))
          }
        />
      ) : (
        html && <Html html={html} />
      )}
    </section>
  )
}
