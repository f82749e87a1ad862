import { diffArrays } from 'diff'

/** Words, spaces and single signs; together they are the text. */
export const wordsOf = (text: string): string[] =>
  text.match(/\s+|[\p{L}\p{M}\p{N}]+|[^\s\p{L}\p{M}\p{N}]/gu) ?? []

/** Beyond so many changed words the texts have little in common, and finding it would take long. */
const mostChanges = 2000

/** For each word of both lists whether the other one lacks it. */
export function changedWords(before: readonly string[], after: readonly string[]): [boolean[], boolean[]] {
  const parts = diffArrays([...before], [...after], { maxEditLength: mostChanges })
  if (!parts) return [before.map(() => true), after.map(() => true)]
  const removed: boolean[] = []
  const added: boolean[] = []
  for (const part of parts) {
    const flags = (isChanged: boolean) => part.value.map(() => isChanged)
    if (!part.added) removed.push(...flags(part.removed))
    if (!part.removed) added.push(...flags(part.added))
  }
  return [removed, added]
}
