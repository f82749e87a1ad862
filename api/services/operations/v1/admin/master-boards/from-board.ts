import { operation } from '#api/operation.ts'
import { limitReached, onLimit } from '#api/quota.ts'
import { integer, record } from '#contract/schema.ts'
import { createTemplateFromBoard } from '#templates/template/duplicating.ts'
import { wholeTemplate } from '#templates/template/template.ts'
import { optionalTitle } from '../../operations/fields.ts'

export default operation({
  path: '/services/operations/v1/admin/master-boards/from-board',
  summary:
    "Create a template with the groups and cards of a project's board; every card is open and unassigned",
  audience: 'superadmin',
  on: { board: 'board_id' },
  input: { board_id: integer(), title: optionalTitle },
  success: 201,
  message: 'The template was created.',
  output: record({ board: wholeTemplate }),
  failures: { 400: limitReached },
  writes: true,
  async handle({ input: { board_id: boardId, title }, projectId, caller, db, quotas, fail }) {
    const action = { projectId, id: boardId, actorId: caller.id }
    const creating = createTemplateFromBoard(db, quotas, action, { title: title ?? null })
    const board = await creating.catch(onLimit((limit) => fail(400, ...limit)))
    return board && { board }
  },
})
