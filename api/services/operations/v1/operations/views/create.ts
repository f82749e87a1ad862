import { operation } from '#api/operation.ts'
import { limitReached, onLimit } from '#api/quota.ts'
import { createView } from '#boards/view/saving.ts'
import { pagesWithoutBoard, view } from '#boards/view/view.ts'
import { flag, integer, oneOf, optional, record, text } from '#contract/schema.ts'
import { may } from '#identity/roles.ts'
import { onlyOwnViews } from './shared-views.ts'

export default operation({
  path: '/services/operations/v1/operations/views/create',
  summary: 'Save a view of a board, of My cards or of the search, for the caller or for the project',
  audience: 'read',
  on: { board: 'board_id', or: 'project' },
  input: {
    name: text({ max: 255 }),
    parameters: text({ max: 2000 }),
    board_id: optional(integer({ about: 'The id of the board, for a view of a board.' })),
    page: optional(oneOf(pagesWithoutBoard)),
    is_shared: optional(flag()),
  },
  success: 201,
  message: 'The view was saved.',
  output: record({ view }),
  failures: {
    403: onlyOwnViews,
    422: {
      name: limitReached,
      page: { not_exactly_one: 'A view is of a page or of a board: send either page or board_id.' },
    },
  },
  writes: true,
  async handle({ input, caller, projectId, role, db, quotas, fail }) {
    const { name, parameters, board_id: boardId = null, page } = input
    const isShared = input.is_shared ?? false
    if ((boardId === null) === (page == null)) throw fail(422, { page: 'not_exactly_one' })
    if (isShared && !may(caller, role, 'work')) throw fail(403, 'only_own_views')
    const wanted = { boardId, page: page ?? 'board', name, parameters, isShared } as const
    const creation = createView(db, quotas, { projectId, userId: caller.id }, wanted)
    const made = await creation.catch(onLimit((limit) => fail(422, { name: limit })))
    return made && { view: made }
  },
})
