// Reads descriptions for the service: what may take long is read on a thread of its own.
import { startThreads } from '#threads.ts'
import { mayHoldTag, type Reading, readDescription } from './description.ts'

/** A text of this length takes 2 ms at most, whatever is in it; of 65,000 characters 50 ms and more. */
const longestAtOnce = 1000

/** How many are read at the same time. */
export const readingThreads = 3

interface Reader {
  /** Waits for a turn where it may take long. */
  read(given: string, inTurn: (work: () => Promise<Reading>) => Promise<Reading>): Promise<Reading>
  close(): Promise<void>
}

export function startReader(): Reader {
  const threads = startThreads<string, Reading>(
    new URL('./description-worker.ts', import.meta.url),
    readingThreads,
  )
  return {
    read: async (given, inTurn) =>
      given.length > longestAtOnce && mayHoldTag(given)
        ? inTurn(() => threads.run(given))
        : readDescription(given),
    close: threads.close,
  }
}
