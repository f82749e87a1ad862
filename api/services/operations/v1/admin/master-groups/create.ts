import { operation } from '#api/operation.ts'
import { longestField, refusedOn } from '#api/quota.ts'
import { type Group, group } from '#boards/group/group.ts'
import { integer, record } from '#contract/schema.ts'
import { keepRevisions, lockMasterBoard } from '#templates/masters.ts'
import { refuseLargerTemplate, templateSize } from '#templates/size.ts'
import { cleaned, description, title } from '../../operations/fields.ts'
import { readMasterGroup } from './master-group.ts'

export default operation({
  path: '/services/operations/v1/admin/master-groups/create',
  summary: 'Create a group at the end of a master board',
  audience: 'superadmin',
  input: { board_id: integer(), title, description },
  success: 201,
  message: 'The master group was created.',
  output: record({ group }),
  failures: [404, 422],
  writes: true,
  async handle({ input, caller, db, quotas, readDescription, fail }) {
    const { board_id: boardId, ...wanted } = await cleaned(input, { readDescription, fail })
    const creation = db.transaction(async (queries) => {
      if (!(await lockMasterBoard(queries, boardId)))
        throw fail(404, 'There is no master board with this id.')
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
      refusedOn(fail, (quota) => (quota.startsWith('bytes') ? longestField(wanted) : 'board_id')),
    )
    return { group: created as Group }
  },
})
