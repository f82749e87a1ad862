import { admin } from '../../../data/client.ts'
import { useRead } from '../../../data/read.ts'
import { measureNames } from '../../../fleet/measures.ts'
import { formatNumber } from '../../../words/locale.ts'
import { t } from '../../../words/words.ts'

/** What projects have made of a card; one that they deleted themselves is not lost. */
const shown = ['done', 'to_check', 'in_progress', 'blocked', 'open', 'customized'] as const

/** What a deletion takes from all projects. */
export function InUse({ boardId, cardId }: { boardId: number; cardId: number | null }) {
  const { data } = useRead(`${admin}/roll-ups/get`, { board_id: boardId }, { refetchOnMount: 'always' })
  const counts = data?.roll_up.cards.find(({ id }) => id === cardId)?.counts
  if (!counts) return null
  return (
    <section aria-label={t('In the projects now')} className="plan-section">
      <h2>{t('In the projects now')}</h2>
      <dl className="plan-figures">
        {shown
          .filter((measure) => counts[measure] > 0)
          .map((measure) => (
            <div key={measure}>
              <dt>{measureNames[measure]}</dt>
              <dd className="numbers">{formatNumber(counts[measure])}</dd>
            </div>
          ))}
      </dl>
    </section>
  )
}
