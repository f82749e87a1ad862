import { type RefObject, useEffect } from 'react'
import type { Draft } from '../../drafts/drafts.ts'
import { OtherDraft } from '../../drafts/other-draft.tsx'
import { Button } from '../../ui/button.tsx'
import { loadable } from '../../ui/loadable.tsx'
import { t } from '../../words/words.ts'
import './new-title.css'

const LinesOffer = loadable(() => import('./lines-offer.tsx'))

interface Props {
  draft: Draft
  /** Pasted lines, of which each can become one. */
  lines?: Draft | undefined
  label: string
  placeholder: string
  refusal: string | undefined
  field: RefObject<HTMLTextAreaElement | null>
  /** Rejects if the service refuses. */
  onAdd(title: string): Promise<unknown>
  /** The same for several; they are offered for a pasted text of several lines. */
  onAddMany?: ((titles: string[]) => Promise<unknown>) | undefined
  onClose(byKey: boolean): void
}

/** The title of a new card or group: Enter or Add creates it and stays for the next one, Esc or Cancel discards it. */
export function NewTitle(props: Props) {
  const { draft, lines, label, placeholder, refusal, field, onAdd, onAddMany, onClose } = props
  const takesFocus = draft.takesFocus && (lines?.takesFocus ?? true)
  const pasted = lines?.text
  // Scrolls the whole form into view, since focus alone shows only the field.
  useEffect(() => {
    if (takesFocus) field.current?.form?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [takesFocus, field])
  const close = (byKey: boolean) => {
    draft.discard()
    lines?.discard(t('Pasted lines discarded'))
    onClose(byKey)
  }
  const add = () => {
    const title = draft.text?.trim() ?? ''
    if (title === '') return close(true)
    draft.clear()
    field.current?.focus()
    // The next title begins on a line of its own.
    onAdd(title).catch(() => draft.refuse(`${title}\n`))
  }
  return (
    <form
      className="new-title"
      onSubmit={(event) => {
        event.preventDefault()
        add()
      }}
    >
      <textarea
        ref={field}
        // biome-ignore lint/a11y/noAutofocus: the person has just opened it; a restored draft does not take the focus.
        autoFocus={takesFocus}
        rows={2}
        dir="auto"
        className="new-title-field"
        aria-label={label}
        placeholder={placeholder}
        value={draft.text ?? ''}
        onChange={(event) => draft.write(event.target.value)}
        onPaste={(event) => {
          const text = event.clipboardData.getData('text/plain').trim()
          if (!lines || !text.includes('\n')) return
          event.preventDefault()
          lines.write(pasted === undefined ? text : `${pasted}\n${text}`)
        }}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return
          if (event.key === 'Escape') return close(true)
          if (event.key !== 'Enter') return
          event.preventDefault()
          add()
        }}
        onBlur={({ target, relatedTarget }) => {
          const isLeft = pasted === undefined && !target.form?.contains(relatedTarget)
          if (target.value.trim() === '' && isLeft) close(false)
        }}
      />
      {lines && pasted !== undefined && onAddMany && (
        <LinesOffer
          text={pasted}
          lines={lines}
          draft={draft}
          onAddMany={onAddMany}
          onDone={() => field.current?.focus()}
        />
      )}
      <div className="new-title-actions">
        <Button type="submit" refusal={refusal}>
          {t('Add')}
        </Button>
        <Button look="quiet" onClick={() => close(true)}>
          {t('Cancel')}
        </Button>
        <OtherDraft onShow={draft.showOther} />
        {draft.text && <span className="new-title-mark">{t('Draft')}</span>}
      </div>
    </form>
  )
}
