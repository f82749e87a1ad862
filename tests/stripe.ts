// A server that speaks the part of Stripe's documented wire format that Cardinal uses: form bodies in, JSON out, idempotency keys,
// typed errors, and network faults on demand.
import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { after } from 'node:test'
import { Stripe } from 'stripe'

const stripeKeys = { secretKey: 'sk_test_cardinal', webhookSecret: 'whsec_cardinal' }

type Fields = Record<string, string>
// biome-ignore lint/suspicious/noExplicitAny: objects of Stripe's, of which a test looks at a few fields.
type StripeObject = Record<string, any>

/**
 * What happens to one request instead of its answer; `lost` does the work and then hangs up, `silent` does it and says nothing,
 * and a promise is what the answer waits for.
 */
type Fault = Promise<void> | 'lost' | 'silent' | 'hang up' | 'garbage' | 'null' | 'wrong' | number

interface Received {
  method: string
  path: string
  fields: Fields
  idempotencyKey: string | undefined
}

interface Remembered {
  parameters: string
  answer?: { status: number; body: StripeObject }
}

const name = (prefix: string) => `${prefix}_${randomBytes(12).toString('hex')}`
const nowSeconds = () => Math.floor(Date.now() / 1000)
const month = 30 * 86_400

export async function startStripe() {
  const sessions = new Map<string, StripeObject>()
  const subscriptions = new Map<string, StripeObject>()
  const remembered = new Map<string, Remembered>()
  const received: Received[] = []
  const faults: Fault[] = []
  /** Each request waits this long, so that others come meanwhile. */
  const pace = { milliseconds: 0 }

  const server = createServer((request, response) => {
    handle(request, response).catch((error) => {
      response.destroy(error)
    })
  })

  async function handle(request: IncomingMessage, response: ServerResponse) {
    const fields = Object.fromEntries(new URLSearchParams(await textOf(request)))
    const { method = '', url: path = '' } = request
    const key = request.headers['idempotency-key'] as string | undefined
    received.push({ method, path, fields, idempotencyKey: key })
    const fault = faults.shift()
    if (typeof fault === 'number') {
      const body = problem(fault === 429 ? 'rate_limit_error' : 'api_error', 'Asked for.')
      // Stripe stores the response of a key, including a refusal, once the work has begun.
      if (key !== undefined && (fault === 500 || fault === 402))
        remembered.set(key, {
          parameters: `${method} ${path} ${JSON.stringify(fields)}`,
          answer: { status: fault, body },
        })
      return send(response, fault, body)
    }
    if (fault === 'garbage') return response.writeHead(200).end('<html>502 Bad Gateway</html>')
    if (fault === 'null') return response.writeHead(200).end('null')
    if (fault === 'wrong') return send(response, 200, { id: 7, object: 'list' })
    if (fault === 'hang up') return request.socket.destroy()
    const { status, body } = await once(key, method, path, fields, request.headers.authorization)
    await fault
    if (fault === 'lost') return request.socket.destroy()
    if (fault === 'silent') return
    return send(response, status, body)
  }

  /** Stripe's rule: the same key gives the same response, a different request with it an error, and a running one a conflict. */
  async function once(
    key: string | undefined,
    method: string,
    path: string,
    fields: Fields,
    authorization = '',
  ) {
    if (authorization !== `Bearer ${stripeKeys.secretKey}`)
      return { status: 401, body: problem('invalid_request_error', 'Invalid API Key provided: sk_test_****') }
    const parameters = `${method} ${path} ${JSON.stringify(fields)}`
    const known = key === undefined ? undefined : remembered.get(key)
    if (known && known.parameters !== parameters)
      return {
        status: 400,
        body: problem('idempotency_error', 'Keys can only be used with the same parameters.'),
      }
    if (known)
      return (
        known.answer ?? {
          status: 409,
          body: problem('invalid_request_error', 'In use.', 'idempotency_key_in_use'),
        }
      )
    const running: Remembered = { parameters }
    if (key !== undefined) remembered.set(key, running)
    await new Promise((resolve) => setTimeout(resolve, pace.milliseconds))
    running.answer = answer(method, path, fields)
    return running.answer
  }

  function answer(method: string, path: string, fields: Fields): { status: number; body: StripeObject } {
    const [, , resource, part, id, action] = path.split(/[/?]/) as (string | undefined)[]
    if (path === '/v1/checkout/sessions' && method === 'POST')
      return { status: 200, body: openSession(fields) }
    if (resource === 'checkout' && part === 'sessions') {
      const session = sessions.get(id ?? '')
      if (!session) return missing('checkout.session', id)
      if (action === 'expire') {
        if (session['status'] !== 'open')
          return {
            status: 400,
            body: problem(
              'invalid_request_error',
              'Only Checkout Sessions with a status in ["open"] can be expired.',
            ),
          }
        session['status'] = 'expired'
      }
      return { status: 200, body: session }
    }
    const subscription = subscriptions.get(part ?? '')
    if (resource !== 'subscriptions' || !subscription) return missing(String(resource), part)
    if (method === 'POST' && subscription['status'] === 'canceled')
      return {
        status: 400,
        body: problem('invalid_request_error', 'A canceled subscription can only update its metadata.'),
      }
    if (fields['cancel_at_period_end'] !== undefined)
      subscription['cancel_at_period_end'] = fields['cancel_at_period_end'] === 'true'
    return { status: 200, body: structuredClone(subscription) }
  }

  function openSession(fields: Fields): StripeObject {
    const id = name('cs_test')
    const session = {
      id,
      object: 'checkout.session',
      mode: fields['mode'],
      status: 'open',
      payment_status: 'unpaid',
      url: `https://checkout.stripe.test/c/pay/${id}#fid`,
      expires_at: nowSeconds() + 86_400,
      customer: fields['customer'] ?? null,
      subscription: null,
      metadata: metadataIn(fields, 'metadata'),
    }
    sessions.set(id, { ...session, subscriptionMetadata: metadataIn(fields, 'subscription_data[metadata]') })
    return session
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  const { port } = server.address() as { port: number }
  return {
    settings: { ...stripeKeys, apiUrl: `http://127.0.0.1:${port}` },
    sessions,
    subscriptions,
    received,
    faults,
    pace,
    /** Pays like Stripe's page: completes the session and creates a subscription. */
    pay(sessionId: string): { session: StripeObject; subscription: StripeObject } {
      const session = sessions.get(sessionId) as StripeObject
      if (session['status'] !== 'open') throw new Error(`the session is ${session['status']}`)
      const subscription: StripeObject = {
        id: name('sub'),
        object: 'subscription',
        status: 'active',
        customer: session['customer'] ?? name('cus'),
        cancel_at: null,
        cancel_at_period_end: false,
        items: { object: 'list', data: [{ id: name('si'), current_period_end: nowSeconds() + month }] },
        metadata: session['subscriptionMetadata'],
      }
      subscriptions.set(subscription['id'], subscription)
      Object.assign(session, {
        status: 'complete',
        payment_status: 'paid',
        customer: subscription['customer'],
        subscription: subscription['id'],
      })
      return { session, subscription }
    },
  }
}

export function eventOf(type: string, object: StripeObject, id = name('evt')): StripeObject {
  return {
    id,
    object: 'event',
    api_version: '2026-10-28.endive',
    created: nowSeconds(),
    type,
    data: { object: structuredClone(object) },
    livemode: false,
    pending_webhooks: 1,
  }
}

export const failedInvoice = (subscription: StripeObject): StripeObject => ({
  id: name('in'),
  object: 'invoice',
  parent: {
    type: 'subscription_details',
    subscription_details: { subscription: subscription['id'], metadata: subscription['metadata'] },
  },
})

/** Delivers an event as Stripe does, signed by its library. */
export async function deliver(
  url: string,
  event: StripeObject,
  { secret = stripeKeys.webhookSecret, timestamp = nowSeconds(), sent = JSON.stringify(event) } = {},
): Promise<{ status: number; body: StripeObject }> {
  const payload = JSON.stringify(event)
  const signature = new Stripe(stripeKeys.secretKey).webhooks.generateTestHeaderString({
    payload,
    secret,
    timestamp,
  })
  const response = await fetch(`${url}/api/webhooks/stripe`, {
    method: 'POST',
    headers: { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature },
    body: sent,
  })
  return { status: response.status, body: (await response.json()) as StripeObject }
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += chunk
  return text
}

function send(response: ServerResponse, status: number, body: StripeObject) {
  const { subscriptionMetadata: _ours, ...shown } = body
  response
    .writeHead(status, { 'content-type': 'application/json', 'request-id': name('req') })
    .end(JSON.stringify(shown))
}

const problem = (type: string, message: string, code?: string) => ({
  error: { type, message, ...(code && { code }) },
})

const missing = (kind: string, id: string | undefined) => ({
  status: 404,
  body: problem('invalid_request_error', `No such ${kind}: '${id}'`, 'resource_missing'),
})

function metadataIn(fields: Fields, prefix: string): Fields {
  const entries = Object.entries(fields).flatMap(([key, value]) =>
    key.startsWith(`${prefix}[`) ? [[key.slice(prefix.length + 1, -1), value]] : [],
  )
  return Object.fromEntries(entries)
}
