import { operation } from '#api/operation.ts'
import { integer, record } from '#contract/schema.ts'
import { markCardRead } from '#inbox/listing.ts'

export default operation({
  path: '/services/operations/v1/operations/inbox/mark-card-read',
  summary: "Mark everything about a card in the caller's inbox as read",
  audience: 'read',
  on: { card: 'card_id' },
  input: { card_id: integer() },
  success: 200,
  message: 'Marked as read.',
  output: record({ read_count: integer() }),
  failures: {},
  writes: true,
  async handle({ input: { card_id: cardId }, caller, projectId, db, tell }) {
    const count = await markCardRead(db, { projectId, userId: caller.id }, cardId)
    if (count === undefined) return undefined
    if (count > 0) db.afterCommit(() => tell(projectId, [caller.id]))
    return { read_count: count }
  },
})
