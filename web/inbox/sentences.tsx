// What an item of the inbox says, below the title of its card.
import {
  AlarmClock,
  AtSign,
  CircleDot,
  CreditCard,
  LayoutTemplate,
  MessageSquare,
  MessageSquareReply,
  Palette,
  UserCheck,
  UserPlus,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { dueTime } from '#boards/card/due.ts'
import { statusName } from '../boards/signs.tsx'
import type { InboxItem } from '../data/unread.ts'
import { toolName } from '../projects/tools.ts'
import { personName } from '../ui/person-name.ts'
import { dateInText } from '../ui/time.tsx'
import { counted, t } from '../words/words.ts'

export const signs: Record<InboxItem['reason'], ReactNode> = {
  assigned: <UserPlus />,
  mentioned: <AtSign />,
  replied: <MessageSquareReply />,
  commented: <MessageSquare />,
  status_changed: <CircleDot />,
  template_changed: <LayoutTemplate />,
  due_soon: <AlarmClock />,
  overdue: <AlarmClock />,
  trial_ending: <CreditCard />,
  theme_deadline: <Palette />,
  invitation_accepted: <UserCheck />,
}

const sentences: Record<InboxItem['reason'], (item: InboxItem) => string> = {
  assigned: (item) => t('{name} assigned this card to you', { name: nameIn(item) }),
  mentioned: (item) =>
    counted(
      item.count,
      { one: '{name} mentioned you', other: '{count} mentions, the last by {name}' },
      { name: nameIn(item) },
    ),
  replied: (item) =>
    counted(
      item.count,
      { one: '{name} replied to you', other: '{count} replies to you, the last by {name}' },
      { name: nameIn(item) },
    ),
  commented: (item) =>
    counted(
      item.count,
      { one: '{name} commented', other: '{count} comments, the last by {name}' },
      { name: nameIn(item) },
    ),
  status_changed: (item) => {
    const status = statusName(item.status ?? '')
    return item.actor_id === null
      ? t('A check set the status to {status}', { status })
      : t('{name} set the status to {status}', { name: nameIn(item), status })
  },
  template_changed: () => t('A rollout changed this card'),
  due_soon: (item) => t('Due {date}', { date: dateOf(item) }),
  overdue: (item) => t('Overdue since {date}', { date: dateOf(item) }),
  trial_ending: (item) => t('Ends {date}', { date: dateOf(item) }),
  theme_deadline: (item) => t('Change the theme by {date}', { date: dateOf(item) }),
  invitation_accepted: () => t('Accepted your invitation'),
}

export const sentenceOf = (item: InboxItem): string => sentences[item.reason](item)

export function titleOf(item: InboxItem): string {
  const { reason, card_title, product } = item
  if (reason === 'invitation_accepted') return nameIn(item)
  return card_title ?? t('{product} trial', { product: toolName(product ?? '') })
}

const nameIn = ({ actor_name }: InboxItem): string => personName(actor_name ?? t('Someone'))

function dateOf({ ends_at, ends_on_date }: InboxItem): string {
  const at = dueTime({ due_date: ends_at, due_is_date: ends_on_date })
  return dateInText(new Date(at).toISOString(), !ends_on_date)
}
