import { operation } from '#api/operation.ts'
import { pageInput, pageOf, pageOutput, readPage } from '#api/page.ts'
import { integer, list, nullable, optional, record } from '#contract/schema.ts'
import { eventsWithActors, toldColumns, toldEvent } from '#events/told.ts'
import { inProjectOf, inProjectOfOrElse } from '#identity/in-project.ts'

const entry = record({
  ...toldEvent.properties,
  board_id: nullable(integer()),
  card_id: nullable(integer()),
})

export default operation({
  path: '/services/operations/v1/operations/activity/list',
  summary: 'Who changed what on a board, or on one of its cards, the newest first, a page at a time',
  audience: 'read',
  input: { board_id: integer(), card_id: optional(integer()), ...pageInput },
  success: 200,
  message: 'What happened.',
  output: record({ activity: list(entry), ...pageOutput }),
  failures: [403, 404, 422],
  async handle({ input, caller, db, fail }) {
    const { after, limit } = readPage(input, fail)
    const { board_id: id, card_id: cardId = null } = input
    const rows = await inProjectOf(
      { db, caller, permission: 'read', kind: 'boards', id },
      fail,
      async ({ projectId }) => {
        const [board] = await db.run<{ has_card: boolean }>(boardStatement, [projectId, id, cardId])
        if (!board?.has_card) return board && 'no card'
        const values = [projectId, id, cardId, after, limit + 1]
        return db.run<(typeof entry)['static']>(cardId === null ? ofBoard : ofCard, values)
      },
    )
    if (rows === 'no card') {
      const missingCard = () => fail(422, { card_id: ['The selected card id is invalid.'] })
      // A card of a project that is not the caller's is refused as such; any other is no card of this board.
      await inProjectOfOrElse(
        { db, caller, permission: 'read', kind: 'cards', id: cardId as number },
        fail,
        async () => undefined,
        missingCard,
      )
      throw missingCard()
    }
    const page = pageOf(rows, limit)
    return { activity: page.rows, next_cursor: page.next_cursor }
  },
})

const boardStatement = `
  select $3::bigint is null or exists (
    select from cards where project_id = $1 and board_id = $2 and id = $3 and deleted_at is null) as has_card
  from boards where project_id = $1 and id = $2 and deleted_at is null`

const statement = (concerned: string) => `
  select ${toldColumns}, e.board_id, e.card_id from ${eventsWithActors}
  where e.project_id = $1 and ${concerned} and ($4::bigint is null or e.id < $4)
  order by e.id desc limit $5`

const ofBoard = statement('$3::bigint is null and e.board_id = $2')
/** On every board that the card has been on; a move between two is told once, though each of them has it. */
const ofCard = statement(`$2::bigint is not null and e.card_id = $3
  and not (e.kind = 'card.moved' and e.board_id is distinct from coalesce((e.data->>'board_id')::bigint, e.board_id))`)
