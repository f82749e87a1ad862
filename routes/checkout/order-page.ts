import { type Billing, orderPath } from '#billing/billing.ts'
import { findProduct, formatPrice } from '#billing/catalogue.ts'
import { inGroups } from '#billing/reference.ts'
import type { ShownOrder } from '#billing/shown-orders.ts'
import { type Html, html } from '../reference/html.ts'
import { paymentDocument, paymentNotice } from './document.ts'

type BankAccount = NonNullable<Billing['bankAccount']>

export function orderPage(order: ShownOrder, catalogue: Billing['catalogue'], account: BankAccount): string {
  const { product, plan, period, amount, currency, project_name: project, status } = order
  const found = findProduct(catalogue, product)
  const name = `${found?.name ?? product} ${found?.plans.find(({ key }) => key === plan)?.name ?? plan}`
  const back = `/p/${order.project_id}/subscription`
  const content = {
    open: () => transfer(order, account, back),
    paid: () => paymentNotice('Paid', 'The payment of this order has arrived.', back),
    expired: () =>
      paymentNotice(
        'Expired',
        `This order could be paid until ${day(order.expires_at)}. Don't transfer money for it. Choose a plan again.`,
        back,
      ),
  }
  return document(`Order ${inGroups(order.reference)}`, [
    html`
    <section class="summary" aria-labelledby="what">
      <h1 id="what">${name}</h1>
      <p class="quiet">For ${project}</p>
      <p class="price">${formatPrice(amount, currency)} <span class="quiet">for a ${period}</span></p>
      <p class="quiet">Ordered ${day(order.created_at)}</p>
    </section>`,
    content[status](),
  ])
}

const transfer = (order: ShownOrder, { payee, account, bank }: BankAccount, back: string): Html => {
  const isIban = /^[A-Z]{2}\d{2}/i.test(account)
  return html`
  <section class="transfer">
    <h2>Pay by bank transfer</h2>
    <dl>
      <dt>Amount</dt><dd>${formatPrice(order.amount, order.currency)}</dd>
      <dt>Payee</dt><dd>${payee}</dd>
      <dt>${isIban ? 'IBAN' : 'Account'}</dt><dd>${isIban ? inGroups(account.replace(/\s/g, '').toUpperCase()) : account}</dd>
      ${bank !== undefined && html`<dt>Bank</dt><dd>${bank}</dd>`}
      <dt>Reference</dt><dd>${inGroups(order.reference)}</dd>
      <dt>Pay by</dt><dd>${day(order.expires_at)}</dd>
    </dl>
    <p class="quiet">Use exactly this amount and reference. The plan starts when your payment has arrived, usually within a few working days.</p>
    <a href="${back}">Back to Cardinal</a>
  </section>`
}

export const missingOrderPage = () =>
  document('Order not found', [
    html`<section class="summary"><h1>Order not found</h1><p class="quiet">Check the address, or choose a plan again.</p></section>`,
  ])

const document = (title: string, content: Html[]) =>
  paymentDocument({ title: `${title} – Cardinal`, stylePath: `${orderPath}/style.css` }, content)

const format = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' })
const day = (iso: string) => format.format(new Date(iso))
