import { noAudience } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { integer, optional, record, text } from '#contract/schema.ts'
import { audience, changeAudience } from '#fleet/audience.ts'
import { filterInput } from '#fleet/filter.ts'
import { notSaved, saved } from './audience.ts'

export default operation({
  path: '/services/operations/v1/admin/audiences/update',
  summary: 'Rename an audience, or change its filter',
  about: 'A field that is left out stays as it is; null removes it from the filter.',
  audience: 'superadmin',
  on: { audience: 'id' },
  input: { id: integer(), name: optional(text({ min: 1, max: 255 })), ...filterInput },
  success: 200,
  message: 'The audience was updated.',
  output: record({ audience }),
  failures: { 404: noAudience, 422: notSaved },
  writes: true,
  async handle({ input: { id, ...wanted }, db, fail }) {
    const outcome = await changeAudience(db, id, wanted)
    if (!outcome) throw fail(404, 'audience_not_found')
    return saved(outcome, fail)
  },
})
