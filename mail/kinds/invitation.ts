import { mail, oneLine, personIn, withoutLinks } from '../content.ts'

/** The link with which somebody joins a project. */
export const invitation = mail<{ inviter: string; project: string; email: string; days: number }>({
  hours: 72,
  write({ inviter: givenInviter, project: givenProject, email, days }, { say, url, secret }) {
    // The recipient may not know either of them.
    const [inviter, project] = [
      withoutLinks(personIn(givenInviter, say)),
      withoutLinks(oneLine(givenProject)),
    ]
    return {
      subject: say(':inviter invited you to :project', { inviter, project }),
      paragraphs: [
        say(':inviter invited you to work on the boards of :project in Cardinal.', { inviter, project }),
      ],
      action: { label: say('Accept invitation'), url: url(`/invitation#${secret}`) },
      notes: [
        say('The link works once, within :days days, for :email.', { days, email }),
        say("If you don't know :inviter, ignore this email.", { inviter }),
      ],
    }
  },
})
