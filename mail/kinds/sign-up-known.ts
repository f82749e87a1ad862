import { mail } from '../content.ts'

/** Tells somebody with an account that another sign-up with their address is not needed. */
export const signUpKnown = mail<{ email: string }>({
  hours: 24,
  write: ({ email }, { say, url }) => ({
    subject: say('You already have an account'),
    paragraphs: [
      say(
        'Someone wanted to create a Cardinal account with :email. It has one already, so nothing changed.',
        {
          email,
        },
      ),
    ],
    action: { label: say('Sign in'), url: url('/sign-in') },
    notes: [
      say('If you forgot your password, choose “Forgot password?” there.'),
      say("If that wasn't you, ignore this email. Nothing changes."),
    ],
  }),
})
