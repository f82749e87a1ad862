import { mail, timeIn } from '../content.ts'

const sentences = {
  enabled: 'Two-factor authentication was turned on',
  disabled: 'Two-factor authentication was turned off',
  reset: 'Two-factor authentication was reset',
  codes: 'New recovery codes were created',
} as const

/** Tells that two-factor authentication is another one than before. */
export const secondFactor = mail<{
  email: string
  change: keyof typeof sentences
  at: string
  address: string | null
}>({
  hours: 24,
  write: ({ email, change, at, address }, { say, locale, url }) => ({
    subject: say(sentences[change]),
    paragraphs: [say('This is about the Cardinal account :email.', { email })],
    facts: [
      [say('Time'), timeIn(at, locale)],
      ...(address === null ? [] : [[say('IP address'), address] as [string, string]]),
    ],
    action: { label: say('Reset password'), url: url('/forgot-password') },
    notes: [say('If that was you, there is nothing to do. If not, reset the password now.')],
  }),
})
