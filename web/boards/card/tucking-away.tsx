import { Eye, EyeOff, MoonStar } from 'lucide-react'
import type { ReactNode } from 'react'
import { inDays } from '../../ui/days.ts'
import type { MenuEntry } from '../../ui/menu.tsx'
import { showToast } from '../../ui/toast.tsx'
import { isSnoozed } from '../arrangement.ts'
import type { Card } from '../types.ts'
import type { CardActions } from './card-actions.ts'

/** Menu entries that snooze or hide a card, or show it again; each offers undo. */
export function tuckAwayEntries(card: Card, actions: CardActions, refusal: string | undefined): MenuEntry[] {
  const { id, snoozed_until, is_active } = card
  const title = `“${card.title}”`
  const entry = (label: string, icon: ReactNode, done: string, fields: Partial<Card>): MenuEntry => ({
    label,
    icon,
    refusal,
    onSelect() {
      const saved = actions.save({ id, ...fields })
      saved.catch(showToast(done, () => actions.update({ id, snoozed_until, is_active })))
    },
  })
  const snooze = (days: number) => ({ snoozed_until: inDays(days) })
  return [
    ...(isSnoozed(card)
      ? [entry('End snooze', <MoonStar />, `Ended the snooze of ${title}`, { snoozed_until: null })]
      : [
          entry('Snooze for a day', <MoonStar />, `Snoozed ${title} for a day`, snooze(1)),
          entry('Snooze for a week', <MoonStar />, `Snoozed ${title} for a week`, snooze(7)),
        ]),
    is_active
      ? entry('Hide card', <EyeOff />, `Hid ${title}`, { is_active: false })
      : entry('Show card', <Eye />, `Showing ${title} again`, { is_active: true }),
  ]
}
