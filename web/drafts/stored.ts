// The drafts in this browser's storage, for pages that have none themselves.

export const prefix = 'draft:'

/** Storage may be full or disabled; a draft then lives as long as its field. */
export function attempt<Result>(work: () => Result): Result | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}

export const keys = () => Object.keys(localStorage).filter((key) => key.startsWith(prefix))

/** How many unsaved drafts the person has. */
export const countDrafts = (): number => attempt(() => keys().length) ?? 0
