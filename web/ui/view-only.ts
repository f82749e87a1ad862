import { t } from '../words/words.ts'

/** The refusal of people who may only look. Controls with it are not shown; values are shown as text. */
export const viewOnly = t('You have read-only access to this project.')
