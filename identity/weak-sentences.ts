// Why a new password is refused and what to do, for operations and the command line.
import type { Weakness } from './weak-password.ts'

export const weakSentences = {
  leaked:
    'The :attribute field is on a list of leaked passwords. Use a longer phrase of words that do not belong together.',
  'own words':
    'The :attribute field is too easy to guess, because it has your name, email address or project in it. Use a longer phrase of words that do not belong together.',
  'common password':
    'The :attribute field is too easy to guess, because most of it is a common password. Use a longer phrase of words that do not belong together.',
  word: 'The :attribute field is too easy to guess, because most of it is a common word. Use a longer phrase of words that do not belong together.',
  name: 'The :attribute field is too easy to guess, because most of it is a name. Use a longer phrase of words that do not belong together.',
  date: 'The :attribute field is too easy to guess, because most of it is a date. Use a longer phrase of words that do not belong together.',
  repeat:
    'The :attribute field is too easy to guess, because it repeats the same characters. Use a longer phrase of words that do not belong together.',
  sequence:
    'The :attribute field is too easy to guess, because most of it is a sequence such as abcd or 6543. Use a longer phrase of words that do not belong together.',
  keyboard:
    'The :attribute field is too easy to guess, because its keys are next to each other. Use a longer phrase of words that do not belong together.',
  short:
    'The :attribute field is too easy to guess. Use a longer phrase of words that do not belong together.',
} as const satisfies Readonly<Record<Weakness, string>>
