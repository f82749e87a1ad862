// Random changes of a board through the API, as several people make them at once.
import type { createBoard } from './board.ts'

const operations = '/services/operations/v1/operations'

/** Texts that look like the JSON around them. */
const looksLikeJson = (cardId: number, projectId: number) => [
  '"position":0,"card_type":"custom"}',
  `{"id":${cardId},"project_id":${projectId},"platform_id":1,"master_card_id":`,
  ',"version":7,"groups":[{"id":1',
  'Back\\slash \\" $& $1 \u2028 🎉',
  'Plain',
]

/** Returns a function that makes the next change. What another change has made impossible meanwhile is left out. */
export async function randomChanges(
  scene: Awaited<ReturnType<typeof createBoard>>,
  random: (below: number) => number,
) {
  const { projectId, boardId, groupIds, cardIds, members, admin, member } = scene
  const { call } = admin
  const texts = looksLikeJson(cardIds[0] as number, projectId)
  const one = <Value>(values: readonly Value[]) => values[random(values.length)] as Value
  const text = () => `${one(texts)} ${random(1000)}`
  const card = () => one(cardIds)
  const { tag } = await call(`${operations}/tags/create`, { name: 'Tag' })
  const { board: other } = await call(`${operations}/boards/create`, { title: 'Other' })
  const { group: elsewhere } = await call(`${operations}/groups/create`, {
    board_id: other.id,
    title: 'Elsewhere',
  })
  const comments: number[] = []
  const place = () => ({ group_id: one(groupIds), position: 1 + random(3) })
  /** These concern one card. They come more often than others, so that several of them follow each other. */
  const ofCards: (() => Promise<unknown>)[] = [
    () => call(`${operations}/cards/update`, { id: card(), title: text() }),
    () =>
      call(`${operations}/cards/update`, {
        id: card(),
        description: one([null, text(), `<b>${random(9)}</b>`]),
      }),
    () =>
      call(`${operations}/cards/update`, { id: card(), due_date: one([null, '2020-01-01', '2090-01-01']) }),
    () =>
      call(`${operations}/cards/update`, {
        id: card(),
        status: one(['open', 'closed']),
        priority: one(['low', 'high'] as const),
      }),
    () =>
      call(`${operations}/cards/update`, {
        id: card(),
        tag_id: one([null, tag.id]),
        owner_id: one([null, members.member.id]),
      }),
    async () => {
      const input = { card_id: card(), comment: text() }
      comments.push((await member.call(`${operations}/comments/create`, input)).comment.id)
    },
    async () => {
      const gone = comments.shift()
      if (gone !== undefined) await member.call(`${operations}/comments/delete`, { id: gone })
    },
    async () => {
      const input = { title: text(), group_id: one(groupIds), description: one([null, text()]) }
      cardIds.push((await call(`${operations}/cards/create`, input)).card.id)
    },
    () => call(`${operations}/cards/move`, { id: card(), ...place() }),
    () => call(`${operations}/cards/move`, { id: card(), group_id: one(groupIds), position: 1 }),
    async () => {
      const id = card()
      await call(`${operations}/cards/delete`, { id })
      if (random(2) === 0) await call(`${operations}/cards/update`, { id: card(), title: text() })
      await call(`${operations}/cards/restore`, { id })
    },
  ]
  const ofMore: (() => Promise<unknown>)[] = [
    async () => {
      const { card: made } = await call(`${operations}/cards/duplicate`, { id: card() })
      cardIds.push(made.id)
    },
    async () => {
      const { cards } = await call(`${operations}/cards/create-many`, {
        group_id: one(groupIds),
        titles: [text(), text()],
      })
      cardIds.push(...cards.map(({ id }) => id))
    },
    () => {
      const ids = [...new Set([card(), card(), card()])]
      return call(`${operations}/cards/update-many`, { cards: ids.map((id) => ({ id, ...place() })) })
    },
    async () => {
      const ids = [...new Set([card(), card()])]
      await call(`${operations}/cards/delete-many`, { ids })
      await call(`${operations}/cards/restore-many`, { ids })
    },
    () => call(`${operations}/cards/move`, { id: card(), group_id: elsewhere.id, position: 1 }),
    () => call(`${operations}/groups/update`, { id: one(groupIds), title: text() }),
    () => call(`${operations}/groups/update`, { id: one(groupIds), position: 1 + random(3) }),
    () =>
      call(`${operations}/groups/reorder`, {
        groups: groupIds.map((id) => ({ id, position: 1 + random(3) })),
      }),
    async () => {
      const { group } = await call(`${operations}/groups/create`, { board_id: boardId, title: text() })
      const { card: made } = await call(`${operations}/cards/create`, { title: text(), group_id: group.id })
      if (random(2) === 0) await call(`${operations}/cards/move`, { id: made.id, ...place() })
      await call(`${operations}/groups/delete`, { id: group.id })
      if (random(2) === 0) await call(`${operations}/groups/restore`, { id: group.id })
    },
    async () => {
      const id = one(groupIds)
      await call(`${operations}/groups/archive`, { id })
      await call(`${operations}/cards/update`, { id: card(), title: text() })
      await call(`${operations}/groups/unarchive`, { id })
    },
    () => call(`${operations}/tags/update`, { id: tag.id, name: `Tag ${random(1000)}` }),
    async () => {
      const { tag: made } = await call(`${operations}/tags/create`, { name: text(), color: 'red' })
      await call(`${operations}/cards/update`, { id: card(), tag_id: made.id })
      await call(`${operations}/tags/delete`, { id: made.id })
      if (random(2) === 0) await call(`${operations}/tags/restore`, { id: made.id })
    },
    () => call(`${operations}/boards/update`, { id: boardId, title: text() }),
  ]
  return () => one(random(4) > 0 ? ofCards : ofMore)().catch(leaveOut)
}

/** Another change of the same moment has deleted or archived it. */
function leaveOut(error: { refusal?: { code: string; status: number } }) {
  if (![400, 404, 422].includes(error.refusal?.status ?? 0)) throw error
}
