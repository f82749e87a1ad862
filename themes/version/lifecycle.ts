// The lifecycle of a theme version, without a database: which action leads from which state to which.

export const themeStatuses = ['draft', 'published', 'deprecated'] as const
export const approvalStatuses = ['pending', 'approved', 'rejected'] as const

export interface State {
  theme_status: (typeof themeStatuses)[number]
  /** Null until it is submitted for review. */
  approval_status: (typeof approvalStatuses)[number] | null
  /** When it was first published; from then on all projects know it. */
  published_at: string | null
}

interface Transition {
  isAllowed(state: State): boolean
  leadsTo(state: State): Partial<State>
  /** Why the action is refused in other states. */
  refusal: string
  event: string
}

/** Most actions can be repeated without effect. A rejection cannot, since its reason would be lost. */
export const transitions = {
  submit: {
    isAllowed: ({ approval_status: approval }) => approval !== 'approved',
    leadsTo: () => ({ approval_status: 'pending' }),
    refusal: 'This version is approved already.',
    event: 'submitted',
  },
  approve: {
    isAllowed: ({ approval_status: approval }) => approval === 'pending' || approval === 'approved',
    leadsTo: () => ({ approval_status: 'approved' }),
    refusal: 'Only a version that waits for its review can be approved.',
    event: 'approved',
  },
  reject: {
    isAllowed: ({ approval_status: approval }) => approval === 'pending',
    leadsTo: () => ({ approval_status: 'rejected' }),
    refusal: 'Only a version that waits for its review can be rejected.',
    event: 'rejected',
  },
  publish: {
    isAllowed: ({ theme_status: status, approval_status: approval }) =>
      approval === 'approved' && status !== 'deprecated',
    leadsTo: () => ({ theme_status: 'published' }),
    refusal: 'Only an approved version that is not deprecated can be published.',
    event: 'published',
  },
  deprecate: {
    isAllowed: ({ approval_status: approval }) => approval === 'approved',
    leadsTo: () => ({ theme_status: 'deprecated' }),
    refusal: 'Only an approved version can be deprecated.',
    event: 'deprecated',
  },
  restore: {
    isAllowed: ({ approval_status: approval }) => approval === 'approved',
    leadsTo: ({ published_at: publishedAt }) => ({
      theme_status: publishedAt === null ? 'draft' : 'published',
    }),
    refusal: 'Only a deprecated version can be restored.',
    event: 'restored',
  },
} as const satisfies Record<string, Transition>

export type Action = keyof typeof transitions

/** The fields that the action changes, possibly none; undefined if it is refused. */
export function changesBy(action: Action, state: State): Partial<State> | undefined {
  const { isAllowed, leadsTo }: Transition = transitions[action]
  if (!isAllowed(state)) return undefined
  const target = Object.entries(leadsTo(state)) as [keyof State, string][]
  return Object.fromEntries(target.filter(([field, value]) => state[field] !== value))
}
