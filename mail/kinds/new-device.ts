import { mail, oneLine, timeIn } from '../content.ts'

/** Tells of a sign-in from a device that the account was not used on before. */
export const newDevice = mail<{ email: string; device: string; at: string; address: string | null }>({
  hours: 24,
  write: ({ email, device, at, address }, { say, locale, url }) => ({
    subject: say('New sign-in to your account'),
    paragraphs: [
      say('Someone signed in to the Cardinal account :email on a device that was not used before.', {
        email,
      }),
    ],
    facts: [
      [say('Device'), oneLine(device) || say('Unknown')],
      [say('Time'), timeIn(at, locale)],
      ...(address === null ? [] : [[say('IP address'), address] as [string, string]]),
    ],
    action: { label: say('Reset password'), url: url('/forgot-password') },
    notes: [say('If that was you, there is nothing to do. If not, reset the password now.')],
  }),
})
