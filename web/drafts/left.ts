// The person's drafts on things that were deleted.
import { type Kept, keyOf, read } from './drafts.ts'
import { attempt, keys } from './stored.ts'

export interface LeftDraft extends Kept {
  place: string
}

/** The person's drafts on a thing, newest first. */
export function draftsWithin(userId: number, scope: string): LeftDraft[] {
  const own = keyOf(userId, '')
  return (attempt(keys) ?? [])
    .filter((key) => key.startsWith(own))
    .flatMap((key) => {
      const kept = read(key)
      const place = key.slice(own.length).replace(/ #.*/, '')
      return kept?.within?.includes(scope) ? [{ ...kept, place }] : []
    })
    .sort((a, b) => b.at - a.at)
}

/** Returns a function that puts them back. */
export function removeDrafts(drafts: readonly LeftDraft[]): () => void {
  const removed = drafts.map(({ key }) => [key, localStorage.getItem(key)] as const)
  for (const [key] of removed) localStorage.removeItem(key)
  return () => {
    for (const [key, value] of removed) if (value !== null) localStorage.setItem(key, value)
  }
}
