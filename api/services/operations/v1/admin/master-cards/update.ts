import { noMasterCard } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { longestField, onLimit } from '#api/quota.ts'
import { type Card, card } from '#boards/card/card.ts'
import { changesOf, isEmpty } from '#boards/changes.ts'
import { integer, record } from '#contract/schema.ts'
import { assignments } from '#database/assignments.ts'
import { keepRevisions, lockBoardOf } from '#templates/masters.ts'
import { refuseLargerTemplate, templateSize } from '#templates/size.ts'
import { cleaned, optionalTitle } from '../../operations/fields.ts'
import { badTexts, masterCardInput, readMasterCard, withFreeIdentifier } from './master-card.ts'

export default operation({
  path: '/services/operations/v1/admin/master-cards/update',
  summary: 'Change a master card; its copies change with the next push or sync',
  audience: 'superadmin',
  input: {
    id: integer(),
    title: optionalTitle,
    ...masterCardInput,
  },
  success: 200,
  message: 'The master card was updated.',
  output: record({ card }),
  failures: { 404: noMasterCard, 422: badTexts },
  writes: true,
  async handle({ input: { id, ...fields }, caller, db, quotas, readDescription, fail }) {
    const wanted = await cleaned(fields, { readDescription, fail })
    const update = db.transaction(async (queries) => {
      const { sql } = queries
      const board = await lockBoardOf(queries, 'master_cards', id)
      const before = board && (await readMasterCard(queries, id))
      if (!before) throw fail(404, 'master_card_not_found')
      const changes = changesOf(before, wanted, {
        kept: ['title', 'status', 'priority', 'is_active', 'needs_confirmation'],
      })
      if (isEmpty(changes)) return before
      const size = await templateSize(queries, board.id)
      await sql`update master_cards set ${assignments(queries, changes.values)} where id = ${id}`
      await keepRevisions(queries, board.id, caller.id, { cardIds: [id] })
      await refuseLargerTemplate(queries, quotas, board.id, size)
      return (await readMasterCard(queries, id)) as Card
    })
    const updated = withFreeIdentifier(update, fail).catch(
      onLimit((limit) => fail(422, { [longestField(wanted)]: limit })),
    )
    return { card: await updated }
  },
})
