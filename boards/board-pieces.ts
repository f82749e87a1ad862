// The JSON of a board in pieces, so that cards can be put in and taken out without reading the rest again.

/** A card's JSON without its position, which the list gives it. */
interface CardPiece {
  id: number
  before: string
  after: string
}

interface GroupPiece {
  id: number
  /** Its JSON up to its cards. */
  head: string
  cards: readonly CardPiece[]
}

export interface BoardPieces {
  /** The JSON of the board up to its groups. */
  head: string
  groups: readonly GroupPiece[]
  tags: string
}

/** What changed on a board, as JSON of the present state. */
export interface BoardChanges {
  board: string
  /** All groups in their order; null if none of them changed. */
  groups: string[] | null
  /** All tags; null if none of them changed. */
  tags: string | null
  changed: { id: number; json: string | null; isPlaced: boolean }[]
}

/** As PostgreSQL separates the elements of a list. */
const separator = ', \n '

const groupsKey = ',"groups":['
const cardsKey = ',"cards":['
const tagsKey = '],"tags":'

/** In JSON no string can be mistaken for keys, since its quotes are escaped. */
export function piecesOf(json: string): BoardPieces {
  const groupsAt = json.indexOf(groupsKey)
  const groups: GroupPiece[] = []
  let at = groupsAt + groupsKey.length
  while (json[at] === '{') {
    const cardsAt = json.indexOf(cardsKey, at)
    const head = json.slice(at, cardsAt)
    const cards: CardPiece[] = []
    at = cardsAt + cardsKey.length
    while (json[at] === '{') {
      const end = json.indexOf('}', json.indexOf(',"card_type":"', at)) + 1
      cards.push(cardPiece(json.slice(at, end)))
      at = json[end] === ',' ? end + separator.length : end
    }
    groups.push({ id: idOf(head), head, cards })
    at += ']}'.length
    if (json[at] === ',') at += separator.length
  }
  return { head: json.slice(0, groupsAt), groups, tags: json.slice(at + tagsKey.length, -1) }
}

export function jsonOf({ head, groups, tags }: BoardPieces): string {
  const listed = groups.map((group) => {
    const cards = group.cards.map(({ before, after }, index) => `${before}${index + 1}${after}`)
    return `${group.head}${cardsKey}${cards.join(separator)}]}`
  })
  return `${head}${groupsKey}${listed.join(separator)}${tagsKey}${tags}}`
}

export function withBoardChanges(
  pieces: BoardPieces,
  { board, groups: heads, tags, changed }: BoardChanges,
): BoardPieces {
  const sorted = sortedChanges(changed)
  const groups = heads?.map((json) => newHead(pieces, json.slice(0, -1))) ?? pieces.groups
  return {
    head: board.slice(0, -1),
    groups: groups.map((group) => ({ ...group, cards: cardsAfter(group, sorted) })),
    tags: tags ?? pieces.tags,
  }
}

/** A group that was not there before is new and has only the cards that were put into it. */
function newHead({ groups }: BoardPieces, head: string): GroupPiece {
  const id = idOf(head)
  return { id, head, cards: groups.find((group) => group.id === id)?.cards ?? [] }
}

/** Changed cards by what they do to a list. */
interface Sorted {
  gone: ReadonlySet<number>
  stays: ReadonlyMap<number, CardPiece>
  placed: ReadonlyMap<number, { piece: CardPiece; position: number }[]>
}

export function sortedChanges(changed: BoardChanges['changed']): Sorted {
  const gone = new Set<number>()
  const stays = new Map<number, CardPiece>()
  const placed = new Map<number, { piece: CardPiece; position: number }[]>()
  for (const { id, json, isPlaced } of changed) {
    const piece = json === null ? undefined : cardPiece(json)
    if (!piece || isPlaced) gone.add(id)
    else stays.set(id, piece)
    if (!piece || !isPlaced) continue
    const groupId = numberAfter('"group_id":', json as string)
    const list = placed.get(groupId) ?? []
    list.push({ piece, position: numberAfter('"position":', json as string) })
    placed.set(groupId, list)
  }
  return { gone, stays, placed }
}

/** The cards that were not placed keep their order, so each placed one goes to its position, from the first to the last. */
export function cardsAfter(
  { id, cards }: Pick<GroupPiece, 'id' | 'cards'>,
  { gone, stays, placed }: Sorted,
): readonly CardPiece[] {
  const added = placed.get(id)?.toSorted((a, b) => a.position - b.position) ?? []
  if (added.length === 0 && !cards.some((card) => gone.has(card.id) || stays.has(card.id))) return cards
  const next = cards.filter((card) => !gone.has(card.id)).map((card) => stays.get(card.id) ?? card)
  for (const { piece, position } of added) next.splice(position - 1, 0, piece)
  return next
}

const positionKey = '"position":'

export function cardPiece(json: string): CardPiece {
  const position = json.indexOf(positionKey) + positionKey.length
  return {
    id: idOf(json),
    before: json.slice(0, position),
    after: json.slice(json.indexOf(',', position)),
  }
}

const idOf = (json: string) => numberAfter('{"id":', json)

/** Only numbers come before the position of a card, so the first place is the right one. */
export function numberAfter(key: string, json: string): number {
  const start = json.indexOf(key) + key.length
  return Number(json.slice(start, json.indexOf(',', start)))
}
