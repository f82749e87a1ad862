import { operation } from '#api/operation.ts'
import { pageInput, pageOf, pageOutput, readPage } from '#api/page.ts'
import { activityEntry, listActivity } from '#boards/activity.ts'
import { usualMessages } from '#contract/operation.ts'
import { integer, list, optional, record } from '#contract/schema.ts'
import { invalid } from '../fields.ts'

export default operation({
  path: '/services/operations/v1/operations/activity/list',
  summary: 'Who changed what on a board, or on one of its cards, the newest first, a page at a time',
  audience: 'read',
  on: { board: 'board_id' },
  input: { board_id: integer(), card_id: optional(integer()), ...pageInput },
  success: 200,
  message: 'What happened.',
  output: record({ activity: list(activityEntry), ...pageOutput }),
  failures: [403, 422],
  check: ({ input, fail }) => void readPage(input, fail),
  async handle({ input, projectId, isForeign, db, fail }) {
    const { after, limit } = readPage(input, fail)
    const { board_id: boardId, card_id: cardId = null } = input
    const rows = await listActivity(db, { projectId, boardId, cardId }, { after, limit: limit + 1 })
    if (rows === 'no card' && (await isForeign('card', cardId as number))) throw fail(403, usualMessages[403])
    if (rows === 'no card') throw fail(422, invalid('card_id'))
    if (!rows) return undefined
    const page = pageOf(rows, limit)
    return { activity: page.rows, next_cursor: page.next_cursor }
  },
})
