import { type TextareaHTMLAttributes, useRef } from 'react'
import { DraftNote } from './draft-note.tsx'
import { useDraft } from './drafts.ts'

interface Props
  extends Pick<
    TextareaHTMLAttributes<HTMLTextAreaElement>,
    'className' | 'maxLength' | 'placeholder' | 'aria-label'
  > {
  value: string
  /** Under which what is half written is found again. */
  place: string
  /** What it is, in the middle of a sentence: "the title". */
  noun: string
  isRequired?: boolean
  /** Of several lines, which Enter parts. */
  isLong?: boolean | undefined
  refusal: string | undefined
  /** Fails where the text was not taken; then it stays here. */
  onSave(text: string): Promise<unknown>
}

/** A field that is always open: Enter or leaving saves, Esc keeps what was, and what is half written is a draft. */
export function SavedField({ value, place, noun, isRequired, isLong, refusal, onSave, ...rest }: Props) {
  const draft = useDraft(place)
  const sending = useRef<string>(undefined)
  const save = () => {
    const written = draft.text
    if (written === undefined || written === sending.current) return
    const text = written.trim()
    if (text === value || (isRequired && text === '')) return draft.clear()
    sending.current = written
    void onSave(text)
      .then(
        () => draft.clear(written),
        () => draft.refuse(),
      )
      .finally(() => {
        sending.current = undefined
      })
  }
  return (
    <>
      <textarea
        {...rest}
        rows={1}
        dir="auto"
        // What was begun can be finished, also while the connection is lost.
        readOnly={refusal !== undefined && draft.text === undefined}
        aria-description={refusal}
        value={draft.text ?? value}
        onChange={(event) => draft.write(event.target.value)}
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
        <DraftNote of={noun} refusal={refusal} onSave={save} onDiscard={() => draft.discard()} />
      )}
    </>
  )
}
