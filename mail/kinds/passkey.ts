import { mail, oneLine, timeIn } from '../content.ts'

const sentences = {
  added: 'A passkey was added to your account',
  removed: 'A passkey was removed from your account',
} as const

/** Tells that somebody can sign in with another passkey than before, or no longer with one. */
export const passkey = mail<{
  email: string
  change: keyof typeof sentences
  name: string
  at: string
  address: string | null
}>({
  hours: 24,
  write: ({ email, change, name, at, address }, { say, locale, url }) => ({
    subject: say(sentences[change]),
    paragraphs: [say('This is about the Cardinal account :email.', { email })],
    facts: [
      [say('Passkey'), oneLine(name)],
      [say('Time'), timeIn(at, locale)],
      ...(address === null ? [] : [[say('IP address'), address] as [string, string]]),
    ],
    action: { label: say('Reset password'), url: url('/forgot-password') },
    notes: [
      say(
        'If that was you, there is nothing to do. If not, reset the password now, then remove unknown passkeys in your account.',
      ),
    ],
  }),
})
