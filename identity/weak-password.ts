// Judges how hard a new password is to guess, in the service and in the browser. The estimate with its large lists (estimating.ts) is passed
// in, because it is loaded only when somebody chooses a password.

/** In characters. */
export const shortestPassword = 12

/** Whose password it is: their own words are guessed first. */
export interface Person {
  email: string
  name: string
  projectName?: string | null
  /** The host names of the service, separated by spaces. */
  site?: string
}

/** From 0, guessed at once, to 4; below `leastStrength` a password is refused. */
export type Strength = 0 | 1 | 2 | 3 | 4
const leastStrength = 4

/** Why a password is easy to guess. */
export type Weakness =
  | 'leaked'
  | 'own words'
  | 'common password'
  | 'word'
  | 'name'
  | 'date'
  | 'repeat'
  | 'sequence'
  | 'keyboard'
  | 'short'

export interface Judgement {
  strength: Strength
  /** Null if the password is accepted. */
  weakness: Weakness | null
  /** The part of the password that the weakness is about, if it is one part. */
  part: string | null
}

/** A part of a password that lists or patterns explain. */
export interface Part {
  pattern: string
  token: string
  /** For the pattern `dictionary`. */
  dictionaryName?: string
}

/** Estimates the strength with lists of passwords and words, and the person's own words. */
export type Estimate = (
  password: string,
  words: string[],
) => { strength: Strength; parts: Part[]; isLeaked: boolean }

export function judge(estimate: Estimate, password: string, person: Person): Judgement {
  const obvious = obviousWeakness(password, person)
  if (obvious) return { strength: 0, part: null, ...obvious }
  const { strength, parts, isLeaked } = estimate(judged(password), wordsOf(person).map(judged))
  if (isLeaked) return { strength: 0, weakness: 'leaked', part: null }
  if (strength >= leastStrength) return { strength, weakness: null, part: null }
  const [longest] = parts
    .filter((part) => weaknessOf(part, person) !== undefined)
    .sort((one, other) => other.token.length - one.token.length)
  if (!longest) return { strength, weakness: 'short', part: null }
  return { strength, weakness: weaknessOf(longest, person) as Weakness, part: longest.token }
}

/** The part that is judged; the whole of a long text made to be slow took seconds. */
const judged = (text: string) => text.slice(0, 64)

const patterns: Readonly<Record<string, Weakness>> = {
  date: 'date',
  // The only expression is the one for years.
  regex: 'date',
  repeat: 'repeat',
  sequence: 'sequence',
  wordSequence: 'sequence',
  spatial: 'keyboard',
}

function weaknessOf(
  { pattern, token, dictionaryName: list = '' }: Part,
  person: Person,
): Weakness | undefined {
  if (pattern !== 'dictionary') return patterns[pattern]
  if (list === 'userInputs') return weaknessOfWord(token.toLowerCase(), person)
  if (list.startsWith('passwords')) return 'common password'
  return /^(first|last)names/.test(list) ? 'name' : 'word'
}

const commonWords = ['password', 'cardinal', 'localhost', 'gmbh', 'inc', 'ltd', 'llc']

/** What everybody knows who uses the service. */
const sharedWords = ({ site = '' }: Person) => [...site.split(/[\s.-]+/), ...commonWords]

const weaknessOfWord = (word: string, person: Person) =>
  sharedWords(person).includes(word) ? 'common password' : 'own words'

/** A password with fewer distinct characters, not counting well-known parts, is guessed quickly. */
const leastCharacters = 6

function wordsOf(person: Person): string[] {
  const { email, name, projectName } = person
  const own = [email, ...email.split(/[@.+_-]/), name, ...`${name} ${projectName ?? ''}`.split(/\s+/)]
  return [...own, ...sharedWords(person)].map((word) => word.toLowerCase()).filter((word) => word.length >= 3)
}

/** Anybody's email address, such as a colleague's; a random text with these signs hardly ever looks like one. */
const addresses =
  /(?:[A-Z]?[a-z0-9]+[._+-])*[A-Z]?[a-z0-9]+@(?:[A-Z]?[a-z0-9]+[.-])+(?:[a-z]{2,}|[A-Z][a-z]+)/g

/** What needs no lists: a password repeats itself, or is little more than its owner's words, an email address, a year, `password` and the like. */
export function obviousWeakness(
  password: string,
  person: Person,
): { weakness: Weakness; part?: string } | undefined {
  const text = password.toLowerCase()
  if (repeatsItself(text)) return { weakness: 'repeat' }
  const known = wordsOf(person).sort((one, other) => other.length - one.length)
  const [address] = password.match(addresses) ?? []
  const rest = known
    .reduce((left, word) => left.replaceAll(word, ''), password.replace(addresses, '').toLowerCase())
    .replace(/\b(19|20)\d\d\b/g, '')
  if (new Set(rest).size >= leastCharacters) return undefined
  const part = address ?? known.find((word) => text.includes(word))
  return part === undefined ? { weakness: 'repeat' } : { weakness: weaknessOfWord(part, person), part }
}

/** True if the text repeats its beginning, such as abcabcab. */
function repeatsItself(text: string): boolean {
  for (let period = 1; period <= text.length / 2; period++)
    if (text.startsWith(text.slice(period))) return true
  return false
}

/** FNV-1a of the small letters. About one in 100,000 other passwords has the hash of a leaked one. */
export function hashOf(password: string): number {
  let hash = 0x811c9dc5
  for (const byte of new TextEncoder().encode(password.toLowerCase()))
    hash = Math.imul(hash ^ byte, 0x01000193)
  return hash >>> 0
}
