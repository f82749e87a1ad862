import { Eye, EyeOff, MoonStar } from 'lucide-react'
import type { ReactNode } from 'react'
import { inDays } from '../../ui/days.ts'
import type { MenuEntry } from '../../ui/menu.tsx'
import { showToast } from '../../ui/toast.tsx'
import { t } from '../../words/words.ts'
import { isSnoozed } from '../arrangement.ts'
import type { Card } from '../types.ts'
import type { CardActions } from './card-actions.ts'

/** Menu entries that snooze or hide a card, or show it again; each offers undo. */
export function tuckAwayEntries(
  card: Pick<Card, 'id' | 'title' | 'snoozed_until' | 'is_active'>,
  actions: Pick<CardActions, 'save' | 'update'>,
  refusal: string | undefined,
): MenuEntry[] {
  const { id, title, snoozed_until, is_active } = card
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
      ? [
          entry(t('End snooze'), <MoonStar />, t('Ended the snooze of “{title}”', { title }), {
            snoozed_until: null,
          }),
        ]
      : [
          entry(t('Snooze for a day'), <MoonStar />, t('Snoozed “{title}” for a day', { title }), snooze(1)),
          entry(
            t('Snooze for a week'),
            <MoonStar />,
            t('Snoozed “{title}” for a week', { title }),
            snooze(7),
          ),
        ]),
    is_active
      ? entry(t('Hide card'), <EyeOff />, t('Hid “{title}”', { title }), { is_active: false })
      : entry(t('Show card'), <Eye />, t('Showing “{title}” again', { title }), { is_active: true }),
  ]
}
