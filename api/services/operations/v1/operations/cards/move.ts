import { operation } from '#api/operation.ts'
import { refusedOn } from '#api/quota.ts'
import { card, readCard } from '#boards/card/card.ts'
import { integer, optional, record } from '#contract/schema.ts'
import { changeAtOnce } from '#events/change.ts'
import { inProjectOf, inProjectOfOrElse } from '#identity/in-project.ts'

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
  async handle({ input: { id, group_id: groupId = null, position = null }, caller, db, quotas, fail }) {
    const missingGroup = () => fail(422, { group_id: ['The selected group id is invalid.'] })
    const attempt = async (projectId: number) => {
      const values = [projectId, id, groupId, position, caller.id, JSON.stringify(quotas)]
      const [row] = await changeAtOnce<{ outcome: Outcome }>(db, projectId, moveStatement, values).catch(
        refusedOn(fail, 'group_id'),
      )
      if (row?.outcome === 'no card') return undefined
      return row?.outcome === 'no group' ? row.outcome : readCard(db, projectId, id)
    }
    const moved = await inProjectOf(
      { db, caller, permission: 'work', kind: 'cards', id },
      fail,
      ({ projectId }) => attempt(projectId),
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
type Outcome = 'moved' | 'there already' | 'no card' | 'no group'
