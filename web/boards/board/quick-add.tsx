import { Plus } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useDraft } from '../../drafts/drafts.ts'
import { Button } from '../../ui/button.tsx'
import { useFocusReturn } from '../../ui/focus-return.ts'
import { showToast } from '../../ui/toast.tsx'
import { hidden } from '../../words/hidden.tsx'
import { rich } from '../../words/rich.tsx'
import { t } from '../../words/words.ts'
import type { Card } from '../types.ts'
import { useBoard } from './context.tsx'
import { NewTitle } from './new-title.tsx'
import './quick-add.css'
import type { Stage } from './stage.ts'

/** Adds one card after the other. */
export function QuickAdd({ groupId, groupTitle }: { groupId: number; groupTitle: string }) {
  const { stage, refusal, place, quickAdds } = useBoard()
  const draft = useDraft(`new card in group ${groupId} of ${place}`)
  const lines = useDraft(`pasted lines in group ${groupId} of ${place}`)
  const [isOpened, setOpened] = useState(false)
  const isOpen = isOpened || draft.text !== undefined || lines.text !== undefined
  const { button, willReturn } = useFocusReturn(isOpen)
  const field = useRef<HTMLTextAreaElement>(null)
  const { tools } = stage.now()
  useEffect(
    () =>
      quickAdds?.add(groupId, () => {
        setOpened(true)
        // Where it is open already.
        field.current?.focus()
      }),
    [quickAdds, groupId],
  )
  if (!isOpen)
    return (
      <div className="quick-add">
        <Button
          ref={button}
          look="quiet"
          className="quick-add-button"
          icon={<Plus />}
          refusal={refusal}
          onClick={() => setOpened(true)}
        >
          {rich('Add card<hidden> to {group}</hidden>', { hidden, group: groupTitle })}
        </Button>
      </div>
    )
  return (
    <div className="quick-add">
      <NewTitle
        draft={draft}
        lines={tools && lines}
        label={t('Title of the new card in {group}', { group: groupTitle })}
        placeholder={t('Card title')}
        refusal={refusal}
        field={field}
        onAdd={async (title) => {
          setOpened(true)
          const { card } = await stage.cards.create(groupId, title)
          sayIfHidden(stage, card)
        }}
        onAddMany={
          // A rejection keeps the offer: what is loaded after the board may be missing.
          tools &&
          (async (titles) => {
            setOpened(true)
            await new Promise<void>((resolve) => stage.now().withTools?.(resolve))
            return tools.current?.createMany(groupId, titles) ?? Promise.reject()
          })
        }
        onClose={(byKey) => {
          if (byKey) willReturn()
          setOpened(false)
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
  showToast(t('Card added but hidden by your filters'), undefined, { show })
}
