import { announce } from '../../ui/announcer.tsx'
import { dates } from '../../ui/date/date-words.ts'
import { showToast } from '../../ui/toast.tsx'
import { t } from '../../words/words.ts'
import { due } from '../card/moment.tsx'
import type { Card, ListedCard } from '../types.ts'

/** Gives a card another due date and keeps its time, with undo. */
export const dateMove =
  (update: (input: { id: number } & Partial<Card>) => void) => (card: ListedCard, date: string) => {
    const { id, title, due_date, due_is_date } = card
    update({ id, ...due.write({ ...due.read(card), date }) })
    const said = t('“{title}” is due {day}', { title, day: dates.short({ date }) })
    announce(said)
    showToast(said, () => update({ id, due_date, due_is_date }), { topic: `change ${id}` })
  }
