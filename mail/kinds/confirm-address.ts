import { mail } from '../content.ts'

/** The link with which the owner of an account confirms that a new address is theirs. */
export const confirmAddress = mail<{ before: string; email: string; hours: number }>({
  hours: 24,
  write: ({ before, email, hours }, { say, url, secret }) => ({
    subject: say('Confirm your email address'),
    paragraphs: [
      say('The Cardinal account :before wants to use the address :email from now on.', { before, email }),
    ],
    action: { label: say('Confirm address'), url: url(`/confirm-email#${secret}`) },
    notes: [
      say('The link works once, within :hours hours.', { hours }),
      say("If that wasn't you, ignore this email. Nothing changes."),
    ],
  }),
})
