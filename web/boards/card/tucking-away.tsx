import { Eye, EyeOff, MoonStar } from 'lucide-react'
import type { ReactNode } from 'react'
import { inDays } from '../../ui/days.ts'
import type { MenuEntry } from '../../ui/menu.tsx'
import { showToast } from '../../ui/toast.tsx'
import { isSnoozed } from '../arrangement.ts'
import type { Card } from '../types.ts'
import type { CardActions } from './card-actions.ts'

/** Takes a card out of sight, or brings it back; each can be undone. */
export function tuckAwayEntries(card: Card, actions: CardActions, refusal: string | undefined): MenuEntry[] {
  const { id, snoozed_until, is_active } = card
  const entry = (label: string, icon: ReactNode, told: string, fields: Partial<Card>): MenuEntry => ({
    label,
    icon,
    refusal,
    onSelect() {
      const saved = actions.save({ id, ...fields })
      saved.catch(showToast(`${told} ${card.title}`, () => actions.update({ id, snoozed_until, is_active })))
    },
  })
  const snooze = (days: number) => ({ snoozed_until: inDays(days) })
  return [
    ...(isSnoozed(card)
      ? [entry('Wake up now', <MoonStar />, 'Woke up', { snoozed_until: null })]
      : [
          entry('Snooze for a day', <MoonStar />, 'Snoozed for a day:', snooze(1)),
          entry('Snooze for a week', <MoonStar />, 'Snoozed for a week:', snooze(7)),
        ]),
    is_active
      ? entry('Dismiss', <EyeOff />, 'Dismissed', { is_active: false })
      : entry('Bring back', <Eye />, 'Brought back', { is_active: true }),
  ]
}
