interface Waiting<Question, Answer> {
  question: Question
  resolve(answer: Answer): void
  reject(error: unknown): void
}

/** While this many statements run, questions that come gather for the next one. */
const mostRunning = 2
const mostAtOnce = 100

/**
 * Turns single questions into questions that are asked together: all that come in one turn of the event loop, and, while
 * the database is busy with earlier ones, all that come until it is done. Each is asked after it came, never before.
 */
export function gather<Question, Answer>(askAll: (questions: Question[]) => Promise<Answer[]>) {
  const waiting: Waiting<Question, Answer>[] = []
  let running = 0
  let isScheduled = false

  function schedule() {
    if (isScheduled || running >= mostRunning || waiting.length === 0) return
    isScheduled = true
    setImmediate(ask)
  }

  async function ask() {
    isScheduled = false
    const asked = waiting.splice(0, mostAtOnce)
    running++
    try {
      const answers = await askAll(asked.map(({ question }) => question))
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

  return (question: Question) =>
    new Promise<Answer>((resolve, reject) => {
      waiting.push({ question, resolve, reject })
      schedule()
    })
}
