import { operation } from '#api/operation.ts'
import { deleteView } from '#boards/view/saving.ts'
import { integer, nothing } from '#contract/schema.ts'
import { may } from '#identity/roles.ts'
import { onlyOwnViews } from './shared-views.ts'

export default operation({
  path: '/services/operations/v1/operations/views/delete',
  summary: 'Delete a saved view; the cards stay as they are',
  audience: 'read',
  on: { view: 'id' },
  input: { id: integer() },
  success: 200,
  message: 'The view was deleted.',
  output: nothing,
  failures: { 403: onlyOwnViews },
  writes: true,
  async handle({ input: { id }, caller, projectId, role, db, fail }) {
    const by = { projectId, userId: caller.id, mayShare: may(caller, role, 'work'), id }
    const outcome = await deleteView(db, by)
    if (outcome === 'not allowed') throw fail(403, 'only_own_views')
    return outcome && []
  },
})
