import { CircleAlert, CircleCheck, CircleX, Clock } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Hue } from '#text/colors.ts'
import { toolName } from '../projects/tools.ts'
import { Badge } from '../ui/badge.tsx'
import { t } from '../words/words.ts'
import type { FleetProject, SubscriptionStatus } from './types.ts'

export const statusNames: Record<SubscriptionStatus, string> = {
  trialing: t('Trial'),
  active: t('Active'),
  past_due: t('Payment overdue'),
  canceled: t('Canceled'),
  expired: t('Trial ended'),
}

const looks: Record<SubscriptionStatus, { hue: Hue; icon: ReactNode }> = {
  trialing: { hue: 'blue', icon: <Clock /> },
  active: { hue: 'green', icon: <CircleCheck /> },
  past_due: { hue: 'red', icon: <CircleAlert /> },
  canceled: { hue: 'gray', icon: <CircleX /> },
  expired: { hue: 'amber', icon: <CircleAlert /> },
}

/** The state of a subscription and its plan, which is cut off first where there is little room. */
export function SubscriptionState({ subscription }: { subscription: FleetProject['subscriptions'][number] }) {
  const { product, plan, status } = subscription
  const { hue, icon } = looks[status]
  const name = plan === null ? toolName(product) : `${toolName(product)} ${toolName(plan)}`
  const words = t('{status}: {plan}', { status: statusNames[status], plan: name })
  return (
    <Badge hue={hue} icon={icon}>
      <span className="truncate" data-tip={words}>
        {words}
      </span>
    </Badge>
  )
}
