import { operation } from '#api/operation.ts'
import { platformInput } from '#api/platform.ts'
import { record, text } from '#contract/schema.ts'
import { audience, createAudience } from '#fleet/audience.ts'
import { filterInput } from '#fleet/filter.ts'
import { notSaved, saved } from './audience.ts'

export default operation({
  path: '/services/operations/v1/admin/audiences/create',
  summary: 'Save a filter of projects as an audience',
  about:
    'An audience is the projects that match when it is used, not a list of projects. The fields are those of `projects/list`; a project matches if it matches all of them.',
  audience: 'superadmin',
  on: 'platform',
  input: { name: text({ max: 255 }), ...filterInput, ...platformInput },
  success: 201,
  message: 'The audience was saved.',
  output: record({ audience }),
  failures: { 400: { too_many_audiences: 'A platform can have at most 200 audiences.' }, 422: notSaved },
  writes: true,
  async handle({ input: { platform_id: _, ...wanted }, platformId, caller, db, fail }) {
    const outcome = await createAudience(db, { platformId, actorId: caller.id }, wanted)
    if (outcome === 'too many') throw fail(400, 'too_many_audiences')
    return saved(outcome, fail)
  },
})
