import { Button } from '../ui/button.tsx'
import './draft-note.css'

interface Props {
  /** What the draft is of, for screen readers: "the title". */
  of: string
  onDiscard(): void
  onSave?: (() => void) | undefined
  refusal?: string | undefined
}

/** Marks a field that contains an unsaved draft. */
export const DraftNote = ({ of, onDiscard, onSave, refusal }: Props) => (
  // The field keeps the focus, because leaving it would save the draft that is about to be discarded.
  // biome-ignore lint/a11y/noStaticElementInteractions: it only keeps the focus.
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
