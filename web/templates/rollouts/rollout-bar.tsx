import { counted } from '../../words/words.ts'
import type { Outcome, Rollout } from './types.ts'
import './rollout-bar.css'
import { countsInWords, isUnderWay, outcomeCount, outcomes, progressInWords, reached } from './words.ts'

interface OutcomeProps<One extends Outcome> {
  counts: Readonly<Record<One, number>>
  outcomes: readonly One[]
  /** What it says. */
  label: string
}

/** Projects by outcome as parts of one bar. */
export const OutcomeBar = <One extends Outcome>({ counts, outcomes: shown, label }: OutcomeProps<One>) => (
  <span className="rollout-bar" role="img" aria-label={label} data-tip={label}>
    {shown
      .filter((outcome) => counts[outcome] > 0)
      .map((outcome) => (
        <span key={outcome} data-outcome={outcome} style={{ flexGrow: counts[outcome] }} />
      ))}
  </span>
)

/** The results of a rollout as parts of one bar, or its progress while it runs. */
export function RolloutBar({ rollout }: { rollout: Rollout }) {
  const { total, done } = reached(rollout)
  const role = isUnderWay(rollout)
    ? {
        role: 'progressbar',
        'aria-valuemin': 0,
        'aria-valuemax': total,
        'aria-valuenow': done,
        'aria-valuetext': counted(
          total,
          { one: '{done} of {count} project', other: '{done} of {count} projects' },
          { done },
        ),
        'aria-label': progressInWords(rollout),
      }
    : { role: 'img', 'aria-label': countsInWords(rollout) }
  return (
    <span className="rollout-bar" {...role} data-tip={countsInWords(rollout)}>
      {outcomes
        .filter((outcome) => rollout.counts[outcome] > 0)
        .map((outcome) => (
          <span key={outcome} data-outcome={outcome} style={{ flexGrow: rollout.counts[outcome] }} />
        ))}
    </span>
  )
}

/** The numbers of the bar with their colors. */
export function RolloutCounts({ rollout }: { rollout: Rollout }) {
  return (
    <ul className="rollout-counts numbers">
      {outcomes
        .filter((outcome) => rollout.counts[outcome] > 0)
        .map((outcome) => (
          <li key={outcome}>
            <span className="rollout-mark" data-outcome={outcome} aria-hidden="true" />
            {outcomeCount(outcome, rollout)}
          </li>
        ))}
    </ul>
  )
}
