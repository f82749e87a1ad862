// Reads descriptions for the service: what may take long is read on a thread of its own.
import { startThreads } from '#threads.ts'
import { mayHoldTag, type Reading, readDescription } from './description.ts'

/** What is shorter and has fewer tags takes 2 ms at most; 65,000 characters take 50 ms and more. */
const longestAtOnce = 1000
const mostTagsAtOnce = 20

const mayTakeLong = (given: string) =>
  mayHoldTag(given) &&
  (given.length > longestAtOnce || given.split('<', mostTagsAtOnce + 2).length > mostTagsAtOnce + 1)

/** How many are read at the same time. */
export const readingThreads = 3

export interface Reader {
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
      mayTakeLong(given) ? inTurn(() => threads.run(given)) : readDescription(given),
    close: threads.close,
  }
}
