import type { ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import { rich } from '../words/rich.tsx'
import { t } from '../words/words.ts'
import './draft-note.css'
import { OtherDraft } from './other-draft.tsx'

interface Props {
  /** What the draft is of, for screen readers: "the title". */
  of: string
  onDiscard(): void
  onOther?: (() => void) | undefined
  onSave?: (() => void) | undefined
  refusal?: string | undefined
}

const hidden = (text: ReactNode) => <span className="visually-hidden">{text}</span>

/** Marks a field that contains an unsaved draft. */
export const DraftNote = ({ of, onDiscard, onOther, onSave, refusal }: Props) => (
  // The field keeps the focus, because leaving it would save the draft that is about to be discarded.
  // biome-ignore lint/a11y/noStaticElementInteractions: it only keeps the focus.
  <div className="draft-note" onMouseDown={(event) => event.preventDefault()}>
    <span className="draft-mark">{t('Unsaved draft')}</span>
    {onSave && (
      <Button look="quiet" refusal={refusal} onClick={onSave}>
        {rich('Save<hidden> {of}</hidden>', { of, hidden })}
      </Button>
    )}
    <Button look="quiet" onClick={onDiscard}>
      {rich('Discard<hidden> {of}</hidden>', { of, hidden })}
    </Button>
    <OtherDraft onShow={onOther} />
  </div>
)
