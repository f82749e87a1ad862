import { notFound } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { usual } from '#contract/failure.ts'
import { integer, list, optional, record, text } from '#contract/schema.ts'
import { present, readPresent, showPresence } from '#presence/presence.ts'

export default operation({
  path: '/services/operations/v1/operations/presence/show',
  summary:
    'Show others that the caller has a board open, and which description they edit, while the event stream with this id is open',
  about:
    'Repeat it with every `beat` of the stream: after 45 seconds without it the others no longer see you.',
  audience: 'read',
  on: { board: 'board_id' },
  input: {
    stream_id: text({ min: 1, max: 64 }),
    board_id: integer(),
    editing_card_id: optional(integer({ about: 'The card whose description you are editing.' })),
  },
  success: 200,
  message: 'The others see that you are here.',
  output: record({ people: list(present) }),
  failures: {
    403: usual[403],
    422: {
      editing_card_id: notFound,
      stream_id: { too_many: 'You have too many windows open. Close one of them.' },
    },
  },
  writes: true,
  async handle({ input, caller, projectId, isForeign, db, tellPresence, fail }) {
    const { stream_id: streamId, board_id: boardId, editing_card_id: editingCardId = null } = input
    const outcome = await showPresence(
      db,
      { projectId, userId: caller.id, streamId },
      { boardId, editingCardId },
    )
    if (outcome === 'no card' && (await isForeign('card', editingCardId as number)))
      throw fail(403, 'forbidden')
    if (outcome === 'no card') throw fail(422, { editing_card_id: 'not_found' })
    if (outcome === 'too many') throw fail(422, { stream_id: 'too_many' })
    if (outcome === undefined) return undefined
    db.afterCommit(() => tellPresence(projectId))
    return { people: (await readPresent(db, [projectId])).get(projectId) ?? [] }
  },
})
