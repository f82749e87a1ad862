import { operation } from '#api/operation.ts'
import { boardColumns, boardInList, hasAccess } from '#boards/board/board.ts'
import { list, optional, record, text } from '#contract/schema.ts'
import { currentProject } from '#identity/caller.ts'

export default operation({
  path: '/services/operations/v1/operations/boards/list',
  summary: "The project's active boards that it has access to, in their order",
  audience: 'read',
  input: { tool_key: optional(text()) },
  fromQuery: ['tool_key'],
  success: 200,
  message: 'The boards of the project.',
  output: record({ boards: list(boardInList) }),
  failures: [403, 422],
  async handle({ input, caller, db, fail }) {
    const projectId = currentProject(caller, 'read', fail)
    const boards = await db.run<(typeof boardInList)['static']>(listStatement, [
      projectId,
      input.tool_key ?? null,
    ])
    return { boards }
  },
})

const listStatement = `
  select ${boardColumns},
    (select count(*) from groups g where g.project_id = b.project_id and g.board_id = b.id and g.deleted_at is null)
      as groups_count,
    coalesce(held.cards_count, 0) as cards_count, coalesce(held.open_cards_count, 0) as open_cards_count,
    coalesce(held.overdue_cards_count, 0) as overdue_cards_count
  from boards b join projects p on p.id = b.project_id
  left join (
    select board_id, count(*) as cards_count,
      count(*) filter (where is_active and status <> 'closed') as open_cards_count,
      count(*) filter (where is_active and status <> 'closed' and due_date < now()) as overdue_cards_count
    from cards where project_id = $1 and deleted_at is null group by board_id
  ) held on held.board_id = b.id
  where b.project_id = $1 and b.deleted_at is null and b.is_active and ${hasAccess}
    and ($2::text is null or b.tool_key = $2)
  order by b.rank`
