import { Ban, CircleAlert, CircleCheck, CircleSlash, Clock, Hourglass } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { Hue } from '#text/colors.ts'
import { platforms } from '../data/client.ts'
import { useProject } from '../data/project.tsx'
import { useWrite } from '../data/write.ts'
import { isBillingSuperadminHere, isSuperadminHere, useRefusal } from '../identity/permissions.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { Notice } from '../ui/notice.tsx'
import { dayInText } from '../ui/time.tsx'
import { showToast } from '../ui/toast.tsx'
import { rich } from '../words/rich.tsx'
import { counted, t } from '../words/words.ts'
import { History } from './history.tsx'
import { type Offer, type PaidBy, periodNames } from './offers.ts'
import { OpenOrder } from './open-order.tsx'
import { PlanPrice, Plans } from './plans.tsx'
import { currentOf, daysUntil } from './subscriptions.ts'
import { ExtendTrial, StartTrial } from './trials.tsx'
import type { Subscription } from './types.ts'

interface Props {
  offer: Offer
  paidBy: PaidBy
  /** Where people ask for a trial. */
  contactUrl: string | null
  /** The subscriptions to this product, newest first. */
  subscriptions: Subscription[]
}

export function Product({ offer, paidBy, contactUrl, subscriptions }: Props) {
  const current = currentOf(subscriptions, offer.product)
  const earlier = subscriptions.filter((one) => one !== current)
  return (
    <section className="product" aria-labelledby={`product-${offer.product}`}>
      <header className="product-header">
        <h2 id={`product-${offer.product}`}>{offer.name}</h2>
        <StatusBadge subscription={current} />
        <span className="product-actions">
          <Actions offer={offer} current={current} />
        </span>
      </header>
      {current && <OpenOrder offer={offer} current={current} />}
      <Status offer={offer} current={current} contactUrl={contactUrl} />
      {current && (current.status === 'trialing' || current.status === 'expired') && (
        <Plans offer={offer} paidBy={paidBy} />
      )}
      {current && <History subscription={current} offer={offer} />}
      {earlier.map((one) => (
        <History key={one.id} subscription={one} offer={offer} isEarlier />
      ))}
    </section>
  )
}

const badges = {
  trialing: { word: t('Trial'), hue: 'blue', icon: <Clock /> },
  expired: { word: t('Trial ended'), hue: 'amber', icon: <Hourglass /> },
  active: { word: t('Active'), hue: 'green', icon: <CircleCheck /> },
  past_due: { word: t('Payment overdue'), hue: 'red', icon: <CircleAlert /> },
  canceled: { word: t('Ended'), hue: 'gray', icon: <CircleSlash /> },
} as const satisfies Record<Subscription['status'], { word: string; hue: Hue; icon: ReactNode }>

function StatusBadge({ subscription }: { subscription: Subscription | undefined }) {
  if (!subscription) return null
  const { status, cancels_at_period_end: isEnding } = subscription
  const { word, hue, icon } =
    isEnding && status === 'active'
      ? ({ word: t('Ending'), hue: 'amber', icon: <Ban /> } as const)
      : badges[status]
  return (
    <Badge hue={hue} icon={icon}>
      {word}
    </Badge>
  )
}

/** True if the person may start and extend trials. */
function useBilling(): boolean {
  const { me } = useProject()
  return isBillingSuperadminHere(me)
}

/** The actions that the subscription's status allows. */
function Actions({ offer, current }: { offer: Offer; current: Subscription | undefined }) {
  const isBilling = useBilling()
  if (!current || current.status === 'canceled') return isBilling && <StartTrial offer={offer} />
  if (current.status === 'trialing' || current.status === 'expired')
    return isBilling && <ExtendTrial subscription={current} />
  return <Cancellation offer={offer} current={current} />
}

function Cancellation({ offer, current }: { offer: Offer; current: Subscription }) {
  const refusal = useRefusal('upgrade')
  const [isAsking, setAsking] = useState(false)
  const canceling = useWrite(`${platforms}/subscriptions/cancel`, {
    failed: t('The subscription was not canceled'),
  })
  const resuming = useWrite(`${platforms}/subscriptions/resume`, {
    failed: t('The subscription was not resumed'),
  })
  const input = { id: current.id }
  const resume = () => resuming.mutate(input, { onSuccess: () => showToast(t('Subscription resumed')) })
  if (current.cancels_at_period_end)
    return (
      <Button refusal={refusal} isBusy={resuming.isPending} onClick={resume}>
        {t('Resume')}
        <span className="visually-hidden"> {offer.name}</span>
      </Button>
    )
  const cancel = () =>
    canceling.mutate(input, {
      onSuccess: ({ subscription }) =>
        showToast(
          t('{product} subscription ends {day}', { product: offer.name, day: endOf(subscription) }),
          resume,
        ),
    })
  return (
    <>
      <Button refusal={refusal} isBusy={canceling.isPending} onClick={() => setAsking(true)}>
        {t('Cancel subscription…')}
        <span className="visually-hidden"> {offer.name}</span>
      </Button>
      {isAsking && (
        <Confirm
          title={t('Cancel the {product} subscription', { product: offer.name })}
          action={t('Cancel subscription')}
          dismiss={t('Keep subscription')}
          isDanger
          onClose={() => setAsking(false)}
          onConfirm={cancel}
        >
          <p>
            {t('It ends {day}. Until then everything works as before, and you can resume it.', {
              day: endOf(current),
            })}
          </p>
        </Confirm>
      )}
    </>
  )
}

