export const longestTitle = 255

/** As many as the service takes at once. */
export const mostTitles = 500

/** The titles in a list that was written elsewhere, without its bullets, numbers and boxes. A line that is too long becomes several. */
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
    .flatMap(inTitles)

/** Cut between words where that is possible. */
function inTitles(line: string): string[] {
  const characters = [...line]
  if (characters.length <= longestTitle) return [line]
  const most = characters.slice(0, longestTitle + 1).join('')
  const space = most.lastIndexOf(' ')
  const first = space > 0 ? most.slice(0, space) : characters.slice(0, longestTitle).join('')
  return [first.trim(), ...inTitles(line.slice(first.length).trim())]
}
