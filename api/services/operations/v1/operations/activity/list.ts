import { notFound } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { badCursor, pageInput, pageOf, pageOutput, readPage } from '#api/page.ts'
import { type ActivityEntry, activityEntry, listActivity } from '#boards/activity.ts'
import { usual } from '#contract/failure.ts'
import type { Exchange } from '#contract/operation.ts'
import { integer, list, optional, record } from '#contract/schema.ts'
import { type Finding, findingSentence } from '#events/finding.ts'

/** The findings of Cardinal's own checks become sentences in the reader's language. */
function withFindingSaid(entry: ActivityEntry, http: Exchange): ActivityEntry {
  const { finding, ...data } = entry.data
  if (finding === undefined) return entry
  return { ...entry, data: { ...data, detail: http.say(findingSentence(finding as Finding)) } }
}

export default operation({
  path: '/services/operations/v1/operations/activity/list',
  summary: 'List who changed what on a board or one of its cards, newest first, in pages',
  audience: 'read',
  on: { board: 'board_id' },
  input: { board_id: integer(), card_id: optional(integer()), ...pageInput },
  fromReplica: true,
  success: 200,
  message: 'What happened.',
  output: record({ activity: list(activityEntry), ...pageOutput }),
  failures: { 403: usual[403], 422: { ...badCursor, card_id: notFound } },
  check: ({ input, fail }) => void readPage(input, fail),
  async handle({ input, projectId, isForeign, db, http, fail }) {
    const { after, limit } = readPage(input, fail)
    const { board_id: boardId, card_id: cardId = null } = input
    const rows = await listActivity(db, { projectId, boardId, cardId }, { after, limit: limit + 1 })
    if (rows === 'no card' && (await isForeign('card', cardId as number))) throw fail(403, 'forbidden')
    if (rows === 'no card') throw fail(422, { card_id: 'not_found' })
    if (!rows) return undefined
    const page = pageOf(rows, limit)
    const activity = page.rows.map((entry) => withFindingSaid(entry, http))
    return { activity, next_cursor: page.next_cursor }
  },
})
