import type { Role } from '#identity/roles.ts'
import { t } from '../words/words.ts'

/** As they are said in a sentence. */
export const roleNames: Readonly<Record<Role, string>> = {
  viewer: t('viewer', { as: 'role' }),
  member: t('member', { as: 'role' }),
  admin: t('admin', { as: 'role' }),
  owner: t('owner', { as: 'role' }),
}

/** What each may do, where one is chosen. */
export const roleWords: Readonly<Record<Role, string>> = {
  viewer: t('Can see everything, but change nothing.'),
  member: t('Can create, change and move cards, and comment.'),
  admin: t('Can also manage boards, settings and members.'),
  owner: t('Can also manage the subscription and other owners.'),
}
