import { mail } from '../content.ts'

/** The link with which somebody confirms their address and creates an account. */
export const signUp = mail<{ email: string; hours: number }>({
  hours: 24,
  write: ({ email, hours }, { say, url, secret }) => ({
    subject: say('Confirm your email address'),
    paragraphs: [
      say('You want to use Cardinal with the address :email. Continue with this link.', { email }),
    ],
    action: { label: say('Create account'), url: url(`/sign-up#${secret}`) },
    notes: [
      say('The link works once, within :hours hours.', { hours }),
      say("If that wasn't you, ignore this email. Nothing changes."),
    ],
  }),
})
