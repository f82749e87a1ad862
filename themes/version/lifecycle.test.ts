import assert from 'node:assert/strict'
import test from 'node:test'
import { type Action, changesBy, type State, transitions } from './lifecycle.ts'

const once = '2026-01-31T08:00:00.000Z'

const states = {
  draft: { theme_status: 'draft', approval_status: null, published_at: null },
  pending: { theme_status: 'draft', approval_status: 'pending', published_at: null },
  rejected: { theme_status: 'draft', approval_status: 'rejected', published_at: null },
  approved: { theme_status: 'draft', approval_status: 'approved', published_at: null },
  published: { theme_status: 'published', approval_status: 'approved', published_at: once },
  deprecated: { theme_status: 'deprecated', approval_status: 'approved', published_at: once },
  'deprecated unpublished': { theme_status: 'deprecated', approval_status: 'approved', published_at: null },
} as const satisfies Record<string, State>

type Name = keyof typeof states

/** The next state for each action and state; all others are refused. */
const life: Record<Action, Partial<Record<Name, Name>>> = {
  submit: { draft: 'pending', pending: 'pending', rejected: 'pending' },
  approve: {
    pending: 'approved',
    approved: 'approved',
    published: 'published',
    deprecated: 'deprecated',
    'deprecated unpublished': 'deprecated unpublished',
  },
  reject: { pending: 'rejected' },
  publish: { approved: 'published', published: 'published' },
  deprecate: {
    approved: 'deprecated unpublished',
    published: 'deprecated',
    deprecated: 'deprecated',
    'deprecated unpublished': 'deprecated unpublished',
  },
  restore: {
    approved: 'approved',
    published: 'published',
    deprecated: 'published',
    'deprecated unpublished': 'approved',
  },
}

/** The fields that differ between two states, without the time of publishing. */
function difference(from: State, to: State): Partial<State> {
  const fields = ['theme_status', 'approval_status'] as const
  return Object.fromEntries(
    fields.filter((field) => from[field] !== to[field]).map((field) => [field, to[field]]),
  )
}

for (const action of Object.keys(transitions) as Action[])
  for (const name of Object.keys(states) as Name[]) {
    const target = life[action][name]
    test(`${action} of what is ${name}: ${target ?? 'refused'}`, () => {
      const expected = target && difference(states[name], states[target])
      assert.deepEqual(changesBy(action, states[name]), expected)
    })
  }
