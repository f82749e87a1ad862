// Why a new password is refused and what to do, for operations and the command line.
import type { Weakness } from './weak-password.ts'

export const weakSentences = {
  leaked:
    'This password is on a list of leaked passwords. Use a longer phrase of words that do not belong together.',
  'own words':
    'This password is too easy to guess, because it has your name, email address or project in it. Use a longer phrase of words that do not belong together.',
  'common password':
    'This password is too easy to guess, because most of it is a common password. Use a longer phrase of words that do not belong together.',
  word: 'This password is too easy to guess, because most of it is a common word. Use a longer phrase of words that do not belong together.',
  name: 'This password is too easy to guess, because most of it is a name. Use a longer phrase of words that do not belong together.',
  date: 'This password is too easy to guess, because most of it is a date. Use a longer phrase of words that do not belong together.',
  repeat:
    'This password is too easy to guess, because it repeats the same characters. Use a longer phrase of words that do not belong together.',
  sequence:
    'This password is too easy to guess, because most of it is a sequence such as abcd or 6543. Use a longer phrase of words that do not belong together.',
  keyboard:
    'This password is too easy to guess, because its keys are next to each other. Use a longer phrase of words that do not belong together.',
  short: 'This password is too easy to guess. Use a longer phrase of words that do not belong together.',
} as const satisfies Readonly<Record<Weakness, string>>
