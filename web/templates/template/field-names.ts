import { fieldNames } from '../../boards/field-names.ts'
import { t } from '../../words/words.ts'

/** The name of each field of a template, group or card, alone and in a sentence. */
const names: Readonly<Record<string, readonly [name: string, inText: string]>> = {
  ...fieldNames,
  status: [t('Status'), t('status')],
  is_active: [t('Active'), t('active')],
  type: [t('Type'), t('type')],
  color: [t('Color'), t('color')],
  icon: [t('Icon'), t('icon')],
  is_collapsed: [t('Collapsed'), t('collapsed')],
  // Why a revert leaves a card.
  used: [t('In use'), t('in use')],
  later_rollout: [t('Changed by a later rollout'), t('changed by a later rollout')],
}

export const fieldName = (field: string): string => names[field]?.[0] ?? field
export const fieldInText = (field: string): string => names[field]?.[1] ?? field
