// The limits of projects and templates. The numbers are settings (config.ts); writers check them with room.ts.

export interface Quotas {
  cardsPerGroup: number
  cardsPerBoard: number
  groupsPerBoard: number
  commentsPerCard: number
  /** Counted as boards/get sends them, so this limits its response. */
  bytesPerBoard: number
  bytesPerProject: number
  boardsPerProject: number
  tagsPerProject: number
  /** Of a project for everyone, and of each person in it. */
  savedViews: number
  membersPerProject: number
  templates: number
}

export type Quota = keyof Quotas

/** Generous, but boards/get always stays below 32 MB: a board of 30 MB and tags of 1 MB. */
export const usualQuotas: Quotas = {
  cardsPerGroup: 10_000,
  cardsPerBoard: 20_000,
  groupsPerBoard: 500,
  commentsPerCard: 2000,
  bytesPerBoard: 30_000_000,
  bytesPerProject: 1_000_000_000,
  boardsPerProject: 200,
  tagsPerProject: 500,
  savedViews: 100,
  membersPerProject: 1000,
  templates: 1000,
}

const count = (most: number) => (locale: string) => most.toLocaleString(locale)
const units = [
  [1e9, 'GB'],
  [1e6, 'MB'],
  [1e3, 'KB'],
  [1, 'bytes'],
] as const

/** Formats a size in the largest unit that fits. */
const size = (most: number) => (locale: string) => {
  const [divisor, unit] = units.find(([least]) => most >= least) ?? [1, 'bytes']
  return `${(most / divisor).toLocaleString(locale, { maximumFractionDigits: 1 })} ${unit}`
}

/** What is said when a limit is reached; `:most` is the limit. */
export const quotaSentences: Record<Quota, string> = {
  cardsPerGroup: 'A group can hold at most :most cards. Move or delete some first, or use another group.',
  cardsPerBoard: 'A board can hold at most :most cards. Move or delete some first, or use another board.',
  groupsPerBoard: 'A board can have at most :most groups. Delete one first.',
  commentsPerCard: 'A card can have at most :most comments. Delete some first, or continue on another card.',
  bytesPerBoard:
    'A board can hold at most :most. Shorten descriptions or delete cards first, or use another board.',
  bytesPerProject: 'A project can hold at most :most. Delete boards, cards or comments first.',
  boardsPerProject: 'A project can have at most :most boards. Delete one first.',
  tagsPerProject: 'A project can have at most :most tags. Delete one first.',
  savedViews:
    'There can be at most :most saved views for the project, and as many for each person. Delete one first.',
  membersPerProject: 'A project can have at most :most members.',
  templates: 'There can be at most :most templates. Delete one first.',
}

const code = 'QUOTA'

/** Has the same code, message and detail as errors of the database's `refuse_growth`. */
class QuotaReached extends Error {
  readonly code = code
  readonly detail: string
  constructor(quota: Quota, most: number) {
    super(quota)
    this.detail = String(most)
  }
}

/** A limit that is reached, and its number. */
export interface ReachedQuota {
  quota: Quota
  most: number
}

/** The limit that an error is about; undefined for other errors. */
export function reachedQuota(error: unknown): ReachedQuota | undefined {
  const { code: given, message, detail } = error as Partial<QuotaReached>
  return given === code ? { quota: message as Quota, most: Number(detail) } : undefined
}

/** For a caller, in any language; `others` has sentences for somebody who is not in the project. */
export const quotaSentence = (
  { quota, most }: ReachedQuota,
  others: Partial<Record<Quota, string>> = {},
) => ({
  text: others[quota] ?? quotaSentences[quota],
  values: { most: (quota.startsWith('bytes') ? size : count)(most) },
})

/** Throws if something grew beyond a limit; what is already above it may stay or shrink. */
export function refuseGrowth(
  quotas: Quotas,
  quota: Quota,
  { before, after }: Record<'before' | 'after', number>,
) {
  if (after > before && after > quotas[quota]) throw new QuotaReached(quota, quotas[quota])
}
