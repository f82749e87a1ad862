// Runs commands of the command line in the process of a test; the program itself starts twice as root, which takes ten times as long.
import { Readable } from 'node:stream'
import { printable, sentenceFor } from '../cli/failure-sentence.ts'
import { program } from '../cli/program.ts'
import type { Environment } from './process.ts'

/** `serve` listens for them to the end of its process. */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Like `run` of process.ts, one at a time. Arguments that are no command end the process; `serve` has to be refused. */
export async function runHere(args: string[], environment: Environment, input = '') {
  const outcome = { code: 0, stdout: '', stderr: '' }
  const original = { env: process.env, stdin: process.stdin, log: console.log, error: console.error }
  const listeners = signals.map((signal) => process.listeners(signal))
  const use = ({ env, stdin, log, error }: Omit<typeof original, 'stdin'> & { stdin: Readable }) => {
    process.env = env
    Object.defineProperty(process, 'stdin', { value: stdin, configurable: true })
    Object.assign(console, { log, error })
  }
  use({
    env: {
      CARDINAL_SECRET_KEY: Buffer.alloc(32).toString('base64'),
      CARDINAL_LOG_LEVEL: 'silent',
      ...environment,
    },
    stdin: Readable.from([input]),
    log: (line: string) => {
      outcome.stdout += `${line}\n`
    },
    error: (line: string) => {
      outcome.stderr += `${line}\n`
    },
  })
  try {
    await program.parseAsync(args, { from: 'user' })
  } catch (error) {
    outcome.code = 1
    outcome.stderr += `${printable(await sentenceFor(error))}\n`
  } finally {
    use(original)
    for (const [index, signal] of signals.entries())
      for (const added of process.listeners(signal).filter((one) => !listeners[index]?.includes(one)))
        process.off(signal, added)
  }
  return outcome
}
