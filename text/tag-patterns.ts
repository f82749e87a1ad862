// Patterns for possible tags. The service skips the parser for texts without a match, and the web app sends only such texts as
// plain text.
import { active, booleanAttributes, known } from './elements.ts'

/** `a<b and c>d` is no tag, because an attribute has a value or is a known boolean one. */
export const attributes = (quoted: string) =>
  `(?:\\s+(?:[a-z_:@][\\w:.@-]*\\s*=\\s*(?:${quoted}|[^\\s"'=<>\`]+)|(?:${booleanAttributes.join('|')}|(?:aria|data)-[\\w-]+)(?=[\\s/>])))*`

const names = [...known].join('|')
/** A well-formed tag of a known element. Values contain no `<`, so that a text full of tag starts is searched in linear time. */
export const tagSource = `</(?:${names})\\s*>|<(?:${names})${attributes(`"[^"<]*"|'[^'<]*'`)}\\s*/?>`
const someTag = new RegExp(tagSource, 'i')

export const holdsTag = (text: string) => someTag.test(text)

/** Looks back from each `=`: looking ahead from each `on` took 3 s for 65,000 characters of `/on`. */
const runningSource =
  `<(?:${[...active].join('|')})(?:[\\s/>]|$)` +
  `|=(?<=[\\s/"'](?:on[^\\s=>]+|[\\w:]*href|src\\w*|\\w*action|style|background|data|poster|ping)\\s*=)`
const someRunning = new RegExp(runningSource, 'i')

/** Matches every text that could run something, and some that could not; all others skip the parser. */
export const mayRun = (text: string) => someRunning.test(text)
