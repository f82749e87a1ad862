// A client that works on a board of its own, so that it knows what has to be there.
import assert from 'node:assert/strict'
import type { Database } from '#database/connect.ts'
import { type Caller, type Request, startCaller, type Tally, type Where } from './caller.ts'

const operations = '/services/operations/v1/operations'

interface Card {
  id: number
  title: string
  tag: string | null
  comments: string[]
}

interface Tag {
  id: number
  name: string
}

interface BoardState {
  boardId: number
  groupIds: number[]
  /** In the order of the groups and of the cards in them. */
  groups: Card[][]
  deleted: Card[]
  tags: Tag[]
  /** The kinds of the board's events, in their order. */
  events: string[]
}

export interface BoardClient extends Caller<BoardState> {
  /** One more request of any kind; false if it was not acknowledged. */
  work(): Promise<boolean>
  /** The titles in the groups of the board, as the service shows it. */
  shownTitles(): Promise<string[][]>
}

type Who = { name: string; email: string; where: Where; tally: Tally; random: (below: number) => number }

export async function startBoardClient({ random, ...who }: Who): Promise<BoardClient> {
  const { name, where } = who
  let count = 0
  const caller = await startCaller<BoardState>(who, async (call) => {
    const { board } = await call<{ board: { id: number } }>(`${operations}/boards/create`, { title: name })
    const groupIds: number[] = []
    for (const title of ['To do', 'Doing']) {
      const input = { board_id: board.id, title }
      groupIds.push((await call<{ group: { id: number } }>(`${operations}/groups/create`, input)).group.id)
    }
    const events = ['board.created', 'group.created', 'group.created']
    return { boardId: board.id, groupIds, groups: [[], []], deleted: [], tags: [], events }
  })

  /** The last request deleted this card; only then a card returns to where it was. */
  let justDeleted: { id: number; group: number; index: number } | undefined

  function next(): Request<BoardState> {
    const state = caller.known()
    const deleted = justDeleted
    justDeleted = undefined
    if (deleted && random(2) === 0) return restored(deleted)
    const group = random(2)
    const index = random(state.groups[group]?.length ?? 0)
    const card = state.groups[group]?.[index]
    const kind = random(20)
    if (!card || kind < 5) return created(state, group)
    if (kind < 9) return updated(state, card)
    if (kind < 13) return moved(state, card, group)
    if (kind < 17) return commented(card)
    if (kind < 18) return tagged()
    justDeleted = { id: card.id, group, index }
    return removed(card)
  }

  function created({ groupIds }: BoardState, group: number): Request<BoardState> {
    const title = `${name} ${++count}`
    return {
      path: `${operations}/cards/create`,
      input: { title, group_id: groupIds[group], description: `<p>${title}</p>` },
      change({ groups, events }) {
        groups[group]?.push({ id: 0, title, tag: null, comments: [] })
        events.push('card.created')
      },
      learn: (learnt, { card }: { card: { id: number } }) => {
        ;(learnt.groups[group]?.at(-1) as Card).id = card.id
      },
    }
  }

  function updated({ tags }: BoardState, { id }: Card): Request<BoardState> {
    const title = `${name} ${++count}`
    const tag = tags[random(tags.length)]
    return {
      path: `${operations}/cards/update`,
      input: { id, title, ...(tag && { tag_id: tag.id }) },
      change({ groups, events }) {
        Object.assign(cardIn(groups, id), { title, ...(tag && { tag: tag.name }) })
        events.push('card.updated')
      },
    }
  }

  function moved({ groupIds, groups }: BoardState, { id }: Card, from: number): Request<BoardState> {
    const to = 1 - from
    const index = random((groups[to] as Card[]).length + 1)
    return {
      path: `${operations}/cards/move`,
      input: { id, group_id: groupIds[to], position: index + 1 },
      change({ groups, events }) {
        const card = cardIn(groups, id)
        groups[from] = (groups[from] as Card[]).filter((other) => other !== card)
        groups[to]?.splice(index, 0, card)
        events.push('card.moved')
      },
    }
  }

  function commented({ id }: Card): Request<BoardState> {
    const comment = `comment ${++count}`
    return {
      path: `${operations}/comments/create`,
      input: { card_id: id, comment },
      change({ groups, events }) {
        cardIn(groups, id).comments.push(comment)
        events.push('comment.created')
      },
    }
  }

  function tagged(): Request<BoardState> {
    const tag = `${name} ${++count}`
    return {
      path: `${operations}/tags/create`,
      input: { name: tag },
      change: ({ tags }) => void tags.push({ id: 0, name: tag }),
      learn: ({ tags }, made: { tag: { id: number } }) => {
        ;(tags.at(-1) as Tag).id = made.tag.id
      },
    }
  }

  function removed({ id }: Card): Request<BoardState> {
    return {
      path: `${operations}/cards/delete`,
      input: { id },
      change(state) {
        state.deleted.push(cardIn(state.groups, id))
        state.groups = state.groups.map((cards) => cards.filter((card) => card.id !== id))
        state.events.push('card.deleted')
      },
    }
  }

  function restored({ id, group, index }: NonNullable<typeof justDeleted>): Request<BoardState> {
    return {
      path: `${operations}/cards/restore`,
      input: { id },
      change(state) {
        state.groups[group]?.splice(index, 0, state.deleted.pop() as Card)
        state.events.push('card.restored')
      },
    }
  }

  return {
    ...caller,
    work: () => (random(30) === 0 ? caller.signIn() : caller.send(next())),
    async shownTitles() {
      const response = await fetch(`${where()}/api${operations.replace('/v1/', '/v2/')}/boards/get`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${caller.token()}` },
        body: JSON.stringify({ id: caller.known().boardId }),
      })
      assert.equal(response.status, 200)
      const { data } = (await response.json()) as { data: { board: { groups: { cards: Card[] }[] } } }
      return data.board.groups.map(({ cards }) => cards.map(({ title }) => title))
    },
  }
}

function cardIn(groups: Card[][], id: number): Card {
  return groups.flat().find((card) => card.id === id) as Card
}

/** What of a board can be compared, whether or not its ids are known. */
export type BoardView = ReturnType<typeof viewOf>

export const viewOf = ({ groups, deleted, tags, events }: BoardState) => ({
  groups: groups.map((cards) => cards.map(({ title, tag, comments }) => ({ title, tag, comments }))),
  deleted: deleted.map(({ title }) => title).sort(),
  tags: tags.map(({ name }) => name),
  events,
})

/** The boards as they are in the database, by the names of their clients. */
export async function readBoards({ sql }: Database, clients: BoardClient[]): Promise<Map<string, BoardView>> {
  const boardIds = clients.map((client) => client.known().boardId)
  const cards = await sql<
    {
      board_id: number
      group_id: number
      title: string
      is_deleted: boolean
      tag: string | null
      comments: string[]
    }[]
  >`
    select c.board_id, c.group_id, c.title, c.deleted_at is not null as is_deleted,
      (select name from tags t where t.project_id = c.project_id and t.id = c.tag_id) as tag,
      (select coalesce(json_agg(m.comment order by m.id), '[]') from comments m
        where m.project_id = c.project_id and m.card_id = c.id and m.deleted_at is null) as comments
    from cards c where c.board_id = any(${boardIds}::bigint[]) order by c.rank, c.id`
  const events = await sql<{ board_id: number; kind: string }[]>`
    select board_id, kind from events where board_id = any(${boardIds}::bigint[]) order by id`
  const tags = await sql<{ name: string }[]>`
    select t.name from tags t join events e on e.project_id = t.project_id and e.kind = 'tag.created'
      and (e.data ->> 'tag_id')::bigint = t.id
    where t.name like 'client %' order by t.id`
  return new Map(
    clients.map((client) => {
      const { boardId, groupIds } = client.known()
      const own = cards.filter((card) => card.board_id === boardId)
      const view: BoardView = {
        groups: groupIds.map((id) =>
          own
            .filter((card) => card.group_id === id && !card.is_deleted)
            .map(({ title, tag, comments }) => ({ title, tag, comments })),
        ),
        deleted: own.flatMap(({ title, is_deleted }) => (is_deleted ? title : [])).sort(),
        tags: tags.flatMap(({ name }) => (name.startsWith(`${client.name} `) ? name : [])),
        events: events.flatMap(({ board_id, kind }) => (board_id === boardId ? kind : [])),
      }
      return [client.name, view]
    }),
  )
}
