// Rejects passwords that are long enough but easy to guess.

const commonWords = ['password', 'cardinal']

/** A password with fewer distinct characters, not counting well-known parts, is guessed quickly. */
const leastCharacters = 6

/** True if a password repeats itself, or is little more than its owner's address and name, common words and the product's name. */
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

/** True if the text repeats its beginning, such as abcabcab. */
function repeatsItself(text: string): boolean {
  for (let period = 1; period <= text.length / 2; period++)
    if (text.startsWith(text.slice(period))) return true
  return false
}
