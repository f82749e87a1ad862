import { admin, type Output } from '../../../data/client.ts'
import { useRead } from '../../../data/read.ts'
import { Reading } from '../../../data/reading.tsx'
import { formatNumber } from '../../../words/locale.ts'
import { t } from '../../../words/words.ts'
import { FieldDifference, thingNames } from '../../template/differences.tsx'
import { fieldName } from '../../template/field-names.ts'
import type { Rollout } from '../types.ts'
import { skipNames, useNames } from './left-out.ts'

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
            <CardTable cards={cards} />
          )
        }
      </Reading>
    </section>
  )
}

interface Column {
  label: string
  countOf(card: PlannedCard): number
  /** What the count is made of. */
  partsOf?(card: PlannedCard): readonly Part[]
}

const columns: readonly Column[] = [
  { label: t('Added'), countOf: (card) => card.added + card.returned },
  {
    label: t('Updated'),
    countOf: (card) => card.updated,
    partsOf: (card) => named(card.updated_fields),
  },
  { label: t('Moved'), countOf: (card) => card.moved },
  {
    label: t('Deleted'),
    countOf: (card) => card.removed,
    partsOf: (card) => card.uses.map(({ use, count }) => ({ name: useNames[use], count })),
  },
  { label: t('Kept'), countOf: (card) => card.kept, partsOf: (card) => named(card.kept_fields) },
  {
    label: t('Skipped'),
    countOf: (card) => card.skipped,
    partsOf: (card) => card.skips.map(({ reason, count }) => ({ name: skipNames[reason], count })),
  },
]

function CardTable({ cards }: { cards: readonly PlannedCard[] }) {
  // Columns without a number in any row would only take room.
  const shown = columns.filter(({ countOf }) => cards.some((card) => countOf(card) > 0))
  return (
    <div className="plan-scroller slim-scroll">
      <table className="plan-table">
        <caption className="visually-hidden">
          {t('In how many projects each part of the template changes')}
        </caption>
        <thead>
          <tr>
            <th scope="col">{t('Part of the template')}</th>
            {shown.map(({ label }) => (
              <th key={label} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {cards.map((card) => (
            <CardRow key={`${card.thing} ${card.id}`} card={card} columns={shown} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function CardRow({ card, columns: shown }: { card: PlannedCard; columns: readonly Column[] }) {
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
      {shown.map(({ label, countOf, partsOf }) => (
        <Count key={label} count={countOf(card)} parts={partsOf?.(card) ?? []} />
      ))}
    </tr>
  )
}

interface Part {
  name: string
  count: number
}

const named = (fields: PlannedCard['updated_fields']): readonly Part[] =>
  fields.map(({ field, count }) => ({ name: fieldName(field), count }))

const Count = ({ count, parts }: { count: number; parts: readonly Part[] }) => (
  <td className="numbers">
    {count === 0 ? '–' : formatNumber(count)}
    {parts.map(({ name, count: ofThese }) => (
      <p key={name}>{t('{name}: {count}', { name, count: formatNumber(ofThese) })}</p>
    ))}
  </td>
)
