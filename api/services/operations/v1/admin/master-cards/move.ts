import { noMasterCard, notFound } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { limitReached, onLimit } from '#api/quota.ts'
import { type Card, card } from '#boards/card/card.ts'
import { integer, optional, record } from '#contract/schema.ts'
import { keepRevisions, lockBoardOf, writeMasterOrder } from '#templates/masters.ts'
import type { Ranked } from '#templates/ranks.ts'
import { refuseLargerTemplate, templateSize } from '#templates/size.ts'
import { readMasterCard } from './master-card.ts'

export default operation({
  path: '/services/operations/v1/admin/master-cards/move',
  summary:
    'Move a master card to a place of its group or of another one of its board; without a place, to the end',
  audience: 'superadmin',
  input: { id: integer(), group_id: optional(integer()), position: optional(integer()) },
  success: 200,
  message: 'The master card was moved.',
  output: record({ card }),
  failures: { 404: noMasterCard, 422: { group_id: { ...notFound, ...limitReached } } },
  writes: true,
  async handle({ input: { id, group_id: wantedGroup, position }, caller, db, quotas, fail }) {
    const move = db.transaction(async (queries) => {
      const { sql } = queries
      const board = await lockBoardOf(queries, 'master_cards', id)
      const before = board && (await readMasterCard(queries, id))
      if (!before) throw fail(404, 'master_card_not_found')
      const groupId = wantedGroup ?? (before.group_id as number)
      const [group] = await sql`
        select from master_groups where id = ${groupId} and board_id = ${board.id} and deleted_at is null`
      if (!group) throw fail(422, { group_id: 'not_found' })
      const others = await sql<{ id: number; rank: number }[]>`
        select id, rank from master_cards where group_id = ${groupId} and id <> ${id} and deleted_at is null order by rank`
      const place = Math.min(Math.max(position ?? others.length + 1, 1), others.length + 1)
      if (groupId === before.group_id && place === before.position) return before
      const size = await templateSize(queries, board.id)
      await sql`update master_cards set group_id = ${groupId}, rank = list_end() where id = ${id}`
      const order = (others as Ranked[]).toSpliced(place - 1, 0, { id, rank: undefined })
      const changed = await writeMasterOrder(queries, { boardId: board.id, groupId }, order)
      await keepRevisions(queries, board.id, caller.id, { cardIds: changed })
      await refuseLargerTemplate(queries, quotas, board.id, size)
      return (await readMasterCard(queries, id)) as Card
    })
    return { card: await move.catch(onLimit((limit) => fail(422, { group_id: limit }))) }
  },
})
