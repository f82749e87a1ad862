import { Dot } from '../ui/dot.tsx'
import { counted, t } from '../words/words.ts'
import type { MasterBoard } from './types.ts'
import './coverage.css'

export type Coverage = Pick<
  MasterBoard,
  'access_count' | 'up_to_date_count' | 'behind_count' | 'missing_count' | 'refused_count' | 'opted_out_count'
>

/** The projects that need a rollout, by reason. */
const shortfalls = [
  {
    name: 'refused_count',
    words: (count: number) => counted(count, { other: '{count} failed' }),
    color: 'red',
  },
  {
    name: 'behind_count',
    words: (count: number) => counted(count, { other: '{count} behind' }),
    color: 'amber',
  },
  {
    name: 'missing_count',
    words: (count: number) => counted(count, { other: '{count} not received yet' }),
    color: 'gray',
  },
] as const

/** The states of a template's projects, one entry for each that occurs. */
export function CoverageStates({ coverage }: { coverage: Coverage }) {
  const { access_count: all, up_to_date_count: upToDate, opted_out_count: optedOut } = coverage
  const isComplete = upToDate > 0 && upToDate + optedOut === all
  return (
    <>
      {isComplete && <li>{t('All up to date')}</li>}
      {!isComplete && upToDate > 0 && <li>{counted(upToDate, { other: '{count} up to date' })}</li>}
      {shortfalls
        .filter(({ name }) => coverage[name] > 0)
        .map(({ name, words, color }) => (
          <li key={name} className="coverage-shortfall">
            <Dot color={color} />
            {words(coverage[name])}
          </li>
        ))}
      {optedOut > 0 && <li>{counted(optedOut, { other: '{count} opted out' })}</li>}
    </>
  )
}
