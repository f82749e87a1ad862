import { noMasterBoard } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { limitReached, onLimit } from '#api/quota.ts'
import { integer, record } from '#contract/schema.ts'
import { copyMaster } from '#templates/new-master.ts'
import { optionalTitle } from '../../operations/fields.ts'
import { readWholeMasterBoard, type WholeMasterBoard, wholeMasterBoard } from './master-board.ts'

export default operation({
  path: '/services/operations/v1/admin/master-boards/duplicate',
  summary: 'A new master board with the groups and cards of another; it is not pushed anywhere yet',
  audience: 'superadmin',
  input: { id: integer(), title: optionalTitle },
  success: 201,
  message: 'The master board was duplicated.',
  output: record({ board: wholeMasterBoard }),
  failures: { 400: limitReached, 404: noMasterBoard },
  writes: true,
  async handle({ input: { id, title }, caller, db, quotas, fail }) {
    const creation = db.transaction(async (queries) => {
      const copyId = await copyMaster(queries, id, { title: title ?? null, actorId: caller.id, quotas })
      if (copyId === undefined) throw fail(404, 'master_board_not_found')
      return readWholeMasterBoard(queries, copyId)
    })
    const board = await creation.catch(onLimit((limit) => fail(400, ...limit)))
    return { board: board as WholeMasterBoard }
  },
})
