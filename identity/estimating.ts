// Estimates how many guesses a password takes: with lists of common and leaked passwords, English and German words and names, and patterns. The
// lists are large, so they are passed in: by a thread in the service (strength-worker.ts), and in the browser once a new password is typed.
import type { ZxcvbnFactory } from '@zxcvbn-ts/core'
import type * as common from '@zxcvbn-ts/language-common'
import type * as german from '@zxcvbn-ts/language-de'
import type * as english from '@zxcvbn-ts/language-en'
import { type Estimate, hashOf, type Part } from './weak-password.ts'

interface Lists {
  common: typeof common
  english: typeof english
  german: typeof german
  /** Of leaked-passwords.ts. */
  leakedHashes: string
}

/** Written together. They are longer than what the lists of passwords hold. */
const phrases = [
  'correcthorsebatterystaple',
  'tr0ub4dor&3',
  'ihatemyjob',
  'thequickbrownfox',
  'thequickbrownfoxjumpsoverthelazydog',
  'tobeornottobe',
  'tobeornottobethatisthequestion',
  'maytheforcebewithyou',
  'onceuponatime',
  'loremipsumdolorsitamet',
  'nevergonnagiveyouup',
  'ichliebedich',
  'ichliebedichsehr',
  'eswareinmal',
  'seinodernichtsein',
  'allemeineentchen',
  'freudeschoenergoetterfunken',
]

/** Signs between words make a phrase longer, and hardly harder to guess. */
const separators = /[\s\-_.,;:'’]+/gu

/** The words of a phrase take at least so many guesses, as a power of ten. */
const leastOfWords = 9

export function estimateWith(Factory: typeof ZxcvbnFactory, lists: Lists): Estimate {
  const germanLists = Object.entries(lists.german.dictionary).map(([name, list]) => [`${name}-de`, list])
  const estimator = new Factory({
    // With the usual 100, digits and signs that may stand for letters took up to 6 seconds.
    l33tMaxSubstitutions: 5,
    graphs: lists.common.adjacencyGraphs,
    dictionary: {
      ...lists.common.dictionary,
      ...lists.english.dictionary,
      ...Object.fromEntries(germanLists),
      'passwords-phrases': phrases,
    },
  })
  const bytes = Uint8Array.from(atob(lists.leakedHashes), (character) => character.charCodeAt(0))
  const leaked = new Set(new Uint32Array(bytes.buffer))
  return (password, words) => {
    const joined = password.replace(separators, '')
    const ofWords = estimator.check(joined, words)
    const { score, sequence } =
      ofWords.guessesLog10 < leastOfWords || joined === password ? ofWords : estimator.check(password, words)
    const isLeaked = [password, joined].some((text) => leaked.has(hashOf(text)))
    return { strength: score, parts: sequence as Part[], isLeaked }
  }
}
