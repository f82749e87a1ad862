import type { admin, Output } from '../../../data/client.ts'
import { t } from '../../../words/words.ts'
import { thingNames } from '../../template/differences.tsx'
import { fieldInText } from '../../template/field-names.ts'
import { skipNames } from './left-out.ts'

type Planned = Output<`${typeof admin}/rollouts/plan/get-project`>['things'][number]
type Received = Output<`${typeof admin}/rollouts/get-project`>['things'][number]
type Thing = (Planned | Received) & { reason?: Planned['reason'] }

/** The cards, groups and the board of one project, and what happens to each. */
export const Things = ({ things }: { things: readonly Thing[] }) => (
  <ul className="plan-things slim-scroll">
    {things.map((thing) => (
      <li key={`${thing.thing} ${thing.id}`}>
        <p dir="auto">{thing.title ?? t('Permanently deleted')}</p>
        <p>
          {thingNames[thing.thing]} · {changeInWords(thing)}
        </p>
      </li>
    ))}
  </ul>
)

const changeNames: Readonly<Record<Thing['change'], string>> = {
  added: t('Added'),
  returned: t('Restored'),
  updated: t('Updated'),
  removed: t('Deleted'),
  kept: t('Kept as customized'),
  skipped: t('Skipped'),
}

/** Why a revert leaves a card. */
const reasons: Readonly<Record<string, string>> = {
  used: t('Kept: in use'),
  later_rollout: t('Kept: changed by a later rollout'),
}

function changeInWords({ change, fields, kept, is_moved, reason: skipped = null }: Thing): string {
  if (skipped !== null) return t('Skipped: {list}', { list: skipNames[skipped] })
  const reason = reasons[kept[0] ?? '']
  if (reason !== undefined) return reason
  const parts = [
    change === 'updated' && fields.length > 0
      ? t('Updated: {fields}', { fields: fields.map(fieldInText).join(', ') })
      : change === 'updated'
        ? ''
        : changeNames[change],
    is_moved ? t('Moved') : '',
    kept.length > 0 ? t('kept {fields}', { fields: kept.map(fieldInText).join(', ') }) : '',
  ]
  return parts.filter((part) => part !== '').join(' · ')
}
