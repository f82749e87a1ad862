import { useState } from 'react'
import { useDraft } from '../data/drafts.ts'
import { Button } from '../ui/button.tsx'
import { DraftNote } from '../ui/draft-note.tsx'
import { useFocusReturn } from '../ui/focus-return.ts'
import { Html } from '../ui/html.tsx'
import { loadable } from '../ui/loadable.tsx'
import { Notice } from '../ui/notice.tsx'
import './description.css'

const RichText = loadable(() => import('../ui/rich-text.tsx'))

interface Props {
  html: string | null
  /** Under which what is half written is found again. */
  place: string
  refusal: string | undefined
  onSave(html: string | null): Promise<unknown>
}

export function Description({ html, place, refusal, onSave }: Props) {
  const draft = useDraft(place)
  const [isOpened, setOpened] = useState(draft.text !== undefined)
  const isEditing = isOpened || draft.text !== undefined
  const [isSaving, setSaving] = useState(false)
  const [opened, setBefore] = useState<string | null>()
  /** What was there when the writing began, be it before a reload. */
  const before = draft.text === undefined ? opened : draft.before
  const isOutdated = isEditing && !isSaving && before !== undefined && before !== html
  const { button, willReturn } = useFocusReturn(isEditing)
  const edit = () => {
    setBefore(html)
    setOpened(true)
  }
  const close = () => {
    willReturn()
    draft.discard('Description changes discarded')
    setOpened(false)
  }
  const save = async (next: string) => {
    setSaving(true)
    try {
      if (next !== (html ?? '')) await onSave(next === '' ? null : next)
      draft.clear()
    } finally {
      setSaving(false)
    }
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
        {isEditing && draft.isFound && <DraftNote of="the description" onDiscard={close} />}
      </div>
      {isOutdated && (
        <Notice
          look="warning"
          title="Someone else edited this"
          action={<Button onClick={close}>Show theirs</Button>}
        >
          Saving overwrites their version.
        </Notice>
      )}
      {isEditing ? (
        <RichText
          label="Description"
          html={draft.text ?? html ?? ''}
          takesFocus={!draft.isFound}
          onClose={close}
          onSave={save}
          onWrite={(next) => (next === (html ?? '') ? draft.clear() : draft.write(next, before))}
        />
      ) : (
        html && <Html html={html} />
      )}
    </section>
  )
}
