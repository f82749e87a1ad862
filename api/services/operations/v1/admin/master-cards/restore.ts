import { operation } from '#api/operation.ts'
import { limitReached, onLimit } from '#api/quota.ts'
import { type Card, card } from '#boards/card/card.ts'
import { integer, record } from '#contract/schema.ts'
import { violates } from '#database/connect.ts'
import { keepRevisions, lockBoardOf } from '#templates/masters.ts'
import { refuseLargerTemplate, templateSize } from '#templates/size.ts'
import { readMasterCard } from './master-card.ts'

export default operation({
  path: '/services/operations/v1/admin/master-cards/restore',
  summary: 'Bring a deleted master card back to its place',
  audience: 'superadmin',
  input: { id: integer() },
  success: 200,
  message: 'The master card was restored.',
  output: record({ card }),
  failures: {
    400: {
      ...limitReached,
      master_card_not_deleted: 'This master card is not deleted.',
      master_group_deleted: 'The group of this master card was deleted.',
      identifier_taken: 'Another master card has its unique identifier now; change that one first.',
    },
    404: { master_card_not_found: 'There is no deleted master card with this id.' },
  },
  writes: true,
  async handle({ input: { id }, caller, db, quotas, fail }) {
    const restoration = db.transaction(async (queries) => {
      const { sql } = queries
      const board = await lockBoardOf(queries, 'master_cards', id)
      if (!board) throw fail(404, 'master_card_not_found')
      if (await readMasterCard(queries, id)) throw fail(400, 'master_card_not_deleted')
      const size = await templateSize(queries, board.id)
      const restored = await sql`
        update master_cards c set deleted_at = null from master_groups g
        where c.id = ${id} and g.id = c.group_id and g.deleted_at is null returning c.id`
      if (restored.length === 0) throw fail(400, 'master_group_deleted')
      await keepRevisions(queries, board.id, caller.id, { cardIds: [id] })
      await refuseLargerTemplate(queries, quotas, board.id, size)
      return (await readMasterCard(queries, id)) as Card
    })
    return {
      card: await restoration.catch(onLimit((limit) => fail(400, ...limit))).catch((error) => {
        if (!violates(error, 'master_cards_identifier')) throw error
        throw fail(400, 'identifier_taken')
      }),
    }
  },
})
