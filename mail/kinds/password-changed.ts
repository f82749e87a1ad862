import { mail, timeIn } from '../content.ts'

/** Tells that the password is a new one, so that the owner notices if somebody else has changed it. */
export const passwordChanged = mail<{ email: string; at: string; address: string | null }>({
  hours: 24,
  write: ({ email, at, address }, { say, locale, url }) => ({
    subject: say('Your password was changed'),
    paragraphs: [say('The password of the Cardinal account :email was changed.', { email })],
    facts: [
      [say('Time'), timeIn(at, locale)],
      ...(address === null ? [] : [[say('IP address'), address] as [string, string]]),
    ],
    action: { label: say('Reset password'), url: url('/forgot-password') },
    notes: [say('If that was you, there is nothing to do. If not, reset the password now.')],
  }),
})
