import { operation } from '#api/operation.ts'
import { pageInput, pageOf, pageOutput, readPage } from '#api/page.ts'
import { activityEntry, listActivity } from '#boards/activity.ts'
import { integer, list, optional, record } from '#contract/schema.ts'
import { inProjectOf, inProjectOfOrElse } from '#identity/in-project.ts'
import { invalid } from '../fields.ts'

export default operation({
  path: '/services/operations/v1/operations/activity/list',
  summary: 'Who changed what on a board, or on one of its cards, the newest first, a page at a time',
  audience: 'read',
  input: { board_id: integer(), card_id: optional(integer()), ...pageInput },
  success: 200,
  message: 'What happened.',
  output: record({ activity: list(activityEntry), ...pageOutput }),
  failures: [403, 404, 422],
  async handle({ input, caller, db, fail }) {
    const { after, limit } = readPage(input, fail)
    const { board_id: boardId, card_id: cardId = null } = input
    const question = { db, caller, permission: 'read', kind: 'boards', id: boardId } as const
    const rows = await inProjectOf(question, fail, ({ projectId }) =>
      listActivity(db, { projectId, boardId, cardId }, { after, limit: limit + 1 }),
    )
    if (rows === 'no card') {
      const missingCard = () => fail(422, invalid('card_id'))
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
