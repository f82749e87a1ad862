import { type Billing, orderPath } from '#billing/billing.ts'
import { findProduct, formatPrice } from '#billing/catalogue.ts'
import { inGroups } from '#billing/reference.ts'
import type { ShownOrder } from '#billing/shown-orders.ts'
import { type Html, html } from '#text/html.ts'
import { paymentDocument, paymentNotice, type Spoken } from './document.ts'

type BankAccount = NonNullable<Billing['bankAccount']>

const forPeriod = { month: 'for a month', year: 'for a year' } as const

export function orderPage(
  order: ShownOrder,
  catalogue: Billing['catalogue'],
  account: BankAccount,
  spoken: Spoken,
): string {
  const { say, locale } = spoken
  const { product, plan, period, amount, currency, project_name: project, status } = order
  const found = findProduct(catalogue, product)
  const name = `${found?.name ?? product} ${found?.plans.find(({ key }) => key === plan)?.name ?? plan}`
  const back = `/p/${order.project_id}/subscription`
  const content = {
    open: () => transfer(order, account, back, spoken),
    paid: () => paymentNotice(say, say('Paid'), say('The payment of this order has arrived.'), back),
    expired: () =>
      paymentNotice(
        say,
        say('Expired'),
        say("This order could be paid until :day. Don't transfer money for it. Choose a plan again.", {
          day: day(order.expires_at, locale),
        }),
        back,
      ),
  }
  return document(spoken, say('Order :reference', { reference: inGroups(order.reference) }), [
    html`
    <section class="summary" aria-labelledby="what">
      <h1 id="what">${name}</h1>
      <p class="quiet">${say('For :project', { project })}</p>
      <p class="price">${formatPrice(amount, currency, locale)} <span class="quiet">${say(forPeriod[period])}</span></p>
      <p class="quiet">${say('Ordered :day', { day: day(order.created_at, locale) })}</p>
    </section>`,
    content[status](),
  ])
}

const transfer = (
  order: ShownOrder,
  { payee, account, bank }: BankAccount,
  back: string,
  { say, locale }: Spoken,
): Html => {
  const isIban = /^[A-Z]{2}\d{2}/i.test(account)
  return html`
  <section class="transfer">
    <h2>${say('Pay by bank transfer')}</h2>
    <dl>
      <dt>${say('Amount')}</dt><dd>${formatPrice(order.amount, order.currency, locale)}</dd>
      <dt>${say('Payee')}</dt><dd>${payee}</dd>
      <dt>${say(isIban ? 'IBAN' : 'Account')}</dt><dd>${isIban ? inGroups(account.replace(/\s/g, '').toUpperCase()) : account}</dd>
      ${bank !== undefined && html`<dt>${say('Bank')}</dt><dd>${bank}</dd>`}
      <dt>${say('Reference')}</dt><dd>${inGroups(order.reference)}</dd>
      <dt>${say('Pay by')}</dt><dd>${day(order.expires_at, locale)}</dd>
    </dl>
    <p class="quiet">${say('Use exactly this amount and reference. The plan starts when your payment has arrived, usually within a few working days.')}</p>
    <a href="${back}">${say('Back to Cardinal')}</a>
  </section>`
}

export function missingOrderPage(spoken: Spoken): string {
  const { say } = spoken
  return document(spoken, say('Order not found'), [
    html`<section class="summary"><h1>${say('Order not found')}</h1><p class="quiet">${say('Check the address, or choose a plan again.')}</p></section>`,
  ])
}

const document = ({ locale }: Spoken, title: string, content: Html[]) =>
  paymentDocument({ locale, title: `${title} – Cardinal`, stylePath: `${orderPath}/style.css` }, content)

const day = (iso: string, locale: string) =>
  new Date(iso).toLocaleDateString(locale, { dateStyle: 'long', timeZone: 'UTC' })
