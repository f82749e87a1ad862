import { mail, timeIn } from '../content.ts'

/** Tells the old address that the account is about to get another one, and again when it has. */
export const addressChanging = mail<{ email: string; isDone: boolean; at: string; address: string | null }>({
  hours: 24,
  write: ({ email, isDone, at, address }, { say, locale, url }) => ({
    subject: isDone ? say('Your email address was changed') : say('Your email address is about to change'),
    paragraphs: [
      isDone
        ? say('The Cardinal account :email now has another address. This one no longer signs in.', { email })
        : say('Someone who is signed in to the Cardinal account :email asked to change its address.', {
            email,
          }),
    ],
    facts: [
      [say('Time'), timeIn(at, locale)],
      ...(address === null ? [] : [[say('IP address'), address] as [string, string]]),
    ],
    ...(!isDone && { action: { label: say('Reset password'), url: url('/forgot-password') } }),
    notes: [
      isDone
        ? say(
            'If that was you, there is nothing to do. If not, ask the operator of Cardinal for help at once.',
          )
        : say('If that was you, confirm the link in the other mailbox. If not, reset the password now.'),
    ],
  }),
})
