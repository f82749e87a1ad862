// Reads descriptions for the service; long ones are read on a thread.
import { startThreads } from '#threads.ts'
// So that the service compiles it for its threads (cli/serve.ts).
import './description-worker.ts'
import { mayHoldTag, type Reading, readDescription } from './description.ts'

/** A shorter text with few tags takes 2 ms at most; 65,000 characters take 50 ms and more. */
const longestAtOnce = 1000
const mostTagsAtOnce = 20

const mayTakeLong = (given: string) =>
  mayHoldTag(given) &&
  (given.length > longestAtOnce || given.split('<', mostTagsAtOnce + 2).length > mostTagsAtOnce + 1)

/** How many are read at the same time. */
export const readingThreads = 3

export interface Reader {
  /** Waits for a turn if the text may take long. */
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
