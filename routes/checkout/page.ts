import { type Billing, checkoutPath } from '#billing/billing.ts'
import { catalogueOf, findProduct, formatPrice } from '#billing/catalogue.ts'
import type { SandboxCheckout } from '#billing/sandbox.ts'
import { type Html, html } from '../reference/html.ts'
import { type CardErrors, testCards } from './card.ts'
import { paymentDocument, paymentNotice } from './document.ts'

export function checkoutPage(checkout: SandboxCheckout, billing: Billing, errors: CardErrors): string {
  const { product, plan, period, amount, currency, project, status } = checkout
  const found = findProduct(catalogueOf(billing.catalogue, checkout.platform_id), product)
  const planName = found?.plans.find(({ key }) => key === plan)?.name ?? plan
  const price = formatPrice(amount, currency)
  const summary = html`
    <section class="summary" aria-labelledby="what">
      <h1 id="what">${found?.name ?? product} ${planName}</h1>
      <p class="quiet">For ${project}</p>
      <p class="price">${price} <span class="quiet">a ${period}</span></p>
      <p class="quiet">Paid each ${period} until you cancel.</p>
      ${status === 'open' && testCardList}
    </section>`
  const back = billing.returnUrl('left', checkout)
  const content = {
    open: () => form(price, back, errors),
    paid: () => paymentNotice('Paid', 'This subscription is paid for.', billing.returnUrl('paid', checkout)),
    expired: () =>
      paymentNotice('Expired', 'This checkout has expired. Nothing was charged. Choose a plan again.', back),
  }
  const hasErrors = Object.keys(errors).length > 0
  return document(`${hasErrors ? 'Error: ' : ''}Pay for ${found?.name ?? product} ${planName}`, [
    summary,
    content[status](),
  ])
}

const testCardList = html`
  <dl id="cards">
    <dt>Test card: succeeds</dt><dd>${testCards.accepted}</dd>
    <dt>Test card: declines</dt><dd>${testCards.declined}</dd>
  </dl>`

export const missingPage = () =>
  document('Checkout not found', [
    html`<section class="summary"><h1>Checkout not found</h1><p class="quiet">Check the address, or choose a plan again.</p></section>`,
  ])

const form = (price: string, back: string, errors: CardErrors) => html`
  <form method="post" autocomplete="off" novalidate>
    <h2>Card</h2>
    ${field('number', 'Card number', 'inputmode="numeric" maxlength="23"', errors, 'A test card')}
    <div class="pair">
      ${field('expiry', 'Expires', 'maxlength="7"', errors, 'MM/YY')}
      ${field('code', 'Security code', 'inputmode="numeric" maxlength="4"', errors, 'Any 3 digits')}
    </div>
    <button type="submit">Pay ${price}</button>
    <a href="${back}">Go back without paying</a>
  </form>`

/** `attributes` is never user input. Typed values are not shown again, because they might be a real card. */
const field = (
  name: keyof CardErrors,
  label: string,
  attributes: string,
  errors: CardErrors,
  hint: string,
): Html => {
  const error = errors[name]
  const isFirst = Object.keys(errors)[0] === name
  return html`
    <div class="field">
      <label for="${name}">${label}</label>
      <input id="${name}" name="${name}" required ${{ html: attributes }} aria-describedby="${name}-hint${error ? ` ${name}-error` : ''}"
        ${error !== undefined && html`aria-invalid="true"`} ${(isFirst || (name === 'number' && Object.keys(errors).length === 0)) && html`autofocus`}>
      <p class="hint quiet" id="${name}-hint">${hint}</p>
      ${error !== undefined && html`<p class="error" id="${name}-error"><span aria-hidden="true">!</span>${error}</p>`}
    </div>`
}

const document = (title: string, content: Html[]) =>
  paymentDocument(
    {
      title: `${title} – Cardinal sandbox`,
      stylePath: `${checkoutPath}/style.css`,
      banner: html`<header class="sandbox"><p><strong>Test page.</strong> No money moves here, and no card is stored.</p></header>`,
    },
    content,
  )
