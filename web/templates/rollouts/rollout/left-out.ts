// Says what a rollout left as it was in a project, and why.

import type { admin, Output } from '../../../data/client.ts'
import { formatNumber } from '../../../words/locale.ts'
import { t } from '../../../words/words.ts'
import { fieldInText } from '../../template/field-names.ts'
import type { Outcome, Result } from '../types.ts'

type Planned = Output<`${typeof admin}/rollouts/plan/list-projects`>['projects'][number]

/** Why cards are left out of a project. */
export const skipNames: Readonly<Record<Result['skips'][number]['reason'], string>> = {
  deleted: t('deleted in this project'),
  no_group: t('their group was deleted in this project'),
  updates_stopped: t('updates stopped in this project'),
  purged: t('permanently deleted'),
  in_template: t('the template has the card again'),
}

/** How a card that is deleted is in use. */
export const useNames: Readonly<Record<Planned['uses'][number]['use'], string>> = {
  done: t('Done'),
  under_way: t('In progress'),
  commented: t('Has comments'),
  customized: t('Customized'),
}

/** What a project kept and why something was left out, each a sentence: "Kept: title (2)", "Skipped: deleted in this project (1)". */
export const leftInWords = ({
  kept_fields: fields,
  skips,
}: Pick<Result, 'kept_fields' | 'skips'>): string[] => [
  ...(fields.length > 0
    ? [t('Kept: {list}', { list: inWords(fields, ({ field }) => fieldInText(field)) })]
    : []),
  ...(skips.length > 0
    ? [t('Skipped: {list}', { list: inWords(skips, ({ reason }) => skipNames[reason]) })]
    : []),
]

const inWords = <One extends { count: number }>(all: readonly One[], nameOf: (one: One) => string) =>
  all.map((one) => `${nameOf(one)} (${formatNumber(one.count)})`).join(', ')

/** Why a project received nothing, where its outcome does not say it. */
export const outcomeReasons: Partial<Record<Outcome, string>> = {
  opted_out: t('It deleted its board of this template.'),
  no_access: t("It doesn't have the product of this template, or was deleted."),
}

/** Why a project received something else than planned. */
export function differenceInWords({ outcome, skips }: Pick<Result, 'outcome' | 'skips'>): string {
  if (outcome === 'failed') return t('Differs from the plan, which did not foresee this')
  return skips.some(({ reason }) => reason === 'in_template')
    ? t('Differs from the plan: the template had changed since')
    : t('Differs from the plan: it had changed since')
}
