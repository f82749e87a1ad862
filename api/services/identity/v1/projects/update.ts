import { operation } from '#api/operation.ts'
import { integer, optional, record, text } from '#contract/schema.ts'
import { longestWebsiteUrl, readWebsiteUrl } from '#evaluations/website-address.ts'
import { changeProject } from '#projects/changing.ts'
import { project } from './project.ts'

export default operation({
  path: '/services/identity/v1/projects/update',
  summary: 'Change the name of a project, or the address of its website',
  audience: 'manage',
  on: { project: 'id' },
  input: {
    id: integer(),
    name: optional(text({ max: 255 })),
    website_url: optional(
      text({ max: longestWebsiteUrl, about: 'What checks such as `http:/imprint` look at; null for none.' }),
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
    },
  },
  writes: true,
  check({ input: { website_url: given }, fail }) {
    if (typeof given === 'string' && readWebsiteUrl(given) === undefined)
      throw fail(422, { website_url: 'not_a_website' })
  },
  async handle({ input, caller, projectId, role, db }) {
    if (input.id !== projectId) return undefined
    const { name, website_url: given } = input
    const wanted = {
      name: name ?? undefined,
      websiteUrl: typeof given === 'string' ? readWebsiteUrl(given) : given,
    }
    const changed = await changeProject(db, { projectId, actorId: caller.id }, wanted)
    return changed && { project: { ...changed, role } }
  },
})
