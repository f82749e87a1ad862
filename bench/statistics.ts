/** The value that `percent` of the values, sorted in ascending order, do not exceed. */
export function percentile(sorted: readonly number[], percent: number): number {
  return sorted[Math.max(0, Math.ceil((sorted.length * percent) / 100) - 1)] ?? Number.NaN
}

export const median = (values: readonly number[]) =>
  percentile(
    values.toSorted((a, b) => a - b),
    50,
  )
