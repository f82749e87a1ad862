import { operation } from '#api/operation.ts'
import { limitReached, onLimit } from '#api/quota.ts'
import { integer, record } from '#contract/schema.ts'
import { masterFromBoard } from '#templates/new-master.ts'
import { optionalTitle } from '../../operations/fields.ts'
import { readWholeMasterBoard, type WholeMasterBoard, wholeMasterBoard } from './master-board.ts'

export default operation({
  path: '/services/operations/v1/admin/master-boards/from-board',
  summary:
    "A new master board with the groups and cards of a project's board; every card is open and has no owner",
  audience: 'superadmin',
  input: { board_id: integer(), title: optionalTitle },
  success: 201,
  message: 'The master board was created.',
  output: record({ board: wholeMasterBoard }),
  failures: { 400: limitReached, 404: { board_not_found: 'There is no board with this id.' } },
  writes: true,
  async handle({ input: { board_id: boardId, title }, caller, db, quotas, fail }) {
    const creation = db.transaction(async (queries) => {
      const id = await masterFromBoard(queries, boardId, { title: title ?? null, actorId: caller.id, quotas })
      if (id === undefined) throw fail(404, 'board_not_found')
      return readWholeMasterBoard(queries, id)
    })
    const board = await creation.catch(onLimit((limit) => fail(400, ...limit)))
    return { board: board as WholeMasterBoard }
  },
})
