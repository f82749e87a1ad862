// Changes several cards of a board, or of several boards, with one call, and undoes it with another.
import { area, type Input } from '../../data/client.ts'
import { failureOf, fieldCodes, isPassing, showFailure } from '../../data/failure.ts'
import { useProject } from '../../data/project.tsx'
import { useWrite } from '../../data/write.ts'
import { showProblem, showToast } from '../../ui/toast.tsx'
import { counted, t } from '../../words/words.ts'
import { groupOf, type Landing, withCard, withCardMoved, withoutCard } from '../arrangement.ts'
import { useBoardChange } from '../board-change.ts'
import type { Arranged, Board, Card, ListedCard } from '../types.ts'

const mostSelected = 500

/** Why so many cards cannot be changed at once. */
export const refusalOfMany = (cards: readonly unknown[]): string | undefined =>
  cards.length > mostSelected ? t('Select at most {count} cards.', { count: mostSelected }) : undefined

/** The places of the cards that the service refused, in the list that was sent. */
const refusedPlaces = (error: unknown): number[] =>
  Object.keys(fieldCodes(error))
    .flatMap((field) => /^(?:cards|ids)\.(\d+)/.exec(field)?.[1] ?? [])
    .map(Number)

/** Such a refusal is answered here, since its own words are about the request. */
const namesCards = (error: unknown): boolean => refusedPlaces(error).length > 0

const notChanged = t('The cards were not changed')
const unavailable = t('A card, or its group, tag or assignee, is no longer available.')

/** Sends a list without the cards that the service refuses by name; returns the cards that it took. */
async function sendRest<Sent extends Identified>(
  all: readonly Identified[],
  listOf: (left: Identified[]) => Sent[],
  send: (list: Sent[]) => Promise<unknown>,
): Promise<Identified[]> {
  let left = [...all]
  while (left.length > 0) {
    const list = listOf(left)
    try {
      await send(list)
      break
    } catch (error) {
      if (!namesCards(error)) throw error
      const refused = new Set(refusedPlaces(error).map((place) => list[place]?.id))
      left = left.filter(({ id }) => !refused.has(id))
    }
  }
  return left
}

const changedAgain = t('Someone else changed them again in the meantime.')

function sayNotUndone(count: number, detail: string) {
  if (count > 0)
    showProblem(
      counted(count, {
        one: '{count} card was not changed back',
        other: '{count} cards were not changed back',
      }),
      { detail },
    )
}

const cardsOf = ({ groups }: Arranged): Card[] => groups.flatMap(({ cards }) => cards)

/** The service writes times in its own way. */
const isSame = (one: unknown, other: unknown): boolean =>
  one === other || new Date(String(one)).getTime() === new Date(String(other)).getTime()

const hasFields = (card: Shared, fields: Shared): boolean =>
  Object.entries(fields).every(([name, value]) => isSame(card[name as keyof Shared], value))

const asTheyAre = (left: Identified[]) => left
const idsOf = (cards: readonly Identified[]) => ({ ids: cards.map(({ id }) => id) })
const isAmong =
  (cards: readonly Identified[]) =>
  ({ id }: Identified) =>
    cards.some((card) => card.id === id)

/** An undo that can be tried again if it fails for now. */
function showUndoable(said: string, undo: () => Promise<unknown>): () => void {
  const attempt = () =>
    void undo().catch((error) => {
      if (isPassing(failureOf(error).status)) showToast(said, attempt)
    })
  return showToast(said, attempt)
}

type Identified = Pick<Card, 'id'>

type Entry = Input<`${typeof area}/cards/update-many`>['cards'][number]

/** A card of a board, or a found one, which names its board. */
export type Selected = ListedCard & Pick<Card, 'created_by'> & { board_id?: number }

/** The fields that a selection can share. */
export type Shared = Partial<
  Pick<
    Card,
    'status' | 'owner_id' | 'tag_id' | 'due_date' | 'due_is_date' | 'snoozed_until' | 'priority' | 'is_active'
  >
>

