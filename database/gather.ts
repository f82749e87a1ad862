interface Waiting<Lookup, Answer> {
  lookup: Lookup
  resolve(answer: Answer): void
  reject(error: unknown): void
}

/** While this many statements run, new lookups wait for the next one. */
const maxRunning = 2
const mostAtOnce = 100

/**
 * Combines single lookups into one statement: all that arrive in one turn of the event loop, and, while the database is busy with
 * earlier ones, all that arrive until it is done. Each statement begins after its lookups arrived.
 */
export function gather<Lookup, Answer>(askAll: (lookups: Lookup[]) => Promise<Answer[]>) {
  const waiting: Waiting<Lookup, Answer>[] = []
  let running = 0
  let isScheduled = false

  function schedule() {
    if (isScheduled || running >= maxRunning || waiting.length === 0) return
    isScheduled = true
    setImmediate(ask)
  }

  async function ask() {
    isScheduled = false
    const asked = waiting.splice(0, mostAtOnce)
    running++
    try {
      const answers = await askAll(asked.map(({ lookup }) => lookup))
      asked.forEach(({ resolve }, index) => {
        resolve(answers[index] as Answer)
      })
    } catch (error) {
      for (const { reject } of asked) reject(error)
    } finally {
      running--
      schedule()
    }
  }

  return (lookup: Lookup) =>
    new Promise<Answer>((resolve, reject) => {
      waiting.push({ lookup, resolve, reject })
      schedule()
    })
}