const endOf = ({ current_period_ends_at: end }: Subscription) => (end === null ? t('soon') : dayInText(end))

interface StatusProps {
  offer: Offer
  current: Subscription | undefined
  contactUrl: string | null
}

/** The status of a subscription and what comes next. */
function Status({ offer, current, contactUrl }: StatusProps) {
  const { me } = useProject()
  // On a visit for reading only, pages see a superadmin as a viewer.
  const isOperator = isSuperadminHere(me) || me.current_project?.support_visit != null
  if (!current)
    return (
      <p className="product-words">
        {isOperator || contactUrl === null
          ? t('Not subscribed.')
          : rich('Not subscribed. <a>Contact us</a> to start a {product} trial.', {
              a: (text) => <a href={contactUrl}>{text}</a>,
              product: offer.name,
            })}
      </p>
    )
  if (current.status === 'trialing') return <TrialStatus current={current} />
  if (current.status === 'expired')
    return (
      <Notice
        look="warning"
        title={t('The trial ended {day}', { day: dayInText(current.trial_ends_at ?? current.updated_at) })}
      >
        {isOperator
          ? t('Its data is still here. It continues with a plan, or once the trial is extended.')
          : t('Your data is still here. Choose a plan to continue.')}
      </Notice>
    )
  if (current.status === 'canceled')
    return (
      <p className="product-words">
        {t("Ended {day}. You won't be charged again.", { day: endOf(current) })}
      </p>
    )
  return <PaidStatus offer={offer} current={current} />
}

function TrialStatus({ current }: { current: Subscription }) {
  const end = current.trial_ends_at ?? current.created_at
  const left = daysUntil(end)
  const whole = daysUntil(end, Date.parse(current.created_at))
  return (
    <div className="product-trial">
      <p className="product-figure numbers">
        {counted(left, { one: '{count} day left', other: '{count} days left' })}{' '}
        <span>{t('ends {day}', { day: dayInText(end) })}</span>
      </p>
      <progress value={whole - left} max={whole} aria-label={t('Trial progress')} />
      <p className="product-words">{t("You won't be charged until you choose a plan and pay.")}</p>
    </div>
  )
}

function PaidStatus({ offer, current }: { offer: Offer; current: Subscription }) {
  const plan = offer.plans.find((one) => one.plan === current.plan)
  const { period, cancels_at_period_end: isEnding, status } = current
  return (
    <>
      {status === 'past_due' && <Overdue current={current} />}
      {isEnding && (
        <Notice title={t('Ends {day}', { day: endOf(current) })}>
          {t('Until then everything works as before. Resume to keep it after that date.')}
        </Notice>
      )}
      <dl className="product-facts">
        <div>
          <dt>{t('Plan')}</dt>
          <dd>
            {plan?.plan_name ?? current.plan}
            {period !== null && `, ${periodNames[period]}`}
          </dd>
        </div>
        {plan && period !== null && (
          <div>
            <dt>{t('Price')}</dt>
            <dd className="numbers">
              <PlanPrice plan={plan} period={period} />
            </dd>
          </div>
        )}
        <div>
          <dt>{isEnding ? t('Ends') : status === 'past_due' ? t('Paid until') : t('Renews')}</dt>
          <dd className="numbers">{endOf(current)}</dd>
        </div>
        {plan && plan.features.length > 0 && (
          <div>
            <dt>{t('Included')}</dt>
            {plan.features.map((feature) => (
              <dd key={feature} dir="auto">
                {feature}
              </dd>
            ))}
          </div>
        )}
      </dl>
    </>
  )
}

const Overdue = ({ current: { order_expires_at: end } }: { current: Subscription }) =>
  end === null ? (
    <Notice look="warning" title={t('The last payment failed')}>
      {t('The payment provider retries over the next days. If it keeps failing, the subscription ends.')}
    </Notice>
  ) : (
    <Notice look="warning" title={t('The payment is overdue')}>
      {t("If it doesn't arrive by {day}, the subscription ends.", { day: dayInText(end) })}
    </Notice>
  )
