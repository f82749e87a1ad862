/** The labels in a text, separated by commas, as the service keeps them. */
export const labelsIn = (text: string): string[] => [
  ...new Set(
    text
      .split(',')
      .map((label) => label.trim().toLowerCase())
      .filter((label) => label !== ''),
  ),
]

interface Labels {
  add: string[]
  remove: string[]
}

/** What gives projects back the labels that they had before a change, those with the same ones together. */
export function labelsBack(
  projects: readonly { id: number; labels: readonly string[] }[],
  { add, remove }: Labels,
): (Labels & { ids: number[] })[] {
  const alike = Map.groupBy(projects, ({ labels }) =>
    JSON.stringify({
      add: remove.filter((label) => labels.includes(label)),
      remove: add.filter((label) => !labels.includes(label)),
    } satisfies Labels),
  )
  return [...alike]
    .map(([change, own]) => ({ ...(JSON.parse(change) as Labels), ids: own.map(({ id }) => id) }))
    .filter((change) => change.add.length + change.remove.length > 0)
}

/** The service's own limits. */
const longestLabel = 50
export const mostLabels = 20

export const hasTooLong = (text: string): boolean =>
  labelsIn(text).some((label) => label.length > longestLabel)
