// Publishes each statement that is sent, for tracing.ts.
import { channel } from 'node:diagnostics_channel'
import type { Statement } from './replaceable-pool.ts'

export interface SentStatement {
  /** Without its values. */
  text: string
  /** Set by the subscriber. */
  ended?(error?: unknown): void
}

export const sentStatements = channel('database.statements')

/** Called when a statement is sent, in the context of its caller. */
export function tellOf(statement: Statement): void {
  if (!sentStatements.hasSubscribers) return
  const message: SentStatement = { text: statement.strings.join('?') }
  sentStatements.publish(message)
  let ended = message.ended
  if (!ended) return
  // A statement that is sent again ends twice.
  const end = (error?: unknown) => {
    ended?.(error)
    ended = undefined
  }
  const { resolve, reject } = statement
  statement.resolve = (result) => {
    end()
    resolve(result)
  }
  statement.reject = (error) => {
    end(error)
    reject(error)
  }
}
