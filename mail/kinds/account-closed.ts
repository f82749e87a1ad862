import { mail, timeIn } from '../content.ts'

/** The last mail to somebody who has closed their account. */
export const accountClosed = mail<{ email: string; at: string; address: string | null }>({
  hours: 24,
  write: ({ email, at, address }, { say, locale }) => ({
    subject: say('Your account was closed'),
    paragraphs: [
      say(
        'The Cardinal account :email was closed. Comments and cards that you wrote stay in their projects, without your name.',
        {
          email,
        },
      ),
    ],
    facts: [
      [say('Time'), timeIn(at, locale)],
      ...(address === null ? [] : [[say('IP address'), address] as [string, string]]),
    ],
    notes: [
      say('If that was you, there is nothing to do. If not, ask the operator of Cardinal for help at once.'),
    ],
  }),
})
