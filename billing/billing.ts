import type { Config } from '#config.ts'
import type { Database } from '#database/connect.ts'
import type { Catalogue } from './catalogue.ts'
import type { Checkout, Gateway } from './gateway.ts'
import { invoiceGateway, type OrderTerms } from './invoice.ts'
import { sandboxGateway } from './sandbox.ts'
import type { GatewayName } from './state.ts'
import { type ReturnAddress, type StripeGateway, stripeGateway } from './stripe.ts'

/** The catalogue and the payment gateways of one service; `service.ts` starts it. */
export interface Billing {
  catalogue: Catalogue
  /** Where new checkouts are opened; undefined where payments are not set up. */
  gateway: Gateway | undefined
  /** The gateways through which existing subscriptions may have been paid. */
  gateways: { [Name in GatewayName]?: Gateway }
  stripe: StripeGateway | undefined
  orders: OrderTerms
  /** Unset: no order page, since nobody would know where to transfer the money. */
  bankAccount: Config['bankAccount']
  contact: Config['contact']
  returnUrl: ReturnAddress
  /** Requests for a session that are under way, by checkout key: a second caller waits for the same answer. */
  opening: Map<string, Promise<Checkout>>
}

export const checkoutPath = '/checkout'
export const orderPath = '/order'

/** `origin` is a function because the address may be known only once the service listens. */
export async function startBilling(
  config: Pick<Config, 'payments' | 'stripe' | 'allowsSandbox' | 'bankAccount' | 'invoiceDays' | 'contact'>,
  catalogue: Catalogue,
  db: Database,
  origin: () => string,
): Promise<Billing> {
  const returnUrl: ReturnAddress = (outcome, { project_id: projectId, product }) =>
    `${origin()}/p/${projectId}/subscription?${new URLSearchParams({ checkout: outcome, product })}`
  const sandbox = sandboxGateway(db, (token) => `${origin()}${checkoutPath}/${token}`)
  const orders = { days: config.invoiceDays, pageUrl: (key: string) => `${origin()}${orderPath}/${key}` }
  const invoice = invoiceGateway(db, orders)
  const stripe = config.stripe && (await stripeGateway(config.stripe, returnUrl))
  return {
    catalogue,
    gateway:
      config.payments === 'invoice' ? invoice : (stripe ?? (config.allowsSandbox ? sandbox : undefined)),
    gateways: { sandbox, invoice, ...(stripe && { stripe }) },
    stripe,
    orders,
    bankAccount: config.bankAccount,
    contact: config.contact,
    returnUrl,
    opening: new Map(),
  }
}
