// The event stream and every kind of event in the OpenAPI document; used by tools/generate-docs.ts.
import { integer, nullable, record, type Schema, text, timestamp, written } from '#contract/schema.ts'
import { catalogue } from './catalogue.ts'

export const streamPath = '/services/operations/v1/operations/events/stream'
export const streamTag = 'operations/operations/events'

/** `Event` and the payload of each kind, by name. */
export const eventSchemas: Record<string, object> = {
  Event: {
    ...record({
      id: integer(),
      board_id: nullable(integer()),
      card_id: nullable(integer()),
      actor_id: nullable(integer()),
      kind: written({ type: 'string', enum: Object.keys(catalogue) }),
      data: written({
        type: 'object',
        anyOf: [
          ...Object.keys(catalogue).map((kind) => ({ $ref: `#/components/schemas/${kind}` })),
          {
            type: 'object',
            properties: { is_purged: { type: 'boolean', const: true } },
            required: ['is_purged'],
          },
        ],
      }),
      created_at: timestamp(),
    }),
    description:
      'Something that happened in a project. Ids ascend with time and are unique in their project. `board_id` is null for events about all boards. `data` has the schema with the name of the kind. Once the thing is purged, only ids, counts and `is_purged` are left. Activity lists leave out `cards`. They also show events from before 0.1.0, which may lack fields such as the position of a moved card; streams do not send those.',
  },
  ...Object.fromEntries(
    Object.entries(catalogue).map(([kind, { about, data }]) => [kind, { description: about, ...data }]),
  ),
}

const message = {
  description:
    'Messages of the type `changes` carry events; the first one is empty. `reset` asks to load everything again. `inbox` says that the inbox of the caller has changed, and `other_inbox` that the one in another project has (`project_id`). `presence` tells who has which board open (`people`). `beat` shows that the stream is alive. To resume, send the id of the last message as `Last-Event-ID`.',
  ...record({
    events: written({ type: 'array', items: { $ref: '#/components/schemas/Event' } }),
  }),
}

/** The codes of the stream's refusals; tests compare every answer with them. */
export const streamCodes = {
  400: ['host_not_allowed', 'two_credentials'],
  401: [
    ...['unauthenticated', 'session_expired', 'session_idle', 'session_revoked', 'session_replaced'],
    ...['session_password_changed', 'session_second_factor_changed', 'session_limit_reached'],
    'session_account_disabled',
  ],
  403: ['forbidden', 'no_project', 'second_factor_setup_required'],
  422: ['x_project_id_not_an_integer'],
  429: ['rate_limited', 'answers_unread', 'server_busy', 'too_many_streams'],
  500: ['server_error'],
}

/** The sentences of the codes that no operation has. */
const ownCodes: Record<string, object> = {
  429: { too_many_streams: 'You or your project have too many event streams open. Close one of them.' },
}

/** v2 has the code in the body too. */
const refusals = (version: 'v1' | 'v2') =>
  Object.fromEntries(
    Object.entries(bodies).map(([status, { description, keys }]) => {
      const schema = { type: 'string', enum: streamCodes[Number(status) as keyof typeof streamCodes] }
      const code = version === 'v2' && { code: written(schema) }
      const ofField = version === 'v2' && status === '422' && { codes: byField }
      return [
        status,
        {
          description,
          ...(ownCodes[status] && { 'x-codes': ownCodes[status] }),
          headers: { 'X-Error-Code': { description: 'Says why it was refused', schema } },
          content: { 'application/json': { schema: record({ ...keys, ...code, ...ofField }) } },
        },
      ]
    }),
  )

const byField = written({
  type: 'object',
  additionalProperties: { type: 'array', items: { type: 'string' } },
})
const error = written({ type: 'boolean', const: true })
const sentence = { error, message: text() }
const data = written({ type: 'array', maxItems: 0, items: {} })

const bodies: Record<keyof typeof streamCodes, { description: string; keys: Record<string, Schema> }> = {
  400: {
    description: 'Bad request: another host name, or both a token and a cookie',
    keys: { ...sentence, data },
  },
  401: { description: 'Unauthenticated: missing or invalid token', keys: sentence },
  403: { description: 'Forbidden: insufficient permissions', keys: sentence },
  422: { description: 'Validation error', keys: { message: text(), errors: byField } },
  429: {
    description:
      'Rate limit exceeded, the service is busy, or too many streams of the user or the project are open',
    keys: sentence,
  },
  500: { description: 'Internal server error', keys: { ...sentence, data } },
}

export const streamPaths = Object.fromEntries(
  (['v1', 'v2'] as const).map((version) => [
    streamPath.replace('/v1/', `/${version}/`),
    {
      get: {
        operationId: `operations.operations.events.stream${version === 'v1' ? '' : '.v2'}`,
        summary: 'The changes of a project as they happen, as server-sent events',
        description:
          'Sends the changes of a project until the client hangs up. Who may call: everyone who may read the project.',
        tags: [streamTag],
        'x-audience': 'read',
        parameters: [
          {
            name: 'project_id',
            in: 'query',
            description: 'The project, where no X-Project-Id header names it; else the default project',
            schema: { type: 'integer' },
          },
          {
            name: 'stream_id',
            in: 'query',
            description:
              'A random name for this stream, under which presence/show shows others what its window has open',
            schema: { type: 'string', maxLength: 64 },
          },
          {
            name: 'Last-Event-ID',
            in: 'header',
            description: 'Where to resume from: the id of the last message that was read',
            schema: { type: 'string' },
          },
        ],
        responses: {
          200: { description: 'The stream.', content: { 'text/event-stream': { schema: message } } },
          ...refusals(version),
        },
      },
    },
  ]),
)
