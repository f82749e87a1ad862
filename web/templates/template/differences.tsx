import { Columns3, LayoutTemplate, RectangleEllipsis } from 'lucide-react'
import { priorityNames, statusName } from '../../boards/signs.tsx'
import type { admin, Output } from '../../data/client.ts'
import { Dot } from '../../ui/dot.tsx'
import { hidden } from '../../words/hidden.tsx'
import { rich } from '../../words/rich.tsx'
import { t } from '../../words/words.ts'
import { fieldName } from './field-names.ts'
import { TextDifference } from './text-difference.tsx'
import './difference.css'

export type Difference = Output<`${typeof admin}/master-boards/versions/compare`>['differences'][number]
type FieldChange = Difference['fields'][number]

const icons = { template: <LayoutTemplate />, group: <Columns3 />, card: <RectangleEllipsis /> }
export const thingNames = { template: t('Template'), group: t('Group'), card: t('Card') }
const changes = {
  added: { words: t('Added'), color: 'green' },
  removed: { words: t('Removed'), color: 'gray' },
  changed: { words: t('Changed'), color: 'amber' },
} as const

/** What differs between two states of a template, thing by thing and field by field. */
export const Differences = ({ differences }: { differences: readonly Difference[] }) => (
  <ul className="differences" aria-label={t('Differences')}>
    {differences.map((difference) => (
      <li key={`${difference.thing} ${difference.id}`}>
        <p className="difference-title">
          <span className="difference-icon" aria-hidden="true">
            {icons[difference.thing]}
          </span>
          <span dir="auto">
            {hidden(`${thingNames[difference.thing]}: `)}
            {difference.title}
          </span>
          <span className="difference-place">
            <Dot color={changes[difference.change].color} /> {stateOf(difference)}
          </span>
        </p>
        {difference.fields.length > 0 && (
          <dl className="difference-fields">
            {difference.fields.map((change) => (
              <div key={change.field}>
                <dt>{fieldName(change.field)}</dt>
                <dd>
                  <FieldDifference change={change} />
                </dd>
              </div>
            ))}
          </dl>
        )}
      </li>
    ))}
  </ul>
)

/** How the thing as a whole changed, and where it is. */
function stateOf({ change, is_moved, group_before, group_after, fields }: Difference): string {
  const { words } = changes[change]
  if (change === 'added' && group_after !== null) return t('Added to {group}', { group: group_after })
  if (change === 'removed' && group_before !== null) return t('Removed from {group}', { group: group_before })
  if (!is_moved) return words
  const moved =
    group_before === group_after || group_after === null
      ? t('Moved')
      : t('Moved from {before} to {after}', { before: group_before ?? '', after: group_after })
  return fields.length === 0 ? moved : t('{moved}, changed', { moved })
}

const longTexts: ReadonlySet<string> = new Set(['description', 'short_description'])

export function FieldDifference({ change: { field, before, after } }: { change: FieldChange }) {
  if (longTexts.has(field)) return <TextDifference before={before} after={after} />
  return (
    <span dir="auto">
      {rich('<before>{old}</before> → <after>{new}</after>', {
        before: (text) => <del>{text}</del>,
        after: (text) => <ins className="difference-new">{text}</ins>,
        old: valueInWords(field, before),
        new: valueInWords(field, after),
      })}
    </span>
  )
}

function valueInWords(field: string, value: string | null): string {
  if (value === null) return t('none')
  if (value === 'true') return t('yes')
  if (value === 'false') return t('no')
  if (field === 'priority') return priorityNames[value as keyof typeof priorityNames]
  if (field === 'status') return statusName(value)
  return value
}
