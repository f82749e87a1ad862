import { operation } from '#api/operation.ts'
import { flag, html, integer, oneOf, optional, record, text } from '#contract/schema.ts'
import { keepRevisions, lockBoardOf } from '#templates/masters.ts'
import { type Card, card, cleanDescription, priorities } from '../../operations/cards/card.ts'
import { changesOf, isEmpty } from '../../operations/changes.ts'
import { masterStatuses, readMasterCard, withFreeIdentifier } from './master-card.ts'

export default operation({
  path: '/services/operations/v1/admin/master-cards/update',
  summary: 'Change a master card; its copies change with the next push or sync',
  audience: 'superadmin',
  input: {
    id: integer(),
    title: optional(text({ min: 1, max: 255 })),
    description: optional(html()),
    unique_identifier: optional(text({ max: 100 })),
    evaluation_check: optional(text({ max: 100 })),
    tour_key: optional(text({ max: 100 })),
    short_description: optional(text()),
    status: optional(oneOf(masterStatuses)),
    is_active: optional(flag()),
    priority: optional(oneOf(priorities)),
  },
  success: 200,
  message: 'The master card was updated.',
  output: record({ card }),
  failures: [404, 422],
  writes: true,
  async handle({ input: { id, ...fields }, caller, db, fail }) {
    const wanted = {
      ...fields,
      ...(fields.description && { description: cleanDescription(fields.description, fail) }),
    }
    const update = db.transaction(async (queries) => {
      const { sql } = queries
      const board = await lockBoardOf(queries, 'master_cards', id)
      const before = board && (await readMasterCard(queries, id))
      if (!before) throw fail(404, 'There is no master card with this id.')
      const changes = changesOf(before, wanted, { kept: ['title', 'status', 'priority', 'is_active'] })
      if (isEmpty(changes)) return before
      await sql`update master_cards set ${sql(changes.values as never)} where id = ${id}`
      await keepRevisions(queries, board.id, caller.id, { cardIds: [id] })
      return (await readMasterCard(queries, id)) as Card
    })
    return { card: await withFreeIdentifier(update, fail) }
  },
})
