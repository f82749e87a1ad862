// Counts what a batch did in each of its projects, for batch.ts, which stores the numbers, and outcomes.ts, which reads them.
import type { Applied } from './changing-copies.ts'
import type { PlannedProject } from './planning.ts'
import type { Skips } from './skips.ts'

/** How many cards, in all boards of a project. */
export interface Received {
  added: number
  updated: number
  moved: number
  kept: number
  used: number
  overtaken: number
  removed: number
  skipped: number
  kept_fields: Record<string, number>
  skips: Skips
}

const nothing = (): Received => ({
  ...{ added: 0, updated: 0, moved: 0, removed: 0, kept: 0, used: 0, overtaken: 0, skipped: 0 },
  ...{ kept_fields: {}, skips: {} },
})

export function receivedIn({ changes, leftOut }: Applied): Record<string, Received> {
  const received: Record<string, Received> = {}
  const sumsOf = (id: number) => {
    received[id] ??= nothing()
    return received[id]
  }
  for (const change of changes) {
    const sums = sumsOf(change.project_id)
    if ('card_id' in change) sums.removed++
    else {
      sums.added += change.added.length + change.returned.length
      sums.removed += change.removed.length
      sums.updated += change.updated.filter(({ fields }) => fields.length > 0).length
      sums.moved += change.updated.filter(({ is_moved }) => is_moved).length
    }
  }
  for (const { project_id, kept, skips } of leftOut) {
    const sums = sumsOf(project_id)
    sums.kept = kept.length
    for (const field of kept.flatMap((card) => card.kept))
      sums.kept_fields[field] = (sums.kept_fields[field] ?? 0) + 1
    sums.skips = skips ?? {}
    sums.skipped = Object.values(sums.skips).reduce((sum, count) => sum + count, 0)
  }
  return received
}

/** What is kept is known from the plan, also of cards that only kept something; a project that differs has a new one. */
export function withKept(received: Record<string, Received>, differing: ReadonlyMap<number, PlannedProject>) {
  for (const [id, { kept, used, overtaken, skipped, kept_fields = {}, skips = {} }] of differing)
    received[id] = { ...nothing(), ...received[id], kept, used, overtaken, skipped, kept_fields, skips }
  return received
}

/** Leaves out what outcomes.ts takes for nothing anyway. */
export const unlessNothing = (key: string, value: unknown) =>
  value === 0 || (key !== '' && isEmpty(value)) ? undefined : value

const isEmpty = (value: unknown) =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0
