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
      'Something that happened in a project. Ids ascend with time and are unique in their project. `board_id` is null for what concerns every board. `data` is what the schema named like the kind says; once the thing was purged only ids and counts are left of it, and `is_purged`. Activity lists leave out `cards`, and also show events from before 0.1.0, which may lack fields such as the position of a moved card; no stream sends those.',
  },
  ...Object.fromEntries(
    Object.entries(catalogue).map(([kind, { about, data }]) => [kind, { description: about, ...data }]),
  ),
}

const message = {
  description:
    'Messages of the type `changes` carry events, the first one none; `reset` asks to load everything anew; `beat` says that the stream is alive. The id of a message is where to resume from.',
  ...record({
    events: written({ type: 'array', items: { $ref: '#/components/schemas/Event' } }),
  }),
}

const refusal = (description: string, keys: Record<string, Schema>) => ({
  description,
  content: { 'application/json': { schema: record(keys) } },
})
const error = written({ type: 'boolean', const: true })
const sentence = { error, message: text() }

export const streamPaths = Object.fromEntries(
  (['v1', 'v2'] as const).map((version) => [
    streamPath.replace('/v1/', `/${version}/`),
    {
      get: {
        operationId: `operations.operations.events.stream${version === 'v1' ? '' : '.v2'}`,
        summary: 'The changes of a project as they happen, as server-sent events',
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
            name: 'Last-Event-ID',
            in: 'header',
            description: 'Where to resume from: the id of the last message that was read',
            schema: { type: 'string' },
          },
        ],
        responses: {
          200: { description: 'The stream.', content: { 'text/event-stream': { schema: message } } },
          400: refusal('Bad request: both a token and a cookie', { ...sentence, data: nothingSaid() }),
          401: refusal('Unauthenticated: missing or invalid token', sentence),
          403: refusal('Forbidden: insufficient permissions', sentence),
          422: refusal('Validation error', {
            message: text(),
            errors: written({
              type: 'object',
              additionalProperties: { type: 'array', items: { type: 'string' } },
            }),
          }),
          429: refusal('Rate limit exceeded, or 50 streams of the user are open', sentence),
          500: refusal('Internal server error', { ...sentence, data: nothingSaid() }),
        },
      },
    },
  ]),
)

function nothingSaid() {
  return written({ type: 'array', maxItems: 0, items: {} })
}
