import { mail, oneLine, timeIn } from '../content.ts'

const sentences = {
  linked: 'Your account was linked with single sign-on',
  unlinked: 'Your account is no longer linked with single sign-on',
} as const

/** Tells that somebody can sign in to the account by the identity provider, or no longer can. */
export const signOn = mail<{
  email: string
  change: keyof typeof sentences
  issuer: string
  at: string
  address: string | null
}>({
  hours: 24,
  write: ({ email, change, issuer, at, address }, { say, locale, url }) => ({
    subject: say(sentences[change]),
    paragraphs: [say('This is about the Cardinal account :email.', { email })],
    facts: [
      [say('Identity provider'), oneLine(issuer)],
      [say('Time'), timeIn(at, locale)],
      ...(address === null ? [] : [[say('IP address'), address] as [string, string]]),
    ],
    action: { label: say('Reset password'), url: url('/forgot-password') },
    notes: [
      say('If that was you, there is nothing to do. If not, ask the operator of Cardinal for help at once.'),
    ],
  }),
})
