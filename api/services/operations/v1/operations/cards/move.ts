import { operation } from '#api/operation.ts'
import { refusedOn } from '#api/quota.ts'
import { integer, optional, record } from '#contract/schema.ts'
import { retried, uniqueViolation } from '#database/connect.ts'
import { inProjectOf, inProjectOfOrElse } from '#identity/in-project.ts'
import { card, readCard } from './card.ts'

export default operation({
  path: '/services/operations/v1/operations/cards/move',
  summary: 'Move a card to a place of its group or of another one; without a place, to the end',
  audience: 'work',
  input: { id: integer(), group_id: optional(integer()), position: optional(integer()) },
  success: 200,
  message: 'The card was moved.',
  output: record({ card }),
  failures: [403, 404, 422],
  writes: true,
  async handle({
    input: { id, group_id: groupId = null, position = null },
    caller,
    db,
    live,
    http,
    quotas,
    fail,
  }) {
    const missingGroup = () => fail(422, { group_id: ['The selected group id is invalid.'] })
    const attempt = async (projectId: number) => {
      const values = [projectId, id, groupId, position, caller.id, JSON.stringify(quotas)]
      const [row] = await retried(
        () => db.run<{ outcome: Outcome }>(moveStatement, values),
        uniqueViolation,
      ).catch(refusedOn(fail, 'group_id'))
      if (row?.outcome === 'moved') live.announce(http, projectId)
      else if (row?.outcome !== 'there already') return row?.outcome
      return readCard(db, projectId, id)
    }
    const moved = await inProjectOf(
      { db, caller, permission: 'work', kind: 'cards', id },
      fail,
      async ({ projectId }) => {
        // Another move came between the locks of list and card; both are free again, so that none waits for the other.
        for (;;) {
          const outcome = await attempt(projectId)
          if (outcome !== 'elsewhere') return outcome === 'no card' ? undefined : outcome
        }
      },
    )
    if (moved !== 'no group') return { card: moved }
    // A group of a project that is not the caller's is refused as such; any other is no group of this project.
    await inProjectOfOrElse(
      { db, caller, permission: 'work', kind: 'groups', id: groupId as number },
      fail,
      async () => undefined,
      missingGroup,
    )
    throw missingGroup()
  },
})

const moveStatement = 'select move_card($1, $2, $3, $4, $5, $6::text::jsonb) as outcome'

/** What the database's function tells; it is in database/migrations. */
type Outcome = 'moved' | 'there already' | 'no card' | 'no group' | 'elsewhere'
