import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'

/** Asks the process for something; one question at a time. */
export type Ceiling<Question, Answer> = (question: Question) => Promise<Answer>

/** Starts bench/ceilings/<name>.ts as a process of its own, so that it shares no event loop with the load generator. */
export function startCeiling<Question extends object, Answer>(
  name: string,
  toUndo: AsyncDisposableStack,
): Ceiling<Question, Answer> {
  const child = fork(path.join(import.meta.dirname, 'ceilings', `${name}.ts`))
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
      exited.then(() => Promise.reject(new Error(`The ceiling ${name} has ended.`))),
    ])
    return first as Answer
  }
}

/** The other side, in the process of the ceiling. */
export function answerBench<Question, Answer>(answer: (question: Question) => Promise<Answer>) {
  process.on('message', async (question: Question) => process.send?.(await answer(question)))
  process.on('disconnect', () => process.exit())
}
