// Judges how hard a new password is to guess, in the service and in the browser. Each brings the estimator with its lists of common
// and leaked passwords, because those are large and loaded only when somebody chooses a password.

/** In characters. */
export const shortestPassword = 12

/** Whose password it is: their own words are guessed first. */
export interface Person {
  email: string
  name: string
  projectName?: string | null
}

/** From 0, guessed at once, to 4; below `leastStrength` a password is refused. */
export type Strength = 0 | 1 | 2 | 3 | 4
export const leastStrength = 3

/** Estimates the strength with lists of passwords and the person's words. */
export type Estimate = (password: string, words: string[]) => Strength

export const strengthOf = (estimate: Estimate, password: string, person: Person): Strength =>
  isEasyToGuess(password, person) ? 0 : estimate(judged(password), wordsOf(person).map(judged))

/** The part that is judged; the whole of a long text made to be slow took seconds. */
const judged = (text: string) => text.slice(0, 64)

const commonWords = ['password', 'cardinal']

/** A password with fewer distinct characters, not counting well-known parts, is guessed quickly. */
const leastCharacters = 6

const wordsOf = ({ email, name, projectName }: Person): string[] =>
  [email, ...email.split(/[@.+_-]/), name, ...`${name} ${projectName ?? ''}`.split(/\s+/), ...commonWords]
    .map((word) => word.toLowerCase())
    .filter((word) => word.length >= 3)

/** True if a password repeats itself, or is little more than its owner's address, name and project, common words and the product's name. */
export function isEasyToGuess(password: string, person: Person): boolean {
  const text = password.toLowerCase()
  if (repeatsItself(text)) return true
  const known = wordsOf(person).sort((one, other) => other.length - one.length)
  const rest = known.reduce((left, word) => left.replaceAll(word, ''), text)
  return new Set(rest).size < leastCharacters
}

/** True if the text repeats its beginning, such as abcabcab. */
function repeatsItself(text: string): boolean {
  for (let period = 1; period <= text.length / 2; period++)
    if (text.startsWith(text.slice(period))) return true
  return false
}
