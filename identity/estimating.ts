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
    },
  })
  const bytes = Uint8Array.from(atob(lists.leakedHashes), (character) => character.charCodeAt(0))
  const leaked = new Set(new Uint32Array(bytes.buffer))
  return (password, words) => {
    const { score, sequence } = estimator.check(password, words)
    return { strength: score, parts: sequence as Part[], isLeaked: leaked.has(hashOf(password)) }
  }
}
