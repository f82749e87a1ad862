import type { admin, Output } from '../data/client.ts'
import { t } from '../words/words.ts'

type Measure = keyof Output<`${typeof admin}/roll-ups/get`>['roll_up']['cards'][number]['counts']

export const measureNames: Readonly<Record<Measure, string>> = {
  received: t('Received'),
  begun: t('Begun'),
  done: t('Done'),
  to_check: t('To check'),
  in_progress: t('In progress'),
  blocked: t('Blocked'),
  open: t('Open', { as: 'state' }),
  deleted: t('Deleted'),
  overdue: t('Overdue'),
  customized: t('Customized'),
  check_passed: t('Check passed'),
  check_failed: t('Check failed'),
}

/** The states of a card, in the order of the bar. */
export const states = ['done', 'to_check', 'in_progress', 'blocked', 'open', 'deleted'] as const

/** The steps of a card in a project, each with fewer projects than the one before. */
export const steps = ['received', 'begun', 'done'] as const

/** What may hold in addition. */
export const otherOnes = ['overdue', 'customized', 'check_passed', 'check_failed'] as const
