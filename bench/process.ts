import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'

/** Sends a request to the process; one at a time. */
export type Ask<Request, Answer> = (request: Request) => Promise<Answer>

/** Starts bench/<name>.ts, a ceiling or an attacker, as a process that shares no event loop with the load generator. */
export function startProcess<Request extends object, Answer>(
  name: string,
  toUndo: AsyncDisposableStack,
): Ask<Request, Answer> {
  const child = fork(path.join(import.meta.dirname, `${name}.ts`))
  const exited = once(child, 'exit')
  toUndo.defer(async () => {
    child.kill()
    await exited
  })
  return async (request) => {
    const answer = once(child, 'message')
    child.send(request)
    const [first] = await Promise.race([
      answer,
      exited.then(() => Promise.reject(new Error(`${name} has ended.`))),
    ])
    return first as Answer
  }
}

/** Answers requests, in the process itself. */
export function answerBench<Request, Answer>(answer: (request: Request) => Promise<Answer>) {
  process.on('message', async (request: Request) => process.send?.(await answer(request)))
  process.on('disconnect', () => process.exit())
}
