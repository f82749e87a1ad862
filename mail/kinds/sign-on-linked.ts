import { mail, oneLine, timeIn } from '../content.ts'

/** Tells that somebody can sign in to the account by the identity provider. */
export const signOnLinked = mail<{ email: string; issuer: string; at: string; address: string | null }>({
  hours: 24,
  write: ({ email, issuer, at, address }, { say, locale, url }) => ({
    subject: say('Your account was linked with single sign-on'),
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
