import { mail, oneLine, personIn, timeIn } from '../content.ts'

/** Tells the owners of a project that it was deleted, and how they bring it back. */
export const projectDeleted = mail<{ project: string; actor: string; until: string; projectId: number }>({
  hours: 72,
  write({ project: givenProject, actor: givenActor, until, projectId }, { say, locale, url }) {
    const [project, actor] = [oneLine(givenProject), personIn(givenActor, say)]
    return {
      subject: say(':project was deleted', { project }),
      paragraphs: [
        say(':actor deleted the project :project. No one can open it any more.', { actor, project }),
        say('Until :until an owner can restore it with everything in it. Then it is permanently deleted.', {
          until: timeIn(until, locale),
        }),
      ],
      action: { label: say('Restore project'), url: url(`/p/${projectId}/home`) },
      notes: [say('Paid subscriptions of the project end with their current period.')],
    }
  },
})
