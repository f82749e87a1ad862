/** The labels in a text, separated by commas, as the service keeps them. */
export const labelsIn = (text: string): string[] => [
  ...new Set(
    text
      .split(',')
      .map((label) => label.trim().toLowerCase())
      .filter((label) => label !== ''),
  ),
]

/** The service's own limits. */
const longestLabel = 50
export const mostLabels = 20

export const hasTooLong = (text: string): boolean =>
  labelsIn(text).some((label) => label.length > longestLabel)
