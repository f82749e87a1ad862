// Changes several cards of a board, or of several boards, with one call, and undoes it with another.
import { area, type Input } from '../../data/client.ts'
import { useWrite } from '../../data/write.ts'
import { showToast } from '../../ui/toast.tsx'
import { counted, t } from '../../words/words.ts'
import { groupOf, type Landing, withCard, withCardMoved, withoutCard } from '../arrangement.ts'
import { useBoardChange } from '../board-change.ts'
import type { Arranged, Board, Card, ListedCard } from '../types.ts'

const mostSelected = 500

/** Why so many cards cannot be changed at once. */
export const refusalOfMany = (cards: readonly unknown[]): string | undefined =>
  cards.length > mostSelected ? t('Select at most {count} cards.', { count: mostSelected }) : undefined

type Identified = Pick<Card, 'id'>

type Entry = Input<`${typeof area}/cards/update-many`>['cards'][number]

/** A card of a board, or a found one. */
export type Selected = ListedCard & Pick<Card, 'created_by'>

/** The fields that a selection can share. */
export type Shared = Partial<
  Pick<
    Card,
    'status' | 'owner_id' | 'tag_id' | 'due_date' | 'due_is_date' | 'snoozed_until' | 'priority' | 'is_active'
  >
>

/** Without a board, cards are found ones of several boards, and cannot be moved. */
export function useSeveral(board: Board | undefined) {
  const onBoard = useBoardChange(board?.id ?? 0, 'project')
  const { mutateAsync: update } = useWrite(`${area}/cards/update-many`, {
    failed: t('The cards were not changed'),
    change: (cache, { cards }) => onBoard(cache, (now) => cards.reduce(withEntry, now)),
  })
  const { mutateAsync: remove } = useWrite(`${area}/cards/delete-many`, {
    failed: t('The cards were not deleted'),
    change: (cache, { ids }) => onBoard(cache, (now) => ids.reduce(withoutCard, now)),
  })
  const { mutateAsync: restore } = useWrite(`${area}/cards/restore-many`, {
    failed: t('The cards were not restored'),
  })
  const { mutateAsync: create } = useWrite(`${area}/cards/create-many`, {
    failed: t('The cards were not created'),
  })

  /** Tells what was done, and takes it back if the service refuses. */
  function change(entries: Entry[], undo: Entry[], said: string) {
    const changed = update({ cards: entries })
    const undone = () => void changed.then(() => update({ cards: undo })).catch(() => {})
    changed.catch(showToast(said, undone))
  }

  return {
    set(cards: readonly ListedCard[], fields: Shared) {
      const before = (card: ListedCard) =>
        Object.fromEntries(Object.keys(fields).map((name) => [name, card[name as keyof Shared]]))
      change(
        cards.map(({ id }) => ({ id, ...fields })),
        cards.map((card) => ({ id: card.id, ...before(card) })),
        counted(cards.length, { one: 'Changed {count} card', other: 'Changed {count} cards' }),
      )
    },
    move(cards: readonly Identified[], landing: Landing, groupTitle: string) {
      if (!board) return
      change(
        movesTo(board, cards, landing),
        movesBack(board, cards),
        counted(
          cards.length,
          { one: 'Moved {count} card to {group}', other: 'Moved {count} cards to {group}' },
          { group: groupTitle },
        ),
      )
    },
    remove(cards: readonly Identified[]) {
      const ids = cards.map(({ id }) => id)
      const deleted = () =>
        showToast(
          counted(ids.length, { one: 'Deleted {count} card', other: 'Deleted {count} cards' }),
          () => void restore({ ids }).catch(() => {}),
        )
      // A failure is already shown.
      void remove({ ids }).then(deleted, () => {})
    },
    async create(groupId: number, titles: string[]) {
      const { cards } = await create({ group_id: groupId, titles })
      const ids = cards.map(({ id }) => id)
      showToast(
        counted(ids.length, { one: 'Added {count} card', other: 'Added {count} cards' }),
        () => void remove({ ids }).catch(() => {}),
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

/** The moves that bring cards into a group, one after the other; a group of another board gets them at its end. */
function movesTo(board: Arranged, cards: readonly Identified[], { groupId, before }: Landing): Entry[] {
  const group = board.groups.find(({ id }) => id === groupId)
  const ids = cards.map(({ id }) => id)
  if (!group) return ids.map((id) => ({ id, group_id: groupId }))
  const present = group.cards.map(({ id }) => id)
  const others = present.filter((id) => !ids.includes(id))
  // The first card after the landing that stays.
  const next =
    before === null ? undefined : present.slice(present.indexOf(before)).find((id) => !ids.includes(id))
  const place = next === undefined ? others.length : others.indexOf(next)
  return steps(groupId, present, others.toSpliced(place, 0, ...ids), new Set(ids))
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
