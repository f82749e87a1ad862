import { registry } from '#api/registry.ts'
import { type Operation, statusesOf } from '#contract/operation.ts'

/** Declared statuses that no test sees, as `path status`; this list may only shrink. */
const exceptions: readonly string[] = []

/** What is declared but was not seen, in words, or undefined where all was. */
export function unseenStatuses(seen: Set<string>): string | undefined {
  const declared = (Object.values(registry) as unknown as Operation[]).flatMap((operation) =>
    statusesOf(operation).map((status) => `${operation.path} ${status}`),
  )
  const unseen = declared.filter((pair) => !seen.has(pair) && !exceptions.includes(pair))
  const needless = exceptions.filter((pair) => seen.has(pair) || !declared.includes(pair))
  const lines = [
    ...unseen.map((pair) => `not seen by any test: ${pair}`),
    ...needless.map((pair) => `no longer an exception: ${pair}`),
  ]
  return lines.length > 0 ? lines.join('\n') : undefined
}
