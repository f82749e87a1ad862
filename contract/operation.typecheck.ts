// Compiled, never run: each line below an @ts-expect-error must keep failing to compile.
import { operation } from '#api/operation.ts'
import { integer, record } from './schema.ts'

const declared = {
  path: '/v1/example',
  summary: 'An example',
  input: { id: integer() },
  success: 200,
  message: 'Done.',
  output: record({ id: integer() }),
} as const

operation({
  ...declared,
  audience: 'signed in',
  failures: [404],
  async handle({ input, fail }) {
    if (input.id === 1) throw fail(404, 'Not found.')
    // @ts-expect-error 403 is not declared
    if (input.id === 2) throw fail(403, 'No.')
    // @ts-expect-error a 404 has a sentence
    if (input.id === 3) throw fail(404, { id: ['No.'] })
    // @ts-expect-error the input has no such field
    return { id: input.name }
  },
})

operation({
  ...declared,
  audience: 'public',
  failures: [],
  // @ts-expect-error the result lacks what the output declares
  async handle({ caller }) {
    // @ts-expect-error a public operation has no caller
    caller.id
    return {}
  },
})

// @ts-expect-error an operation without audience
operation({ ...declared, failures: [], handle: async ({ input }) => ({ id: input.id }) })

operation({
  ...declared,
  // @ts-expect-error an audience that nobody has defined
  audience: 'everybody',
  failures: [],
  handle: async ({ input }) => ({ id: input.id }),
})

operation({
  ...declared,
  audience: 'signed in',
  failures: [404],
  async begin({ input, fail }) {
    // @ts-expect-error 403 is not declared
    if (input.id === 1) throw fail(403, 'No.')
    return { workId: input.id }
  },
  async handle({ begun }) {
    // @ts-expect-error what was begun has no such field
    begun.name
    return { id: begun.workId }
  },
})

operation({
  ...declared,
  audience: 'work',
  on: { card: 'id' },
  failures: [],
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
  failures: [],
  // @ts-expect-error the request's project cannot be missing
  async handle({ projectId }) {
    return projectId === 1 ? undefined : { id: projectId }
  },
})

operation({
  ...declared,
  audience: 'signed in',
  failures: [],
  // @ts-expect-error what acts on nothing is told of no project
  handle: async ({ projectId }) => ({ id: projectId }),
})

operation({
  ...declared,
  audience: 'work',
  // @ts-expect-error the input has no such field
  on: { card: 'card_id' },
  failures: [],
  handle: async ({ input }) => ({ id: input.id }),
})

operation({
  ...declared,
  audience: 'work',
  // @ts-expect-error nothing of this kind is known
  on: { robot: 'id' },
  failures: [],
  handle: async ({ input }) => ({ id: input.id }),
})

operation({
  ...declared,
  audience: 'work',
  on: { card: 'id' },
  failures: [],
  async begin({ projectId }) {
    return projectId === 1 ? undefined : { workId: projectId }
  },
  // @ts-expect-error where it acts is told to what begins alone
  async handle({ begun, projectId }) {
    return { id: begun.workId + projectId }
  },
})