/** Without a board, cards are found ones of several boards. */
export function useSeveral(board: Board | undefined) {
  const { client } = useProject()
  const onBoard = useBoardChange(board?.id ?? 0, 'project')
  const { mutateAsync: update } = useWrite(`${area}/cards/update-many`, {
    failed: notChanged,
    handles: namesCards,
    change: (cache, { cards }) => onBoard(cache, (now) => cards.reduce(withEntry, now)),
  })
  const { mutateAsync: remove } = useWrite(`${area}/cards/delete-many`, {
    failed: t('The cards were not deleted'),
    handles: namesCards,
    change: (cache, { ids }) => onBoard(cache, (now) => ids.reduce(withoutCard, now)),
  })
  const { mutateAsync: restore } = useWrite(`${area}/cards/restore-many`, {
    failed: t('The cards were not restored'),
    handles: namesCards,
  })
  const { mutateAsync: create } = useWrite(`${area}/cards/create-many`, {
    failed: t('The cards were not created'),
  })

  const removeRest = (cards: readonly Identified[]) =>
    sendRest(cards, asTheyAre, (list) => remove(idsOf(list)))

  /** The boards of the cards as they are now, which may be more than what is shown; without deleted ones. */
  async function readBoards(
    cards: readonly { board_id?: number | undefined }[],
    failed: string,
  ): Promise<Board[]> {
    const ids = new Set(cards.map(({ board_id }) => board_id ?? board?.id ?? 0))
    const read = Promise.all(
      [...ids].map((id) =>
        client.call(`${area}/boards/get`, { id }).catch((error) => {
          if (failureOf(error).status !== 404) throw error
        }),
      ),
    )
    read.catch((error) => showFailure(failed, error))
    return (await read).flatMap((answer) => answer?.board ?? [])
  }

  /** Tells what was done, and takes it back if the service refuses. `ownOf` finds the cards that nobody has changed again since then. */
  function change(
    entries: Entry[],
    undoOf: (left: Identified[]) => Entry[],
    said: string,
    ownOf: (changedAt: string) => Promise<Identified[]>,
  ) {
    const changed = update({ cards: entries })
    const done = changed.catch(() => undefined)
    const undo = async () => {
      const answer = await done
      // It was refused, which is already shown.
      if (!answer) return
      const own = await ownOf(answer.changed_at)
      sayNotUndone(entries.length - own.length, changedAgain)
      const undone = await sendRest(own, undoOf, (cards) => update({ cards }))
      sayNotUndone(own.length - undone.length, unavailable)
    }
    const unsay = showUndoable(said, undo)
    changed.catch((error) => {
      unsay()
      if (namesCards(error)) showProblem(notChanged, { detail: unavailable })
    })
  }

  return {
    set(cards: readonly Selected[], fields: Shared) {
      const before = (card: ListedCard) =>
        Object.fromEntries(Object.keys(fields).map((name) => [name, card[name as keyof Shared]]))
      change(
        cards.map(({ id }) => ({ id, ...fields })),
        (left) => cards.filter(isAmong(left)).map((card) => ({ id: card.id, ...before(card) })),
        counted(cards.length, { one: 'Changed {count} card', other: 'Changed {count} cards' }),
        async () => {
          const boards = await readBoards(cards, notChanged)
          const now = new Map(boards.flatMap(cardsOf).map((card) => [card.id, card]))
          // A card that is gone is refused by name.
          return cards.filter(({ id }) => hasFields(now.get(id) ?? fields, fields))
        },
      )
    },
    /** `boardId` is of the group, if that is on another board. */
    async move(cards: readonly Selected[], landing: Landing, groupTitle: string, boardId?: number) {
      const notMoved = t('The cards were not moved')
      // A failure is already shown.
      const boards = board ? [board] : await readBoards(cards, notMoved).catch(() => undefined)
      if (!boards) return
      const [first] = boards
      if (!first) return void showProblem(notMoved, { detail: unavailable })
      const wanted = orderAfter(first, cards, landing)
      change(
        movesTo(first, cards, landing),
        (left) => {
          const gone = idsOf(cards.filter((card) => !isAmong(left)(card))).ids
          return boards.flatMap((one) => movesBack(gone.reduce<Arranged>(withoutCard, one), left))
        },
        counted(
          cards.length,
          { one: 'Moved {count} card to {group}', other: 'Moved {count} cards to {group}' },
          { group: groupTitle },
        ),
        async (changedAt) => {
          const there = await readBoards([{ board_id: boardId }], notChanged)
          // A card that is gone is refused by name.
          if (there.length === 0) return [...cards]
          const group = there.flatMap(({ groups }) => groups).find(({ id }) => id === landing.groupId)
          const now = new Map(group?.cards.map((card) => [card.id, card]))
          const order = [...now.keys()]
          return cards.filter(({ id }) => {
            const isUntouched = (now.get(id)?.updated_at ?? '') <= changedAt
            const isInPlace = wanted && beforeIn(order, id) === beforeIn(wanted, id)
            return now.has(id) && (isUntouched || isInPlace)
          })
        },
      )
    },
    remove(cards: readonly Identified[]) {
      // A card that is deleted or restored already is as wanted.
      const deleted = (gone: Identified[]) =>
        gone.length > 0 &&
        showUndoable(
          counted(gone.length, { one: 'Deleted {count} card', other: 'Deleted {count} cards' }),
          () => sendRest(gone, asTheyAre, (list) => restore(idsOf(list))),
        )
      // A failure is already shown.
      void removeRest(cards).then(deleted, () => {})
    },
    async create(groupId: number, titles: string[]) {
      const { cards } = await create({ group_id: groupId, titles })
      showUndoable(counted(cards.length, { one: 'Added {count} card', other: 'Added {count} cards' }), () =>
        removeRest(cards),
      )
      return cards
    },
  }
}

