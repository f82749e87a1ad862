import { type TextareaHTMLAttributes, useRef } from 'react'
import { viewOnly } from '../ui/view-only.ts'
import { DraftNote } from './draft-note.tsx'
import { useDraft } from './drafts.ts'

interface Props
  extends Pick<TextareaHTMLAttributes<HTMLTextAreaElement>, 'className' | 'placeholder' | 'aria-label'> {
  value: string
  /** The name of the draft. */
  place: string
  /** The noun in a sentence, such as "the title". */
  noun: string
  isRequired?: boolean
  /** Several lines, in which Enter starts a new one. */
  isLong?: boolean | undefined
  refusal: string | undefined
  /** Rejects if the service refuses; the text then stays here. `begun` is the value when typing began. */
  onSave(text: string, begun?: string): Promise<unknown>
}

/** A field that is always open: Enter or leaving saves, Esc cancels, and unsent text is a draft. */
export function SavedField({ value, place, noun, isRequired, isLong, refusal, onSave, ...rest }: Props) {
  const draft = useDraft(place)
  const sending = useRef<string>(undefined)
  const save = () => {
    const written = draft.text
    if (written === undefined || written === sending.current) return
    const text = written.trim()
    if (text === value || (isRequired && text === '')) return draft.clear()
    sending.current = written
    void onSave(text, draft.before ?? value)
      .then(
        () => draft.clear(written),
        () => draft.refuse(),
      )
      .finally(() => {
        sending.current = undefined
      })
  }
  if (refusal === viewOnly && draft.text === undefined)
    return value === '' ? null : (
      <p className={`saved-text ${rest.className ?? ''}`} dir="auto">
        {value}
      </p>
    )
  return (
    <>
      <textarea
        {...rest}
        rows={1}
        dir="auto"
        // People can keep typing while offline.
        readOnly={refusal !== undefined && draft.text === undefined}
        aria-description={refusal}
        value={draft.text ?? value}
        onChange={(event) => draft.write(event.target.value, draft.before ?? value)}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return
          if (event.key === 'Enter' && !isLong) {
            event.preventDefault()
            save()
          }
          if (event.key === 'Escape' && draft.text !== undefined && draft.text !== value) {
            event.preventDefault()
            draft.discard()
          }
        }}
        onBlur={save}
      />
      {draft.isFound && (
        <DraftNote
          of={noun}
          refusal={refusal}
          onSave={save}
          onDiscard={() => draft.discard()}
          onOther={draft.showOther}
        />
      )}
    </>
  )
}
