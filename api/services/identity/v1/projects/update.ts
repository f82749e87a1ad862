import { notFound } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { integer, oneOf, optional, record, text } from '#contract/schema.ts'
import { longestWebsiteUrl, readWebsiteUrl } from '#evaluations/website-address.ts'
import { languages } from '#languages/known.ts'
import { changeProject } from '#projects/changing.ts'
import { project } from './project.ts'

export default operation({
  path: '/services/identity/v1/projects/update',
  summary: 'Change the name of a project, the address of its website, its language or its time zone',
  audience: 'manage',
  on: { project: 'id' },
  input: {
    id: integer(),
    name: optional(text({ max: 255 })),
    website_url: optional(
      text({ max: longestWebsiteUrl, about: 'What checks such as `http:/imprint` look at; null for none.' }),
    ),
    language: optional(
      oneOf(languages, {
        about:
          'The language of invitations, and of new members who choose none; null for that of who invites.',
      }),
    ),
    time_zone: optional(
      text({
        max: 64,
        about:
          'The time zone of new members, and where days end for people without one, such as `Europe/Berlin`; null for UTC.',
      }),
    ),
  },
  success: 200,
  message: 'The project was updated.',
  output: record({ project }),
  failures: {
    422: {
      website_url: {
        not_a_website:
          'The :attribute field must be an address that starts with http:// or https://, without a user name, a question mark or a #.',
      },
      time_zone: notFound,
    },
  },
  writes: true,
  check({ input: { website_url: given }, fail }) {
    if (typeof given === 'string' && readWebsiteUrl(given) === undefined)
      throw fail(422, { website_url: 'not_a_website' })
  },
  async handle({ input, caller, projectId, role, db, fail }) {
    if (input.id !== projectId) return undefined
    const { name, website_url: given, language, time_zone } = input
    const wanted = {
      ...{ name: name ?? undefined, language, time_zone },
      website_url: typeof given === 'string' ? readWebsiteUrl(given) : given,
    }
    const changed = await changeProject(db, { projectId, actorId: caller.id }, wanted)
    if (changed === 'unknown time zone') throw fail(422, { time_zone: 'not_found' })
    return changed && { project: { ...changed, role } }
  },
})
