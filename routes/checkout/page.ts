import { type Billing, checkoutPath } from '#billing/billing.ts'
import { catalogueOf, findProduct, formatPrice } from '#billing/catalogue.ts'
import type { SandboxCheckout } from '#billing/sandbox.ts'
import { type Html, html } from '#text/html.ts'
import { type CardErrors, testCards } from './card.ts'
import { paymentDocument, paymentNotice, type Spoken } from './document.ts'

const perPeriod = { month: 'a month', year: 'a year' } as const
const eachPeriod = {
  month: 'Paid each month until you cancel.',
  year: 'Paid each year until you cancel.',
} as const

export function checkoutPage(
  checkout: SandboxCheckout,
  billing: Billing,
  errors: CardErrors,
  spoken: Spoken,
): string {
  const { say, locale } = spoken
  const { product, plan, period, amount, currency, project, status } = checkout
  const found = findProduct(catalogueOf(billing.catalogue, checkout.platform_id), product)
  const name = `${found?.name ?? product} ${found?.plans.find(({ key }) => key === plan)?.name ?? plan}`
  const price = formatPrice(amount, currency, locale)
  const summary = html`
    <section class="summary" aria-labelledby="what">
      <h1 id="what">${name}</h1>
      <p class="quiet">${say('For :project', { project })}</p>
      <p class="price">${price} <span class="quiet">${say(perPeriod[period])}</span></p>
      <p class="quiet">${say(eachPeriod[period])}</p>
      ${status === 'open' && testCardList(spoken)}
    </section>`
  const back = billing.returnUrl('left', checkout)
  const content = {
    open: () => form({ price, back, paid: billing.returnUrl('paid', checkout) }, errors, spoken),
    paid: () =>
      paymentNotice(
        say,
        say('Paid'),
        say('This subscription is paid for.'),
        billing.returnUrl('paid', checkout),
      ),
    expired: () =>
      paymentNotice(
        say,
        say('Expired'),
        say('This checkout has expired. Nothing was charged. Choose a plan again.'),
        back,
      ),
  }
  const hasErrors = Object.keys(errors).length > 0
  const title = say(hasErrors ? 'Error: Pay for :product' : 'Pay for :product', { product: name })
  return document(spoken, title, [summary, content[status]()])
}

const testCardList = ({ say }: Spoken) => html`
  <dl id="cards">
    <dt>${say('Test card: succeeds')}</dt><dd>${testCards.accepted}</dd>
    <dt>${say('Test card: declines')}</dt><dd>${testCards.declined}</dd>
  </dl>`

export function missingPage(spoken: Spoken): string {
  const { say } = spoken
  return document(spoken, say('Checkout not found'), [
    html`<section class="summary"><h1>${say('Checkout not found')}</h1><p class="quiet">${say('Check the address, or choose a plan again.')}</p></section>`,
  ])
}

interface Links {
  price: string
  back: string
  /** Where a payment leads. */
  paid: string
}

const form = ({ price, back, paid }: Links, errors: CardErrors, { say }: Spoken) => html`
  <form method="post" autocomplete="off" novalidate data-paid="${paid}">
    <h2>${say('Card')}</h2>
    ${field('number', say('Card number'), 'inputmode="numeric" maxlength="23"', errors, say('A test card'))}
    <div class="pair">
      ${field('expiry', say('Expires'), 'maxlength="7"', errors, say('MM/YY'))}
      ${field('code', say('Security code'), 'inputmode="numeric" maxlength="4"', errors, say('Any 3 digits'))}
    </div>
    <p class="error" id="problem" role="alert" hidden data-unreachable="${say("Can't reach Cardinal. Check your connection and try again.")}"
      data-failed="${say('Something went wrong on our side. Try again in a moment.')}" data-too-many="${say('Too many attempts. Try again in a minute.')}"><span aria-hidden="true">!</span><span></span></p>
    <button type="submit">${say('Pay :price', { price })}</button>
    <a href="${back}">${say('Go back without paying')}</a>
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

const document = ({ locale, say }: Spoken, title: string, content: Html[]) =>
  paymentDocument(
    {
      locale,
      title: say(':title – Cardinal sandbox', { title }),
      stylePath: `${checkoutPath}/style.css`,
      script: `${checkoutPath}/checkout.js`,
      banner: html`<header class="sandbox"><p><strong>${say('Test page.')}</strong> ${say('No money moves here, and no card is stored.')}</p></header>`,
    },
    content,
  )
