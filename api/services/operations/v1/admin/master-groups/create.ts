import { noMasterBoard } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { limitOn, limitReached, longestField, onLimit } from '#api/quota.ts'
import { type Group, group } from '#boards/group/group.ts'
import { integer, record } from '#contract/schema.ts'
import { keepRevisions, lockMasterBoard } from '#templates/masters.ts'
import { refuseLargerTemplate, templateSize } from '#templates/size.ts'
import { badDescription, cleaned, description, title } from '../../operations/fields.ts'
import { readMasterGroup } from './master-group.ts'

export default operation({
  path: '/services/operations/v1/admin/master-groups/create',
  summary: 'Create a group at the end of a master board',
  audience: 'superadmin',
  input: { board_id: integer(), title, description },
  success: 201,
  message: 'The master group was created.',
  output: record({ group }),
  failures: {
    404: noMasterBoard,
    422: { ...limitOn('board_id', 'title'), description: { ...badDescription, ...limitReached } },
  },
  writes: true,
  async handle({ input, caller, db, quotas, readDescription, fail }) {
    const { board_id: boardId, ...wanted } = await cleaned(input, { readDescription, fail })
    const creation = db.transaction(async (queries) => {
      if (!(await lockMasterBoard(queries, boardId))) throw fail(404, 'master_board_not_found')
      const size = await templateSize(queries, boardId)
      const [made] = await queries.sql<{ id: number }[]>`
        insert into master_groups (board_id, title, description, created_by)
        values (${boardId}, ${wanted.title}, ${wanted.description ?? null}, ${caller.id}) returning id`
      const id = made?.id as number
      await keepRevisions(queries, boardId, caller.id, { groupIds: [id] })
      await refuseLargerTemplate(queries, quotas, boardId, size)
      return readMasterGroup(queries, id)
    })
    const created = await creation.catch(
      onLimit((limit, quota) =>
        fail(422, { [quota.startsWith('bytes') ? longestField(wanted) : 'board_id']: limit }),
      ),
    )
    return { group: created as Group }
  },
})
