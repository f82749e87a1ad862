import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'

/** Asks the process for something; one question at a time. */
export type Ask<Question, Answer> = (question: Question) => Promise<Answer>

/** Starts bench/<name>.ts, a ceiling or an attacker, as a process that shares no event loop with the load generator. */
export function startProcess<Question extends object, Answer>(
  name: string,
  toUndo: AsyncDisposableStack,
): Ask<Question, Answer> {
  const child = fork(path.join(import.meta.dirname, `${name}.ts`))
  const exited = once(child, 'exit')
  toUndo.defer(async () => {
    child.kill()
    await exited
  })
  return async (question) => {
    const answer = once(child, 'message')
    child.send(question)
    const [first] = await Promise.race([
      answer,
      exited.then(() => Promise.reject(new Error(`${name} has ended.`))),
    ])
    return first as Answer
  }
}

/** The other side, in the process itself. */
export function answerBench<Question, Answer>(answer: (question: Question) => Promise<Answer>) {
  process.on('message', async (question: Question) => process.send?.(await answer(question)))
  process.on('disconnect', () => process.exit())
}
