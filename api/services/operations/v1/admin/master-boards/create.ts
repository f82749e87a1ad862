import { operation } from '#api/operation.ts'
import { html, optional, record, text } from '#contract/schema.ts'
import { ensurePlatform } from '#identity/accounts.ts'
import { keepRevisions } from '#templates/masters.ts'
import { cleanDescription } from '../../operations/cards/card.ts'
import { type MasterBoard, masterBoard, readMasterBoard } from './master-board.ts'

export default operation({
  path: '/services/operations/v1/admin/master-boards/create',
  summary: 'Create an empty master board',
  audience: 'superadmin',
  input: {
    title: text({ max: 255 }),
    description: optional(html()),
    tool_key: optional(text({ max: 100 })),
    icon: optional(text({ max: 100 })),
    color: optional(text({ max: 50 })),
  },
  success: 201,
  message: 'The master board was created.',
  output: record({ board: masterBoard }),
  failures: [422],
  writes: true,
  async handle({ input, caller, db, fail }) {
    const { title, tool_key: toolKey = null, icon = null, color = null } = input
    const description = input.description ? cleanDescription(input.description, fail) : null
    const board = await db.transaction(async (queries) => {
      const platformId = await ensurePlatform(queries)
      const [made] = await queries.sql<{ id: number }[]>`
        insert into master_boards (platform_id, title, description, tool_key, icon, color, created_by)
        values (${platformId}, ${title}, ${description}, ${toolKey}, ${icon}, ${color}, ${caller.id}) returning id`
      const id = made?.id as number
      await keepRevisions(queries, id, caller.id, { board: true })
      return readMasterBoard(queries, id)
    })
    return { board: board as MasterBoard }
  },
})
