import { Plus } from 'lucide-react'
import { useState } from 'react'
import type { Card } from '../data/types.ts'
import { Button } from '../ui/button.tsx'
import { useFocusReturn } from '../ui/focus-return.ts'
import { showToast } from '../ui/toast.tsx'
import { useBoard } from './context.tsx'
import './quick-add.css'
import type { Stage } from './stage.ts'

/** A field for one card after the other: Enter adds and stays, Esc closes. */
export function QuickAdd({ groupId, groupTitle }: { groupId: number; groupTitle: string }) {
  const { stage, refusal } = useBoard()
  const [isOpen, setOpen] = useState(false)
  const { button, willReturn } = useFocusReturn(isOpen)

  if (!isOpen)
    return (
      <div className="quick-add">
        <Button
          ref={button}
          look="quiet"
          className="quick-add-button"
          icon={<Plus />}
          refusal={refusal}
          data-quick-add={groupId}
          onClick={() => setOpen(true)}
        >
          Add card<span className="visually-hidden"> to {groupTitle}</span>
        </Button>
      </div>
    )
  const close = (byKey: boolean) => {
    if (byKey) willReturn()
    setOpen(false)
  }
  return (
    <div className="quick-add">
      <textarea
        // biome-ignore lint/a11y/noAutofocus: the person has just asked for it.
        autoFocus
        rows={2}
        maxLength={255}
        dir="auto"
        className="quick-add-field"
        aria-label={`Title of the new card in ${groupTitle}`}
        placeholder="Title, then Enter"
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return
          if (event.key === 'Escape') return close(true)
          if (event.key !== 'Enter') return
          event.preventDefault()
          const field = event.currentTarget
          const title = field.value.trim()
          if (title === '') return close(true)
          field.value = ''
          stage.cards.create(groupId, title).then(
            ({ card }) => sayIfHidden(stage, card),
            () => {
              // Refused: it is here again, unless the next one is being written already.
              field.value ||= title
            },
          )
        }}
        onBlur={(event) => {
          if (event.target.value.trim() === '') close(false)
        }}
      />
    </div>
  )
}

function sayIfHidden({ now, showCard }: Stage, card: Card) {
  const { filter } = now()
  if (!filter?.hides(card)) return
  const show = () => {
    filter.clear()
    showCard(card.id)
  }
  showToast('Added; the filter hides it', undefined, { show })
}
