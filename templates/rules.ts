// What a copy takes from its master and what it keeps. The SQL of apply.ts does the same for many projects at once; the model
// test holds the two against each other.

/** Merged field by field; status, owner, due date, tag and comments are the project's from the start. */
export const cardFields = [
  'title',
  'description',
  'short_description',
  'priority',
  'evaluation_check',
  'tour_key',
  'unique_identifier',
] as const
export const groupFields = ['title', 'description'] as const
export const boardFields = ['title', 'description', 'icon', 'color'] as const

export type CardField = (typeof cardFields)[number]

type Value = string | null

export type Fields<Name extends string> = Readonly<Record<Name, Value>>

/** Three-way: what the project changed since the revision it last received is its own, everything else is the master's. */
export function merged<Name extends string>(
  names: readonly Name[],
  { base, next, copy }: Record<'base' | 'next' | 'copy', Fields<Name>>,
): Fields<Name> {
  const entries = names.map((name) => [name, copy[name] === base[name] ? next[name] : copy[name]])
  return Object.fromEntries(entries)
}

/** The fields in which a copy differs from what it last received. */
export const changedFields = <Name extends string>(
  names: readonly Name[],
  base: Fields<Name>,
  copy: Fields<Name>,
): Name[] => names.filter((name) => copy[name] !== base[name])

interface Place {
  groupId: number
  rank: number
}

/**
 * A card goes where its master went, unless the project has moved it, or has deleted the group it would go to (`target` is that
 * group in the project).
 */
export function mergedPlace({
  base,
  next,
  copy,
  isMoved,
  target,
}: {
  base: Place
  next: Place
  copy: Place
  isMoved: boolean
  target: number | undefined
}): Place {
  const hasMasterMoved = base.groupId !== next.groupId || base.rank !== next.rank
  if (!hasMasterMoved || isMoved || target === undefined) return copy
  return { groupId: target, rank: next.rank }
}
