import type { admin, Output } from '../../data/client.ts'
import { measureNames, states } from '../../fleet/measures.ts'
import { formatNumber } from '../../words/locale.ts'
import { t } from '../../words/words.ts'
import '../../fleet/states.css'
import './card-progress.css'

export type Counts = Output<`${typeof admin}/roll-ups/get`>['roll_up']['cards'][number]['counts']

/** How far all projects are with a card, as a stacked bar. */
export function CardProgress({ counts }: { counts: Counts }) {
  const shown = states.filter((state) => counts[state] > 0)
  if (shown.length === 0) return null
  const words = t('In all projects: {states}', {
    states: shown
      .map((state) =>
        t('{state}: {count}', { state: measureNames[state], count: formatNumber(counts[state]) }),
      )
      .join(', '),
  })
  return (
    <span className="card-progress" role="img" aria-label={words} data-tip={words}>
      {shown.map((state) => (
        <span key={state} data-state={state} style={{ flexGrow: counts[state] }} />
      ))}
    </span>
  )
}
