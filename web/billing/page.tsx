import { X } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { platforms } from '../data/client.ts'
import { together, useRead } from '../data/read.ts'
import { Reading } from '../data/reading.tsx'
import { IconButton } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { dayInText } from '../ui/time.tsx'
import { t } from '../words/words.ts'
import { type Offer, offersIn, type PaidBy } from './offers.ts'
import { currentOf, useSubscriptions } from './subscriptions.ts'
import type { Subscription } from './types.ts'
import './page.css'
import { Payments } from './payments.tsx'
import { Product } from './product.tsx'

export default function SubscriptionPage() {
  const read = together(useRead(`${platforms}/plans/list`), useSubscriptions())
  return (
    <Page title={t('Subscription')}>
      <Reading query={read} failed={t('The subscription could not be loaded')}>
        {([{ plans, paid_by, contact_url }, { subscriptions }]) => (
          <Products
            offers={offersIn(plans)}
            subscriptions={subscriptions}
            paidBy={paid_by}
            contactUrl={contact_url}
          />
        )}
      </Reading>
    </Page>
  )
}

interface ProductsProps {
  offers: Offer[]
  subscriptions: readonly Subscription[]
}

interface AllProps extends ProductsProps {
  paidBy: PaidBy
  contactUrl: string | null
}

const Products = ({ offers, subscriptions, paidBy, contactUrl }: AllProps) => (
  <>
    <Returned offers={offers} subscriptions={subscriptions} />
    {offers.map((offer) => (
      <Product
        key={offer.product}
        offer={offer}
        paidBy={paidBy}
        contactUrl={contactUrl}
        subscriptions={subscriptions.filter(({ product }) => product === offer.product)}
      />
    ))}
    <Payments offers={offers} />
  </>
)

/** The result of a checkout for a person who returns from it: shown once, or until the payment is known. */
function Returned({ offers, subscriptions }: ProductsProps) {
  const [search] = useSearchParams()
  const [path, navigate] = useLocation()
  const [outcome, setOutcome] = useState(search.get('checkout'))
  const [product] = useState(search.get('product') ?? '')
  const message = useRef<HTMLElement>(null)
  const offer = offers.find((one) => one.product === product)
  const current = currentOf(subscriptions, product)
  const isKnown = outcome === 'left' || (outcome === 'paid' && current?.status === 'active')
  useEffect(() => message.current?.focus(), [])
  useEffect(() => {
    if (isKnown) navigate(path, { replace: true })
  }, [isKnown, path, navigate])
  if (!offer || !current || (outcome !== 'paid' && outcome !== 'left')) return null
  const dismiss = () => {
    setOutcome(null)
    navigate(path, { replace: true })
  }
  return (
    <section ref={message} className="returned" aria-label={t('Checkout result')} tabIndex={-1}>
      <Outcome
        offer={offer}
        current={current}
        isLeft={outcome === 'left'}
        dismiss={<IconButton label={t('Dismiss')} icon={<X />} onClick={dismiss} />}
      />
    </section>
  )
}

interface OutcomeProps {
  offer: Offer
  current: Subscription
  isLeft: boolean
  dismiss: ReactNode
}

function Outcome({ offer, current, isLeft, dismiss }: OutcomeProps) {
  const plan = offer.plans.find((one) => one.plan === current.plan)
  if (current.status === 'active')
    return (
      <Notice
        look="success"
        title={t('{plan} is paid and active', { plan: `${offer.name} ${plan?.plan_name ?? ''}` })}
        action={dismiss}
      >
        {current.current_period_ends_at !== null &&
          t('The next payment is due {day}.', { day: dayInText(current.current_period_ends_at) })}
      </Notice>
    )
  if (isLeft)
    return (
      <Notice title={t('Checkout canceled. Nothing was charged.')} action={dismiss}>
        {t("Your trial is unchanged. Choose a plan below when you're ready.")}
      </Notice>
    )
  return (
    <Notice title={t('Confirming your payment')} action={dismiss}>
      {t("This takes a few seconds, and the page updates by itself. Don't pay again.")}
    </Notice>
  )
}
