import { useEffect, useMemo, useRef, useState } from 'react'
import type { Draft } from '../../drafts/drafts.ts'
import { Button } from '../../ui/button.tsx'
import { counted, t } from '../../words/words.ts'
import { longestTitle, mostTitles, titlesIn } from './lines.ts'

interface Props {
  /** What was pasted: several lines. */
  text: string
  /** Keeps them until they are added. */
  lines: Draft
  draft: Draft
  /** Rejects if the service refuses. */
  onAddMany(titles: string[]): Promise<unknown>
  onDone(): void
}

/** Offers one card for each pasted line. */
export default function LinesOffer({ text, lines, draft, onAddMany, onDone }: Props) {
  const all = useMemo(() => titlesIn(text), [text])
  const [sent, setSent] = useState<string[]>()
  const titles = sent ?? all.slice(0, mostTitles)
  const latest = useRef(text)
  latest.current = text
  const asOne = `${draft.text ?? ''}${text.replaceAll(/\s+/g, ' ')}`
  const button = useRef<HTMLButtonElement>(null)
  const { takesFocus } = lines
  useEffect(() => {
    if (takesFocus) button.current?.focus()
  }, [takesFocus])
  return (
    // biome-ignore lint/a11y/useSemanticElements: it is inside a form and has no fields.
    <div
      role="group"
      className="lines-offer"
      aria-label={t('Pasted lines')}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        event.stopPropagation()
        lines.discard(t('Pasted lines discarded'))
        onDone()
      }}
    >
      <ol className="lines-offer-list">
        {titles.slice(0, 3).map((title, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines may be equal.
          <li key={index} className="truncate" dir="auto">
            {title}
          </li>
        ))}
        {all.length > 3 && <li>{t('{count} more', { count: all.length - 3 })}</li>}
      </ol>
      <div className="new-title-actions">
        <Button
          ref={button}
          look="primary"
          isBusy={sent !== undefined}
          onClick={() => {
            setSent(titles)
            const added = () => {
              // What was pasted since is offered next.
              const rest = titlesIn(latest.current).slice(titles.length)
              lines.clear(latest.current)
              if (rest.length > 0) lines.refuse(rest.join('\n'))
              else onDone()
            }
            onAddMany(titles)
              .then(added, () => {})
              .finally(() => setSent(undefined))
          }}
        >
          {counted(titles.length, { one: 'Add {count} card', other: 'Add {count} cards' })}
        </Button>
        <Button
          look="quiet"
          refusal={
            [...asOne].length > longestTitle
              ? t('A title can have at most {count} characters.', { count: longestTitle })
              : undefined
          }
          onClick={() => {
            draft.write(asOne)
            lines.clear()
            onDone()
          }}
        >
          {t('Add as one')}
        </Button>
      </div>
    </div>
  )
}
