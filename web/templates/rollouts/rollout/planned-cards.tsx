import { admin, type Output } from '../../../data/client.ts'
import { useRead } from '../../../data/read.ts'
import { Reading } from '../../../data/reading.tsx'
import { formatNumber } from '../../../words/locale.ts'
import { t } from '../../../words/words.ts'
import { FieldDifference, thingNames } from '../../template/differences.tsx'
import { fieldName } from '../../template/field-names.ts'
import type { Rollout } from '../types.ts'
import { skipNames } from './left-out.ts'

const path = `${admin}/rollouts/plan/list-cards` as const

type PlannedCard = Output<typeof path>['cards'][number]

/** In how many projects each thing of the template is added, updated, moved, kept or left out. */
export function PlannedCards({ rollout }: { rollout: Rollout }) {
  const query = useRead(path, { id: rollout.id })
  return (
    <section aria-label={t('What changes')} className="plan-section">
      <h2>{t('What changes')}</h2>
      <Reading query={query} failed={t('The plan could not be loaded')}>
        {({ cards }) =>
          cards.length === 0 ? (
            <p className="rollout-none">{t('Nothing changes.')}</p>
          ) : (
            <div className="plan-scroller slim-scroll">
              <table className="plan-table">
                <caption className="visually-hidden">
                  {t('In how many projects each part of the template changes')}
                </caption>
                <thead>
                  <tr>
                    <th scope="col">{t('Part of the template')}</th>
                    <th scope="col">{t('Added')}</th>
                    <th scope="col">{t('Updated')}</th>
                    <th scope="col">{t('Moved')}</th>
                    <th scope="col">{t('Deleted')}</th>
                    <th scope="col">{t('Kept')}</th>
                    <th scope="col">{t('Skipped')}</th>
                  </tr>
                </thead>
                <tbody>
                  {cards.map((card) => (
                    <CardRow key={`${card.thing} ${card.id}`} card={card} />
                  ))}
                </tbody>
              </table>
            </div>
          )
        }
      </Reading>
    </section>
  )
}

function CardRow({ card }: { card: PlannedCard }) {
  return (
    <tr>
      <th scope="row">
        <span dir="auto">{card.title}</span>
        <p className="plan-kind">{thingNames[card.thing]}</p>
        {card.difference.length > 0 && (
          <details className="plan-difference">
            <summary>{t('Show difference')}</summary>
            <dl className="difference-fields">
              {card.difference.map((change) => (
                <div key={change.field}>
                  <dt>{fieldName(change.field)}</dt>
                  <dd>
                    <FieldDifference change={change} />
                  </dd>
                </div>
              ))}
            </dl>
          </details>
        )}
      </th>
      <Count count={card.added + card.returned} />
      <Count count={card.updated} fields={named(card.updated_fields)} />
      <Count count={card.moved} />
      <Count count={card.removed} />
      <Count count={card.kept} fields={named(card.kept_fields)} />
      <Count
        count={card.skipped}
        fields={card.skips.map(({ reason, count }) => ({ name: skipNames[reason], count }))}
      />
    </tr>
  )
}

interface CountProps {
  count: number
  fields?: readonly { name: string; count: number }[]
}

const named = (fields: PlannedCard['updated_fields']) =>
  fields.map(({ field, count }) => ({ name: fieldName(field), count }))

const Count = ({ count, fields = [] }: CountProps) => (
  <td className="numbers">
    {count === 0 ? '–' : formatNumber(count)}
    {fields.map(({ name, count: ofThese }) => (
      <p key={name}>{t('{name}: {count}', { name, count: formatNumber(ofThese) })}</p>
    ))}
  </td>
)
