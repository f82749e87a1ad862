import { noAudience } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { integer, nothing } from '#contract/schema.ts'
import { deleteAudience } from '#fleet/audience.ts'

export default operation({
  path: '/services/operations/v1/admin/audiences/delete',
  summary: 'Delete an audience; its projects and rollouts stay as they are',
  audience: 'superadmin',
  on: { audience: 'id' },
  input: { id: integer() },
  success: 200,
  message: 'The audience was deleted.',
  output: nothing,
  failures: { 404: noAudience },
  writes: true,
  async handle({ input: { id }, db, fail }) {
    if (!(await deleteAudience(db, id))) throw fail(404, 'audience_not_found')
    return []
  },
})
