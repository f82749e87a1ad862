import { Dot } from '../ui/dot.tsx'
import { formatNumber } from '../words/locale.ts'
import type { MasterBoard } from './types.ts'
import './coverage.css'

export type Coverage = Pick<
  MasterBoard,
  'access_count' | 'up_to_date_count' | 'behind_count' | 'missing_count' | 'refused_count' | 'opted_out_count'
>

/** The projects that need a rollout, by reason. */
const shortfalls = [
  { name: 'refused_count', label: 'failed', color: 'red' },
  { name: 'behind_count', label: 'behind', color: 'amber' },
  { name: 'missing_count', label: 'not received yet', color: 'gray' },
] as const

/** The states of a template's projects, one entry for each that occurs. */
export function CoverageStates({ coverage }: { coverage: Coverage }) {
  const { access_count: all, up_to_date_count: upToDate, opted_out_count: optedOut } = coverage
  const isComplete = upToDate > 0 && upToDate + optedOut === all
  return (
    <>
      {isComplete && <li>All up to date</li>}
      {!isComplete && upToDate > 0 && <li>{formatNumber(upToDate)} up to date</li>}
      {shortfalls
        .filter(({ name }) => coverage[name] > 0)
        .map(({ name, label, color }) => (
          <li key={name} className="coverage-shortfall">
            <Dot color={color} />
            {formatNumber(coverage[name])} {label}
          </li>
        ))}
      {optedOut > 0 && <li>{formatNumber(optedOut)} opted out</li>}
    </>
  )
}
