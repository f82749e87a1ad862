import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'

/** Asks on a terminal without echo; without a terminal it reads one line, for scripts. */
export async function askPassword(question: string): Promise<string> {
  const isTerminal = process.stdin.isTTY === true
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: isTerminal })
  lines.on('SIGINT', () => process.exit(130))
  // After echo is off, because some people begin to type at once.
  if (isTerminal) process.stderr.write(question)
  try {
    for await (const line of lines) return line
    return ''
  } finally {
    lines.close()
    if (isTerminal) process.stderr.write('\n')
  }
}
