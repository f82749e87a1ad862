import { Check, X } from 'lucide-react'
import { useCallback, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Link } from 'wouter'
import { area } from '../data/client.ts'
import { useProject } from '../data/project.tsx'
import { useWrite } from '../data/write.ts'
import { useRefusal } from '../identity/permissions.ts'
import { announce } from '../ui/announcer.tsx'
import { Button, IconButton } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { isAnythingFloating } from '../ui/floating.ts'
import { useRail } from '../ui/rail-state.tsx'
import { showToast } from '../ui/toast.tsx'
import { viewOnly } from '../ui/view-only.ts'
import { counted, t } from '../words/words.ts'
import './checklist.css'
import { useMark } from './marking.ts'
import { Pointer } from './pointer.tsx'
import { useTour } from './state.tsx'
import { itsCard, type Step, stepOf } from './steps.ts'
import { isDone, type TourCard } from './types.ts'

interface Pointing {
  cardId: number
  step: Step
  path: string
}

export function Checklist() {
  const { cards, opened, close, pane } = useTour()
  const { isDrawn } = useRail()
  const [pointing, setPointing] = useState<Pointing>()
  const links = useRef(new Map<number, HTMLElement>())
  const done = cards.filter(isDone).length
  useAnnouncement(done)
  useEffect(() => {
    if (opened === 'by the person') pane.current?.focus()
  }, [opened, pane])
  const cardId = pointing?.cardId
  const stop = useCallback(
    (returns: boolean) => {
      if (!returns || cardId === undefined) return setPointing(undefined)
      // Where the list was hidden, it has to be shown first.
      flushSync(() => setPointing(undefined))
      links.current.get(cardId)?.focus()
    },
    [cardId],
  )
  // The step has been done, perhaps by someone else.
  const isOver = cards.every((card) => card.id !== cardId || isDone(card))
  return (
    <aside
      ref={pane}
      id="tour"
      className="tour"
      aria-label={t('Getting started')}
      tabIndex={-1}
      inert={isDrawn}
      data-pointing={pointing !== undefined && !isOver}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || isAnythingFloating()) return
        // Keeps Escape from also closing the panel of a card.
        event.preventDefault()
        close()
      }}
    >
      <header className="tour-header">
        <h2>{t('Getting started')}</h2>
        <IconButton label={t('Close Getting started')} icon={<X />} onClick={close} />
      </header>
      <p className="tour-progress numbers">
        {t('{done} of {all} done', { done, all: cards.length })}
        <progress max={cards.length} value={done} aria-hidden="true" />
      </p>
      <div className="tour-body slim-scroll">
        {done === cards.length && (
          <p className="tour-finished">
            {t("You're all set. Dismiss the tour to hide its cards from the boards.")}
          </p>
        )}
        <ol>
          {cards.map((card) => (
            <StepRow
              key={card.id}
              card={card}
              isNext={card === cards.find((other) => !isDone(other))}
              addLink={(element) => {
                links.current.set(card.id, element)
                return () => void links.current.delete(card.id)
              }}
              onLead={setPointing}
            />
          ))}
        </ol>
        <Dismiss />
      </div>
      {pointing && !isOver && <Pointer {...pointing} onClose={stop} />}
    </aside>
  )
}

/** People who do not see the page learn that something opened. */
function useAnnouncement(done: number) {
  const { opened, cards } = useTour()
  const words = useRef('')
  words.current = t('Getting started is open at the end of the page: {done} of {all} steps done.', {
    done,
    all: cards.length,
  })
  useEffect(() => {
    if (opened === 'by itself') announce(words.current)
  }, [opened])
}

interface RowProps {
  card: TourCard
  isNext: boolean
  addLink(element: HTMLElement): () => void
  onLead(pointing: Pointing | undefined): void
}

function StepRow({ card, isNext, addLink, onLead }: RowProps) {
  const { base } = useProject()
  const refusal = useRefusal('work')
  const mark = useMark()
  // The places of steps are controls that people who may only look do not see.
  const step = refusal === viewOnly ? undefined : stepOf(card)
  const path = base + (step ?? { path: itsCard }).path(card)
  return (
    <li className="tour-step" data-done={isDone(card)}>
      {refusal === undefined ? (
        <input
          type="checkbox"
          aria-label={t('“{title}” is done', { title: card.title })}
          checked={isDone(card)}
          onChange={({ target }) => mark({ id: card.id, status: target.checked ? 'closed' : 'open' })}
        />
      ) : (
        <span className="tour-sign">{isDone(card) && <Check aria-label={t('Done')} />}</span>
      )}
      <Link
        ref={(element: HTMLAnchorElement | null) => (element ? addLink(element) : undefined)}
        href={path}
        className="tour-link"
        aria-current={isNext ? 'step' : undefined}
        onClick={() => onLead(step && !isDone(card) ? { cardId: card.id, step, path } : undefined)}
      >
        <span className="tour-title" dir="auto">
          {card.title}
        </span>
        {!isDone(card) && card.short_description && (
          <span className="tour-about" dir="auto">
            {card.short_description}
          </span>
        )}
      </Link>
    </li>
  )
}

/** Hides the cards of the tour for everyone in the project, so it asks first. */
function Dismiss() {
  const { cards, open, close } = useTour()
  const refusal = useRefusal('work')
  const [isAsking, setAsking] = useState(false)
  const restoring = useWrite(`${area}/tour/cards/restore-all`, {
    failed: t('The tour was not brought back'),
    done: open,
  })
  const dismissing = useWrite(`${area}/tour/cards/dismiss-all`, {
    failed: t('The tour was not dismissed'),
    done() {
      close()
      showToast(t('Tour dismissed'), () => restoring.mutate({}))
    },
  })
  return (
    <>
      <Button look="quiet" className="tour-dismiss" refusal={refusal} onClick={() => setAsking(true)}>
        {t('Dismiss the tour…')}
      </Button>
      {isAsking && (
        <Confirm
          title={t('Dismiss the tour?')}
          action={t('Dismiss the tour')}
          onConfirm={() => dismissing.mutate({})}
          onClose={() => setAsking(false)}
        >
          {counted(cards.length, {
            one: 'Its card is hidden from the boards, for everyone in this project. You can bring the tour back from your account page.',
            other:
              'Its {count} cards are hidden from the boards, for everyone in this project. You can bring the tour back from your account page.',
          })}
        </Confirm>
      )}
    </>
  )
}
