// What may be a tag, told by patterns alone: the service spares most texts the parser by it, the web app sends only what these
// let through as plain text.
import { active, booleanAttributes, known } from './elements.ts'

/** `a<b and c>d` is no tag: an attribute has a value, or is one of those that need none. */
export const attributes = (quoted: string) =>
  `(?:\\s+(?:[a-z_:@][\\w:.@-]*\\s*=\\s*(?:${quoted}|[^\\s"'=<>\`]+)|(?:${booleanAttributes.join('|')}|(?:aria|data)-[\\w-]+)(?=[\\s/>])))*`

const names = [...known].join('|')
/** A well-formed tag of a known element. No `<` in its values, so that a text full of beginnings is searched in linear time. */
export const tagSource = `</(?:${names})\\s*>|<(?:${names})${attributes(`"[^"<]*"|'[^'<]*'`)}\\s*/?>`
const someTag = new RegExp(tagSource, 'i')

export const holdsTag = (text: string) => someTag.test(text)

/** Looks back from each `=`: looking ahead from each `on` took 3 s for 65,000 characters of `/on`. */
const runningSource =
  `<(?:${[...active].join('|')})[\\s/>]` +
  `|=(?<=[\\s/"'](?:on[^\\s=>]+|[\\w:]*href|src\\w*|\\w*action|style|background|data|poster|ping)\\s*=)`
const someRunning = new RegExp(runningSource, 'i')

/** Finds every text that could run something, and some that could not; it spares all others the parser. */
export const mayRun = (text: string) => someRunning.test(text)
