// Passwords that are long enough and still the first that anyone would try.

const commonWords = ['password', 'cardinal']

/** Fewer different characters than this, beside what everybody knows, are guessed quickly. */
const leastCharacters = 6

/** Whether a password repeats itself, or is little more than its owner's address and name, a common word and the product's name. */
export function isEasyToGuess(password: string, { email, name }: { email: string; name: string }): boolean {
  const text = password.toLowerCase()
  if (repeatsItself(text)) return true
  const known = [email, ...email.split(/[@.+_-]/), ...name.split(/\s+/), ...commonWords]
    .map((word) => word.toLowerCase())
    .filter((word) => word.length >= 3)
    .sort((one, other) => other.length - one.length)
  const rest = known.reduce((left, word) => left.replaceAll(word, ''), text)
  return new Set(rest).size < leastCharacters
}

/** Whether it is a beginning, once more from the start at least once: abcabcab. */
function repeatsItself(text: string): boolean {
  for (let period = 1; period <= text.length / 2; period++)
    if (text.startsWith(text.slice(period))) return true
  return false
}
