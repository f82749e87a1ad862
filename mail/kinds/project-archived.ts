import { mail, oneLine, personIn } from '../content.ts'

interface Values {
  project: string
  actor: string
  projectId: number
}

/** Tells the owners of a project that it was archived. */
export const projectArchived = mail<Values>({
  hours: 72,
  write({ project: givenProject, actor: givenActor, projectId }, { say, url }) {
    const [project, actor] = [oneLine(givenProject), personIn(givenActor, say)]
    return {
      subject: say(':project was archived', { project }),
      paragraphs: [
        say(':actor archived the project :project. You can still read it, but no one can change it.', {
          actor,
          project,
        }),
        say('The operator of Cardinal can bring it back at any time. Nothing in it is deleted.'),
      ],
      action: { label: say('Open project'), url: url(`/p/${projectId}/home`) },
      notes: [say('Paid subscriptions of the project continue.')],
    }
  },
})

/** Tells them that it was brought back. */
export const projectUnarchived = mail<Values>({
  hours: 72,
  write({ project: givenProject, actor: givenActor, projectId }, { say, url }) {
    const [project, actor] = [oneLine(givenProject), personIn(givenActor, say)]
    return {
      subject: say(':project is back', { project }),
      paragraphs: [
        say(':actor brought back the archived project :project. It can be changed again.', {
          actor,
          project,
        }),
      ],
      action: { label: say('Open project'), url: url(`/p/${projectId}/home`) },
      notes: [],
    }
  },
})
