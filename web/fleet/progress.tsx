import { formatNumber } from '../words/locale.ts'
import { t } from '../words/words.ts'
import './progress.css'

interface Props {
  done: number
  all: number
  /** Instead of the bar if there is nothing to do. */
  none?: string
  tip?: string
}

/** A part of a whole, as a bar and in numbers; by default of template cards. */
export function Progress({ done, all, none = t('No template cards'), tip }: Props) {
  if (all === 0) return <span className="progress-none">{none}</span>
  return (
    <span className="progress" data-tip={tip ?? t('{done} of {all} template cards are done', { done, all })}>
      <span className="progress-track" aria-hidden="true">
        <span className="progress-done" style={{ width: `${(100 * Math.min(done, all)) / all}%` }} />
      </span>
      <span className="numbers">
        {t('{done} of {all}', { done: formatNumber(done), all: formatNumber(all) })}
      </span>
    </span>
  )
}
