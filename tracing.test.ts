import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import test from 'node:test'
import { createBoard } from '#tests/board.ts'
import { until } from '#tests/event-stream.ts'
import { startTestService } from '#tests/service.ts'

interface Span {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: { key: string; value: { stringValue?: string; intValue?: string } }[]
  status?: { code: number }
}

interface Sent {
  resourceSpans: {
    resource: { attributes: Span['attributes'] }
    scopeSpans: { scope: { name: string }; spans: Span[] }[]
  }[]
}

const attribute = ({ attributes }: Pick<Span, 'attributes'>, name: string) => {
  const found = attributes.find(({ key }) => key === name)?.value
  return found?.stringValue ?? found?.intValue
}

test('requests and jobs become traces with their statements, without values, in a trace of a trusted proxy', async (t) => {
  const sent: Sent[] = []
  const keys = new Set<unknown>()
  const collector = createServer(async (request, response) => {
    assert.deepEqual([request.method, request.url], ['POST', '/v1/traces'])
    keys.add(request.headers['x-api-key'])
    sent.push((await json(request)) as Sent)
    response.end('{}')
  }).listen(0, '127.0.0.1')
  t.after(() => collector.close())
  await once(collector, 'listening')
  const { port } = collector.address() as { port: number }
  const tracing = {
    url: `http://127.0.0.1:${port}/v1/traces`,
    headers: { 'x-api-key': 'a key' },
    serviceName: 'boards',
    share: 1,
  }
  const service = await startTestService({ tracing, trustedProxies: ['127.0.0.1'] })
  const fixture = await createBoard(service)
  const path = '/services/operations/v1/operations/cards/create'
  const title = 'A secret title'
  const call = async (headers: Record<string, string>) => {
    const response = await service.fetch(path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${fixture.members.member.token}`,
        'content-type': 'application/json',
        ...headers,
      },
      body: JSON.stringify({ group_id: fixture.groupIds[0], title }),
    })
    return response.headers.get('x-request-id')
  }
  const traceId = '0af7651916cd43dd8448eb211c80319c'
  const parent = `00-${traceId}-b7ad6b7169203331`
  const throughProxy = { 'x-forwarded-for': '203.0.113.1' }
  const requestId = await call({ ...throughProxy, traceparent: `${parent}-01` })
  const forged = await call({ traceparent: `${parent}-01` })
  const notDrawn = await call({ ...throughProxy, traceparent: `${parent}-00` })

  const spans = () =>
    sent.flatMap(({ resourceSpans }) =>
      resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)),
    )
  const byRequest = (id: string | null) =>
    spans().find((span) => attribute(span, 'cardinal.request_id') === id)
  await until(
    () => byRequest(forged) !== undefined && spans().some(({ name }) => name === 'job sendMails'),
    'the spans',
  )
  assert.deepEqual([...keys], ['a key'])
  const [resource] = sent[0]?.resourceSpans ?? []
  assert.equal(attribute(resource?.resource as Span, 'service.name'), 'boards')
  const span = byRequest(requestId) as Span
  assert.deepEqual(
    [span.traceId, span.parentSpanId, span.name, span.kind, attribute(span, 'http.response.status_code')],
    [traceId, 'b7ad6b7169203331', `POST /api${path}`, 2, '201'],
  )
  assert.notEqual(byRequest(forged)?.traceId, traceId)
  assert.equal(byRequest(notDrawn), undefined)
  const statements = spans().filter(({ parentSpanId }) => parentSpanId === span.spanId)
  assert.ok(statements.some((one) => /from create_card\(/.test(attribute(one, 'db.query.text') ?? '')))
  for (const one of [span, ...statements]) {
    assert.ok(BigInt(one.startTimeUnixNano) <= BigInt(one.endTimeUnixNano))
    assert.match(one.spanId, /^[0-9a-f]{16}$/)
  }
  assert.ok(!JSON.stringify(sent).includes(title))
})
