const mostLines = 500
const longestTitle = 255

/** The titles in a list that was written elsewhere, without its bullets, numbers and boxes. */
export const titlesIn = (text: string): string[] =>
  text
    .split('\n')
    .map((line) =>
      line
        .trim()
        .replace(/^(?:[-*+•–]|\d{1,3}[.)])\s+/, '')
        .replace(/^\[[ x]?\]\s+/i, ''),
    )
    .filter((line) => line !== '')
    .map((line) => [...line].slice(0, longestTitle).join(''))
    .slice(0, mostLines)
