import { formatNumber, formatShare } from '../../words/locale.ts'
import { t } from '../../words/words.ts'
import { measureNames, steps } from '../measures.ts'
import { CardHeading } from './card-heading.tsx'
import type { ViewProps } from './page.tsx'

/** For each card in its order: how many projects have received, begun and done it. Each number opens the projects behind it. */
export function Funnel({
  rollUp: { board_id: boardId, cards, projects_count: projects },
  onOpen,
}: ViewProps) {
  return (
    <table className="roll-up roll-up-funnel">
      <caption className="visually-hidden">
        {t('How many projects received, began and did each card')}
      </caption>
      <thead>
        <tr>
          <th scope="col">{t('Card')}</th>
          {steps.map((step) => (
            <th key={step} scope="col">
              {measureNames[step]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {cards.map((card) => (
          <tr key={card.id}>
            <CardHeading boardId={boardId} card={card} />
            {steps.map((step) => (
              <td key={step}>
                <Step
                  name={measureNames[step]}
                  step={step}
                  count={card.counts[step]}
                  all={step === 'received' ? projects : card.counts.received}
                  onOpen={() => onOpen(card, step)}
                />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

interface StepProps {
  name: string
  step: (typeof steps)[number]
  count: number
  /** What the share is of: projects with the template, or with the card. */
  all: number
  onOpen(): void
}

function Step({ name, step, count, all, onOpen }: StepProps) {
  if (count === 0) return <span className="roll-up-none">0</span>
  const share = Math.min(count / Math.max(all, 1), 1)
  return (
    <div className="roll-up-step">
      <button
        type="button"
        className="numbers"
        aria-label={t('{state}: {count}', { state: name, count: formatNumber(count) })}
        onClick={onOpen}
      >
        {formatNumber(count)}
      </button>
      <span className="roll-up-share numbers">{formatShare(share)}</span>
      <span className="roll-up-track" aria-hidden="true">
        <span data-step={step} style={{ width: `${100 * share}%` }} />
      </span>
    </div>
  )
}
