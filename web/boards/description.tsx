import { useState } from 'react'
import { DraftNote } from '../drafts/draft-note.tsx'
import { useDraft } from '../drafts/drafts.ts'
import { Button } from '../ui/button.tsx'
import { useFocusReturn } from '../ui/focus-return.ts'
import { Html } from '../ui/html.tsx'
import { loadable } from '../ui/loadable.tsx'
import { Notice } from '../ui/notice.tsx'
import { formatOf, PlainText } from '../ui/plain-text.tsx'
import { viewOnly } from '../ui/view-only.ts'
import { hidden } from '../words/hidden.tsx'
import { rich } from '../words/rich.tsx'
import { t } from '../words/words.ts'
import type { Described } from './types.ts'
import './description.css'

const RichText = loadable(() => import('../ui/rich-text.tsx'))

interface Props {
  /** The thing that it describes. */
  of: Described
  /** The name of the draft. */
  place: string
  refusal: string | undefined
  onSave(text: string | null): Promise<unknown>
}

export function Description({ of, place, refusal, onSave }: Props) {
  const { description, description_format: format } = of
  const draft = useDraft(place)
  const [isOpened, setOpened] = useState(draft.text !== undefined)
  const isEditing = isOpened || draft.text !== undefined
  const [isSaving, setSaving] = useState(false)
  const [opened, setBefore] = useState<string | null>()
  /** The stored text when editing began, possibly before a reload. */
  const before = draft.text === undefined ? opened : draft.before
  const isOutdated = isEditing && !isSaving && before !== undefined && before !== description
  const { button, willReturn } = useFocusReturn(isEditing)
  const edit = () => {
    setBefore(description)
    setOpened(true)
  }
  const close = () => {
    willReturn()
    draft.discard(t('Description changes discarded'))
    setOpened(false)
  }
  /** A restored draft differs from the stored text even if nothing was typed since. */
  const isStored = (next: string, isAsOpened: boolean) =>
    next === (description ?? '') || (isAsOpened && !draft.isFound)
  const save = async (next: string, isAsOpened: boolean) => {
    setSaving(true)
    try {
      if (!isStored(next, isAsOpened)) await onSave(next === '' ? null : next)
      draft.clear()
    } finally {
      setSaving(false)
    }
  }
  if (refusal === viewOnly && !description && !isEditing) return null
  return (
    <section className="description" aria-label={t('Description')}>
      <div className="description-header">
        <h2>{t('Description')}</h2>
        {!isEditing && (
          <Button ref={button} look="quiet" refusal={refusal} onClick={edit}>
            {description
              ? rich('Edit<hidden> the description</hidden>', { hidden })
              : rich('Add<hidden> the description</hidden>', { hidden })}
          </Button>
        )}
        {isEditing && draft.isFound && <DraftNote of={t('the description')} onDiscard={close} />}
      </div>
      {isOutdated && (
        <Notice
          look="warning"
          title={t('Someone else edited this')}
          action={<Button onClick={close}>{t('Show theirs')}</Button>}
        >
          {t('Saving overwrites their version.')}
        </Notice>
      )}
      {isEditing ? (
        <RichText
          label={t('Description')}
          text={draft.text ?? description ?? ''}
          format={draft.text === undefined ? (description ? format : 'html') : formatOf(draft.text)}
          takesFocus={draft.takesFocus}
          onClose={close}
          onSave={save}
          onWrite={(next, isAsOpened) =>
            isStored(next, isAsOpened) ? draft.clear() : draft.write(next, before)
          }
        />
      ) : (
        description && (format === 'html' ? <Html html={description} /> : <PlainText text={description} />)
      )}
    </section>
  )
}
