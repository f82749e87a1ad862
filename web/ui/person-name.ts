import { formerMember } from '#identity/former-member.ts'
import { t } from '../words/words.ts'

/** The name of somebody whose account may be closed. */
export const personName = (name: string): string => (name === formerMember ? t('Former member') : name)