/** The board with the changes of one entry; a card that leaves the board is no longer on it. */
function withEntry<B extends Arranged>(board: B, { id, group_id, position, ...fields }: Entry): B {
  const changed = withCard(board, id, (card) => ({ ...card, ...(fields as Partial<Card>) }))
  const goal = group_id ?? groupOf(board, id)?.id
  if (goal === undefined || (group_id == null && position == null)) return changed
  return withCardMoved(changed, id, goal, position ?? Number.MAX_SAFE_INTEGER)
}

const presentIn = (board: Arranged, groupId: number): number[] | undefined =>
  board.groups.find(({ id }) => id === groupId)?.cards.map(({ id }) => id)

const beforeIn = (order: readonly number[], id: number) => order[order.indexOf(id) - 1]

/** The cards of a group after a move; undefined if it is on another board. */
function orderAfter(board: Arranged, cards: readonly Identified[], { groupId, before }: Landing) {
  const present = presentIn(board, groupId)
  if (!present) return undefined
  const { ids } = idsOf(cards)
  const others = present.filter((id) => !ids.includes(id))
  // The first card after the landing that stays.
  const next =
    before === null ? undefined : present.slice(present.indexOf(before)).find((id) => !ids.includes(id))
  return others.toSpliced(next === undefined ? others.length : others.indexOf(next), 0, ...ids)
}

/** The moves that bring cards into a group, one after the other; a group of another board gets them at its end. */
function movesTo(board: Arranged, cards: readonly Identified[], landing: Landing): Entry[] {
  const { groupId } = landing
  const { ids } = idsOf(cards)
  const wanted = orderAfter(board, cards, landing)
  return wanted
    ? steps(groupId, presentIn(board, groupId) ?? [], wanted, new Set(ids))
    : ids.map((id) => ({ id, group_id: groupId }))
}

/** The moves that bring them back to where they are now. */
function movesBack(board: Arranged, cards: readonly Identified[]): Entry[] {
  const moved = new Set(cards.map(({ id }) => id))
  return board.groups.flatMap((group) => {
    const before = group.cards.map(({ id }) => id)
    const rest = before.filter((id) => !moved.has(id))
    return rest.length === before.length ? [] : steps(group.id, rest, before, moved)
  })
}

/** Each card goes right after the one before it, which has its place by then. */
function steps(
  groupId: number,
  present: readonly number[],
  wanted: readonly number[],
  moved: ReadonlySet<number>,
) {
  let list = [...present]
  return wanted.flatMap((id, index): Entry[] => {
    if (!moved.has(id)) return []
    list = list.filter((other) => other !== id)
    const place = index === 0 ? 0 : list.indexOf(wanted[index - 1] as number) + 1
    list.splice(place, 0, id)
    return [{ id, group_id: groupId, position: place + 1 }]
  })
}
