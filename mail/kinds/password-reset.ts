import { mail } from '../content.ts'

/** The link with which somebody who forgot their password chooses a new one. */
export const passwordReset = mail<{ email: string; minutes: number }>({
  hours: 0.5,
  write: ({ email, minutes }, { say, url, secret }) => ({
    subject: say('Reset your password'),
    paragraphs: [say('Someone asked to reset the password of the Cardinal account :email.', { email })],
    action: { label: say('Choose a new password'), url: url(`/reset-password#${secret}`) },
    notes: [
      say('The link works once, within :minutes minutes. Using it ends all sessions of the account.', {
        minutes,
      }),
      say("If that wasn't you, ignore this email. The password stays as it is."),
    ],
  }),
})
