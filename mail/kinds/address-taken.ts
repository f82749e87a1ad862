import { mail } from '../content.ts'

/** Somebody wants to use an address that already has an account. Only the owner of the address learns that. */
export const addressTaken = mail<{ email: string }>({
  hours: 24,
  write: ({ email }, { say, url }) => ({
    subject: say('This address already has an account'),
    paragraphs: [
      say(
        'Someone asked to use :email for another Cardinal account. It belongs to an account already, so nothing changed.',
        {
          email,
        },
      ),
    ],
    action: { label: say('Sign in'), url: url('/sign-in') },
    notes: [say("If that wasn't you, ignore this email. Nothing changes.")],
  }),
})
