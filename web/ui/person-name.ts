import { supportName } from '#events/support-name.ts'
import { formerMember } from '#identity/former-member.ts'
import { t } from '../words/words.ts'

/** The name of somebody whose account may be closed, or who helps a project without belonging to it. */
export function personName(name: string): string {
  if (name === formerMember) return t('Former member')
  return name === supportName ? t('Cardinal support') : name
}
