import { type Permission, permissions, roles } from '#identity/roles.ts'

const conjunction = new Intl.ListFormat('en-GB', { type: 'conjunction' })

/** `x-audience` as a phrase. */
export function audienceInWords(audience: string): string {
  if (audience === 'public') return 'Anyone, without a token'
  if (audience === 'signed in') return 'Every signed-in user'
  if (audience === 'superadmin') return 'Superadmins'
  if (audience === 'superadmin with billing') return 'Superadmins with superadmin_billing'
  if (!Object.hasOwn(permissions, audience)) return audience
  const { least, superadminNeeds } = permissions[audience as Permission]
  const members = roles.slice(roles.indexOf(least)).map((role) => `${role}s`)
  const superadmins = superadminNeeds ? `superadmins with ${superadminNeeds}` : 'superadmins'
  const sentence = `${conjunction.format(members)} of the project, and ${superadmins}`
  return sentence.charAt(0).toUpperCase() + sentence.slice(1)
}
