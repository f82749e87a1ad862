import { announce } from '../../ui/announcer.tsx'
import { dates } from '../../ui/date/date-words.ts'
import { t } from '../../words/words.ts'
import { due } from '../card/moment.tsx'
import type { useUndoableChange } from '../changing.ts'
import type { ListedCard } from '../types.ts'

/** Gives a card another due date and keeps its time, with undo. */
export const dateMove =
  (change: ReturnType<typeof useUndoableChange>) => (card: ListedCard, date: string) => {
    const said = t('“{title}” is due {day}', { title: card.title, day: dates.short({ date }) })
    announce(said)
    change(card, due.write({ ...due.read(card), date }), said)
  }
