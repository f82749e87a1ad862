import type { Service } from './service.ts'

/** One line of the table; a new one is a new entry in a file of bench/rows. */
export interface Row {
  /** Arguments of the command line select rows by a part of the name. */
  name: string
  unit: string
  /** Describes the ceiling; absent if the row has none. */
  ceiling?: string
  /** For the ratio, or for the subject if there is no ceiling. */
  target: Target
  /** Takes many minutes: run only with `--long`. */
  isLong?: true
  measure(stage: Stage): Promise<Measurement>
}

export type Target = { atLeast: number } | { atMost: number }

export interface Stage {
  service: Service
  /** Stops what a row started, also on Ctrl-C. */
  toUndo: AsyncDisposableStack
}

export interface Measurement {
  subject: number
  ceiling?: number
  /** The median over the pairs, which is not the ratio of the two medians. */
  ratio?: number
  /** Pair by pair, to see how noisy the machine was. */
  ratios?: number[]
}

export function isMet(target: Target, { subject, ratio }: Measurement): boolean {
  const judged = ratio ?? subject
  return 'atLeast' in target ? judged >= target.atLeast : judged <= target.atMost
}
