import { operation } from '#api/operation.ts'
import { integer, record } from '#contract/schema.ts'
import { change } from '#events/change.ts'
import { recordEvent } from '#events/record.ts'
import { currentProject } from '#identity/caller.ts'

export default operation({
  path: '/services/operations/v1/operations/tour/cards/dismiss-all',
  summary: 'Dismiss every tour card of the project; no push or sync brings them back',
  audience: 'work',
  input: {},
  success: 200,
  message: 'The tour was dismissed.',
  output: record({ dismissed_count: integer() }),
  failures: [403, 422],
  writes: true,
  async handle({ caller, db, fail }) {
    const projectId = currentProject(caller, 'work', fail)
    return change(db, projectId, async (queries) => {
      const dismissed = await queries.sql<{ board_id: number; id: number }[]>`
        update cards set is_active = false, updated_at = now()
        where project_id = ${projectId} and tour_key is not null and is_active and deleted_at is null
        returning board_id, id`
      for (const [boardId, cards] of Map.groupBy(dismissed, ({ board_id }) => board_id)) {
        const data = { card_ids: cards.map(({ id }) => id).sort((a, b) => a - b) }
        await recordEvent(queries, { boardId, actorId: caller.id, kind: 'cards.dismissed', data })
      }
      return { dismissed_count: dismissed.length }
    })
  },
})
