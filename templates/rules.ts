// Which fields a copy takes from its master and which it keeps. The SQL of apply.ts does the same for many projects at once; the
// model test compares the two.

/** The fields that are merged; status, owner, due date, tag and comments always belong to the project. */
export const cardFields = [
  'title',
  'description',
  'short_description',
  'priority',
  'evaluation_check',
  'needs_confirmation',
  'tour_key',
  'unique_identifier',
] as const
export const groupFields = ['title', 'description', 'type', 'color', 'icon', 'is_collapsed'] as const
export const boardFields = ['title', 'description', 'icon', 'color'] as const

export type CardField = (typeof cardFields)[number]

type Value = string | boolean | null

export type Fields<Name extends string> = Readonly<Record<Name, Value>>

/** Three-way merge: a field that the project changed since the revision it last received stays, all others follow the master. */
export function merged<Name extends string>(
  names: readonly Name[],
  { base, next, copy }: Record<'base' | 'next' | 'copy', Fields<Name>>,
): Fields<Name> {
  const entries = names.map((name) => [name, copy[name] === base[name] ? next[name] : copy[name]])
  return Object.fromEntries(entries)
}

/** The fields that the project customized. */
export const changedFields = <Name extends string>(
  names: readonly Name[],
  base: Fields<Name>,
  copy: Fields<Name>,
): Name[] => names.filter((name) => copy[name] !== base[name])

interface Position {
  groupId: number
  rank: number
}

/**
 * A card follows its master's moves, unless the project moved it or deleted the target group (`target` is that group in the
 * project).
 */
export function mergedPosition({
  base,
  next,
  copy,
  isMoved,
  target,
}: {
  base: Position
  next: Position
  copy: Position
  isMoved: boolean
  target: number | undefined
}): Position {
  const hasMasterMoved = base.groupId !== next.groupId || base.rank !== next.rank
  if (!hasMasterMoved || isMoved || target === undefined) return copy
  return { groupId: target, rank: next.rank }
}
