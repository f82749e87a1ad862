import { noAudience } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { integer, record } from '#contract/schema.ts'
import { audience, readAudience } from '#fleet/audience.ts'
import { countFleet } from '#fleet/listing.ts'

export default operation({
  path: '/services/operations/v1/admin/audiences/get',
  summary: 'An audience, and how many projects match it now',
  audience: 'superadmin',
  on: { audience: 'id' },
  input: { id: integer() },
  success: 200,
  message: 'The audience.',
  output: record({ audience, projects_count: integer({ about: 'From the figures of `projects/list`.' }) }),
  failures: { 404: noAudience },
  async handle({ input: { id }, db, fail }) {
    const found = await readAudience(db, id)
    if (!found) throw fail(404, 'audience_not_found')
    const fleet = { platformId: found.platform_id, isDeleted: false, isArchived: false }
    return { audience: found, projects_count: await countFleet(db, fleet, found) }
  },
})
