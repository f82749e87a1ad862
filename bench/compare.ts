import type { Measurement } from './row.ts'
import { median } from './statistics.ts'

/** Measures one side for one slice of time. */
export type Side = () => Promise<number>

const usual = { pairs: 10, warmUps: 2 }

/** For rows about many calls a second: V8 compiles their code in the first six seconds or so after a start, beside the calls. */
export const onceCompiled = { pairs: 10, warmUps: 6 }

/** Alternates in short slices and compares each pair, because the speed of a shared machine changes by the minute. */
export async function compare(
  subject: Side,
  ceiling: Side,
  { pairs, warmUps } = usual,
): Promise<Measurement> {
  for (let slice = 0; slice < warmUps; slice++) {
    await ceiling()
    await subject()
  }
  const subjects: number[] = []
  const ceilings: number[] = []
  const ratios: number[] = []
  for (let pair = 0; pair < pairs; pair++) {
    const ceilingValue = await ceiling()
    const subjectValue = await subject()
    ceilings.push(ceilingValue)
    subjects.push(subjectValue)
    ratios.push(subjectValue / ceilingValue)
  }
  return { subject: median(subjects), ceiling: median(ceilings), ratio: median(ratios), ratios }
}
