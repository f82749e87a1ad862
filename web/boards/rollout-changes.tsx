import { Link } from 'wouter'
import { useProject } from '../data/project.tsx'
import { formatNumber } from '../words/locale.ts'
import { counted, t } from '../words/words.ts'
import { cardOf } from './arrangement.ts'
import { inWords, type RolledOut, templateFieldName } from './rollout-words.ts'
import type { Board } from './types.ts'
import './rollout-changes.css'

type Things = NonNullable<RolledOut['things']>[number]

/** The cards, groups and fields of the board that a rollout changed, by name. A card leads to where it has the template's values. */
export function RolloutChanges({ event, board }: { event: RolledOut; board: Board }) {
  const { things = [], board_fields: fields = [], rollout_kind: kind } = event
  if (things.length === 0 && fields.length === 0) return null
  const leads = kind === 'revert' ? revertLeads : kind === 'reset' ? resetLeads : usualLeads
  return (
    <ul className="rollout-changes">
      {fields.length > 0 && (
        <li>{t('Board: {fields}', { fields: inWords(fields.map(templateFieldName)) })}</li>
      )}
      {things.map((changed) => (
        <li key={`${changed.thing} ${changed.change}`}>
          {leads[changed.thing][changed.change] ?? usualLeads[changed.thing][changed.change]}{' '}
          <Names things={changed} board={board} />
        </li>
      ))}
    </ul>
  )
}

function Names({ things: { thing, count, named }, board }: { things: Things; board: Board }) {
  const { base } = useProject()
  const known = named.flatMap(({ title, ...rest }) => (title === null ? [] : { ...rest, title }))
  const others = count - known.length
  return (
    <>
      {known.map(({ id, title, fields }, index) => (
        <span key={id}>
          {index > 0 && ', '}
          {thing === 'card' && cardOf(board, id) ? (
            <Link href={`${base}/boards/${board.id}/cards/${id}`} state={{ isFromList: true }} dir="auto">
              {title}
            </Link>
          ) : (
            <bdi>{title}</bdi>
          )}
          {fields.length > 0 && ` (${inWords(fields.map(templateFieldName))})`}
        </span>
      ))}
      {others > 0 &&
        (known.length === 0 ? formatNumber(others) : ` ${counted(others, { other: 'and {count} more' })}`)}
    </>
  )
}

type Leads = Record<Things['thing'], Partial<Record<Things['change'], string>>>

const usualLeads: Leads = {
  card: {
    added: t('Cards added:'),
    returned: t('Cards restored:'),
    updated: t('Cards updated:'),
    moved: t('Cards moved:'),
    removed: t('Cards deleted:'),
    kept: t('Kept as you have it:'),
  },
  group: {
    added: t('Groups added:'),
    updated: t('Groups updated:'),
    moved: t('Groups moved:'),
    removed: t('Groups deleted:'),
  },
}

const revertLeads: Leads = {
  card: { updated: t('Cards changed back:'), moved: t('Cards moved back:'), kept: t('Cards kept:') },
  group: { updated: t('Groups changed back:'), moved: t('Groups moved back:') },
}

const resetLeads: Leads = { card: { updated: t('Cards reset:') }, group: {} }
