import { operation } from '#api/operation.ts'
import { limitReached, onLimit } from '#api/quota.ts'
import { changeView } from '#boards/view/saving.ts'
import { view } from '#boards/view/view.ts'
import { flag, integer, optional, record, text } from '#contract/schema.ts'
import { may } from '#identity/roles.ts'
import { onlyOwnViews } from './shared-views.ts'

export default operation({
  path: '/services/operations/v1/operations/views/update',
  summary: 'Rename a saved view, save other parameters in it, or share it with the project',
  audience: 'read',
  on: { view: 'id' },
  input: {
    id: integer(),
    name: optional(text({ min: 1, max: 255 })),
    parameters: optional(text({ min: 1, max: 2000 })),
    is_shared: optional(flag()),
  },
  success: 200,
  message: 'The view was updated.',
  output: record({ view }),
  failures: { 403: onlyOwnViews, 422: { is_shared: limitReached } },
  writes: true,
  async handle({ input: { id, ...wanted }, caller, projectId, role, db, quotas, fail }) {
    const by = { projectId, userId: caller.id, mayShare: may(caller, role, 'work'), id }
    const changing = changeView(db, quotas, by, wanted)
    const view = await changing.catch(onLimit((limit) => fail(422, { is_shared: limit })))
    if (view === 'not allowed') throw fail(403, 'only_own_views')
    return view && { view }
  },
})
