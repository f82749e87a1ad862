import { operation } from '#api/operation.ts'
import { limitOn, limitReached, longestField, onLimit } from '#api/quota.ts'
import { record } from '#contract/schema.ts'
import { ensurePlatform } from '#projects/platform.ts'
import { keepRevisions } from '#templates/masters.ts'
import { refuseLargerTemplate, refuseMoreTemplates } from '#templates/size.ts'
import { badDescription, cleaned, color, description, icon, title, toolKey } from '../../operations/fields.ts'
import { type MasterBoard, masterBoard, readMasterBoard } from './master-board.ts'

export default operation({
  path: '/services/operations/v1/admin/master-boards/create',
  summary: 'Create an empty master board',
  audience: 'superadmin',
  input: { title, description, tool_key: toolKey, icon, color },
  success: 201,
  message: 'The master board was created.',
  output: record({ board: masterBoard }),
  failures: {
    422: {
      ...limitOn('title', 'tool_key', 'icon', 'color'),
      description: { ...badDescription, ...limitReached },
    },
  },
  writes: true,
  async handle({ input, caller, db, quotas, readDescription, fail }) {
    const wanted = await cleaned(input, { readDescription, fail })
    const creation = db.transaction(async (queries) => {
      const platformId = await ensurePlatform(queries)
      const [made] = await queries.sql<{ id: number }[]>`
        insert into master_boards (platform_id, title, description, tool_key, icon, color, created_by)
        values (${platformId}, ${wanted.title}, ${wanted.description ?? null}, ${wanted.tool_key ?? null},
          ${wanted.icon ?? null}, ${wanted.color ?? null}, ${caller.id}) returning id`
      const id = made?.id as number
      await keepRevisions(queries, id, caller.id, { board: true })
      await refuseMoreTemplates(queries, quotas, platformId)
      await refuseLargerTemplate(queries, quotas, id)
      return readMasterBoard(queries, id)
    })
    const board = await creation.catch(onLimit((limit) => fail(422, { [longestField(wanted)]: limit })))
    return { board: board as MasterBoard }
  },
})
