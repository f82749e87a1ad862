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
  /** The code that says why the action is refused in other states. */
  refusal: string
  event: string
}

/** Most actions can be repeated without effect. A rejection cannot, since its reason would be lost. */
export const transitions = {
  submit: {
    isAllowed: ({ approval_status: approval }) => approval !== 'approved',
    leadsTo: () => ({ approval_status: 'pending' }),
    refusal: 'version_approved',
    event: 'submitted',
  },
  approve: {
    isAllowed: ({ approval_status: approval }) => approval === 'pending' || approval === 'approved',
    leadsTo: () => ({ approval_status: 'approved' }),
    refusal: 'version_not_pending',
    event: 'approved',
  },
  reject: {
    isAllowed: ({ approval_status: approval }) => approval === 'pending',
    leadsTo: () => ({ approval_status: 'rejected' }),
    refusal: 'version_not_pending',
    event: 'rejected',
  },
  publish: {
    isAllowed: ({ theme_status: status, approval_status: approval }) =>
      approval === 'approved' && status !== 'deprecated',
    leadsTo: () => ({ theme_status: 'published' }),
    refusal: 'version_not_publishable',
    event: 'published',
  },
  deprecate: {
    isAllowed: ({ approval_status: approval }) => approval === 'approved',
    leadsTo: () => ({ theme_status: 'deprecated' }),
    refusal: 'version_not_approved',
    event: 'deprecated',
  },
  restore: {
    isAllowed: ({ approval_status: approval }) => approval === 'approved',
    leadsTo: ({ published_at: publishedAt }) => ({
      theme_status: publishedAt === null ? 'draft' : 'published',
    }),
    refusal: 'version_not_deprecated',
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
