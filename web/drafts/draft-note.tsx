import { Button } from '../ui/button.tsx'
import './draft-note.css'

interface Props {
  /** What the draft is of, for those who do not see where it is: "the title". */
  of: string
  onDiscard(): void
  onSave?: (() => void) | undefined
  refusal?: string | undefined
}

/** Says that a field holds what was written before and never sent. */
export const DraftNote = ({ of, onDiscard, onSave, refusal }: Props) => (
  // The field keeps the focus: leaving it would save what is about to be discarded.
  // biome-ignore lint/a11y/noStaticElementInteractions: nothing is done here but keeping the focus.
  <div className="draft-note" onMouseDown={(event) => event.preventDefault()}>
    <span className="draft-mark">Unsaved draft</span>
    {onSave && (
      <Button look="quiet" refusal={refusal} onClick={onSave}>
        Save<span className="visually-hidden"> {of}</span>
      </Button>
    )}
    <Button look="quiet" onClick={onDiscard}>
      Discard<span className="visually-hidden"> {of}</span>
    </Button>
  </div>
)
