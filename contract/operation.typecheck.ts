// Compiled, never run: each line below an @ts-expect-error must keep failing to compile.
import { operation } from '#api/operation.ts'
import type { Fail } from './failure.ts'
import { integer, record } from './schema.ts'

const declared = {
  path: '/v1/example',
  summary: 'An example',
  input: { id: integer() },
  success: 200,
  message: 'Done.',
  output: record({ id: integer() }),
} as const

declare function needsLess(
  fail: Fail<{ 404: { example_not_found: string }; 422: { id: { taken: string } } }>,
): void
declare function needsMore(fail: Fail<{ 400: { example_closed: string } }>): void

operation({
  ...declared,
  audience: 'signed in',
  failures: {
    404: { example_not_found: 'There is no example with this id.' },
    422: {
      id: { taken: 'The :attribute has already been taken.' },
      'groups.*.id': { taken: 'It is taken.' },
    },
    429: { too_fast: 'Too fast.' },
  },
  async handle({ input, fail }) {
    if (input.id === 1) throw fail(404, 'example_not_found')
    if (input.id === 2)
      throw fail(422, { id: 'taken', 'groups.3.id': ['taken', { text: 'Group 3 is taken.' }] })
    if (input.id === 3) throw fail(429, 'too_fast', 5)
    // @ts-expect-error 403 is not declared
    if (input.id === 4) throw fail(403, 'example_not_found')
    // @ts-expect-error the code is not declared
    if (input.id === 5) throw fail(404, 'card_not_found')
    // @ts-expect-error the code belongs to another status
    if (input.id === 6) throw fail(404, 'too_fast')
    // @ts-expect-error the code is not declared for the field
    if (input.id === 7) throw fail(422, { id: 'too_long' })
    // @ts-expect-error nothing is declared for the field
    if (input.id === 8) throw fail(422, { name: 'taken' })
    // @ts-expect-error a 429 says how many seconds to wait
    if (input.id === 9) throw fail(429, 'too_fast')
    needsLess(fail)
    // @ts-expect-error its caller cannot fail like this
    needsMore(fail)
    // @ts-expect-error the input has no such field
    return { id: input.name }
  },
})

operation({
  ...declared,
  audience: 'public',
  failures: {},
  // @ts-expect-error the result lacks what the output declares
  async handle({ caller }) {
    // @ts-expect-error a public operation has no caller
    caller.id
    return {}
  },
})

// @ts-expect-error an operation without audience
operation({ ...declared, failures: {}, handle: async ({ input }) => ({ id: input.id }) })

operation({
  ...declared,
  // @ts-expect-error an audience that is not defined
  audience: 'everybody',
  failures: {},
  handle: async ({ input }) => ({ id: input.id }),
})

operation({
  ...declared,
  audience: 'signed in',
  failures: { 404: { example_not_found: 'There is no example with this id.' } },
  async begin({ input, fail }) {
    // @ts-expect-error 403 is not declared
    if (input.id === 1) throw fail(403, 'example_not_found')
    return { workId: input.id }
  },
  async handle({ begun }) {
    // @ts-expect-error the result of `begin` has no such field
    begun.name
    return { id: begun.workId }
  },
})

operation({
  ...declared,
  audience: 'work',
  on: { card: 'id' },
  failures: {},
  async handle({ projectId, role }) {
    // @ts-expect-error a role is no number
    role satisfies number
    return projectId === 1 ? undefined : { id: projectId }
  },
})

operation({
  ...declared,
  audience: 'work',
  on: 'project',
  failures: {},
  // @ts-expect-error the request's project cannot be missing
  async handle({ projectId }) {
    return projectId === 1 ? undefined : { id: projectId }
  },
})

operation({
  ...declared,
  audience: 'signed in',
  failures: {},
  // @ts-expect-error an operation that acts on nothing receives no scope
  handle: async ({ projectId }) => ({ id: projectId }),
})

operation({
  ...declared,
  audience: 'work',
  // @ts-expect-error the input has no such field
  on: { card: 'card_id' },
  failures: {},
  handle: async ({ input }) => ({ id: input.id }),
})

operation({
  ...declared,
  audience: 'work',
  // @ts-expect-error there is no such kind
  on: { robot: 'id' },
  failures: {},
  handle: async ({ input }) => ({ id: input.id }),
})

operation({
  ...declared,
  audience: 'work',
  on: { card: 'id' },
  failures: {},
  async begin({ projectId }) {
    return projectId === 1 ? undefined : { workId: projectId }
  },
  // @ts-expect-error only `begin` receives the scope
  async handle({ begun, projectId }) {
    return { id: begun.workId + projectId }
  },
})
