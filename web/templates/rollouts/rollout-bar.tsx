import { formatNumber } from '../../ui/locale.ts'
import type { Push } from './types.ts'
import './rollout-bar.css'
import { countsInWords, isUnderWay, outcomeName, outcomes, progressInWords, reached } from './words.ts'

/** The results of a rollout as parts of one bar, or its progress while it runs. */
export function PushBar({ push }: { push: Push }) {
  const { total, done } = reached(push)
  const role = isUnderWay(push)
    ? {
        role: 'progressbar',
        'aria-valuemin': 0,
        'aria-valuemax': total,
        'aria-valuenow': done,
        'aria-valuetext': `${done} of ${total} projects`,
        'aria-label': progressInWords(push),
      }
    : { role: 'img', 'aria-label': countsInWords(push) }
  return (
    <span className="push-bar" {...role} data-tip={countsInWords(push)}>
      {outcomes
        .filter((outcome) => push.counts[outcome] > 0)
        .map((outcome) => (
          <span key={outcome} data-outcome={outcome} style={{ flexGrow: push.counts[outcome] }} />
        ))}
    </span>
  )
}

/** The numbers of the bar with their colors. */
export function PushCounts({ push }: { push: Push }) {
  return (
    <ul className="push-counts numbers">
      {outcomes
        .filter((outcome) => push.counts[outcome] > 0)
        .map((outcome) => (
          <li key={outcome}>
            <span className="push-mark" data-outcome={outcome} aria-hidden="true" />
            {formatNumber(push.counts[outcome])} {outcomeName(outcome, push).toLowerCase()}
          </li>
        ))}
    </ul>
  )
}
