// Masters and copies as plain objects. A rollout is written here a second time, with the pure rules and without SQL.
import {
  boardFields,
  type CardField,
  cardFields,
  type Fields,
  groupFields,
  merged,
  mergedPosition,
} from '#templates/rules.ts'

type BoardField = (typeof boardFields)[number]
type GroupField = (typeof groupFields)[number]

/** Immutable, because a copy refers to the object that it received. */
export interface MasterCard {
  readonly id: number
  readonly groupId: number
  readonly rank: number
  readonly sortOrder: number
  readonly fields: Fields<CardField>
  readonly status: string
  readonly isActive: boolean
  readonly isDeleted: boolean
  readonly revision: number
}

export interface MasterGroup {
  readonly id: number
  readonly rank: number
  readonly fields: Fields<GroupField>
  readonly isDeleted: boolean
  readonly revision: number
}

export interface MasterBoard {
  readonly id: number
  readonly toolKey: string | null
  readonly groups: Map<number, MasterGroup>
  readonly cards: Map<number, MasterCard>
  fields: Fields<BoardField>
  isActive: boolean
  /** The revision of the last change or version. */
  newestRevision: number
  revision: number
  /** The published versions, newest last. */
  readonly versions: Published[]
}

/** What a version holds, and its revision. */
export interface Published {
  readonly revision: number
  readonly board: { fields: Fields<BoardField>; revision: number }
  readonly groups: ReadonlyMap<number, MasterGroup>
  readonly cards: ReadonlyMap<number, MasterCard>
}

const isEqual = <Name extends string>(names: readonly Name[], a: Fields<Name>, b: Fields<Name>) =>
  names.every((name) => a[name] === b[name])

export const isSameGroup = (a: MasterGroup | undefined, b: MasterGroup | undefined): boolean => {
  if (!a || !b || a.isDeleted || b.isDeleted) return (a?.isDeleted ?? true) === (b?.isDeleted ?? true)
  return a.rank === b.rank && isEqual(groupFields, a.fields, b.fields)
}

export const isSameCard = (a: MasterCard | undefined, b: MasterCard | undefined): boolean => {
  if (!a || !b || a.isDeleted || b.isDeleted) return (a?.isDeleted ?? true) === (b?.isDeleted ?? true)
  const isPlaced = a.groupId === b.groupId && a.rank === b.rank
  return (
    isPlaced && a.status === b.status && a.isActive === b.isActive && isEqual(cardFields, a.fields, b.fields)
  )
}

export const isSameBoard = (a: Fields<BoardField>, b: Fields<BoardField>) => isEqual(boardFields, a, b)

/** Publishes a template as it is, and returns false if nothing differs from the newest version. */
export function publish(master: MasterBoard): boolean {
  const last = master.versions.at(-1)
  const isSame =
    last &&
    isSameBoard(master.fields, last.board.fields) &&
    [...master.groups.values()].every((group) => isSameGroup(group, last.groups.get(group.id))) &&
    [...master.cards.values()].every((card) => isSameCard(card, last.cards.get(card.id)))
  if (isSame) return false
  master.versions.push({
    revision: ++master.newestRevision,
    board: { fields: master.fields, revision: master.revision },
    groups: new Map(master.groups),
    cards: new Map(master.cards),
  })
  return true
}

/** Publishes one card, with its group where no version has it. */
export function publishCard(master: MasterBoard, id: number): void {
  const last = master.versions.at(-1) as Published
  const card = master.cards.get(id) as MasterCard
  const known = last.groups.get(card.groupId)
  const isPlaced = card.isDeleted || (known !== undefined && !known.isDeleted)
  if (isPlaced && isSameCard(card, last.cards.get(id))) return
  const groups = new Map(last.groups)
  if (!isPlaced) groups.set(card.groupId, master.groups.get(card.groupId) as MasterGroup)
  const cards = new Map(last.cards).set(id, card)
  master.versions.push({ revision: ++master.newestRevision, board: last.board, groups, cards })
}

export interface Board {
  /** Unknown until it is read from the database after a rollout. */
  id: number | undefined
  base: { id: number; fields: Fields<BoardField>; revision: number } | undefined
  fields: Fields<BoardField>
  hasOwnOrder: boolean
  isDeleted: boolean
}

export interface Group {
  id: number | undefined
  readonly board: Board
  base: MasterGroup | undefined
  fields: Fields<GroupField>
  /** Undefined: last, with a rank that the database chooses. */
  rank: number | undefined
  isArchived: boolean
  isDeleted: boolean
}

export interface Card {
  id: number | undefined
  group: Group
  base: MasterCard | undefined
  fields: Fields<CardField>
  status: string
  /** The status that the card had before it was moved to a group of type done. */
  statusBeforeDone: string | null
  /** Undefined: last, with a rank that the database chooses. */
  rank: number | undefined
  sortOrder: number
  isMoved: boolean
  isActive: boolean
  isDeleted: boolean
  /** A rollout deleted it, and the project has not restored it since. */
  isWithdrawn: boolean
  /** The project wants no rollout to change it. */
  isStopped: boolean
  comments: number
}

export interface Project {
  readonly id: number
  tools: readonly string[]
  readonly boards: Board[]
  readonly groups: Group[]
  readonly cards: Card[]
}

export const live = <Thing extends { isDeleted: boolean }>(things: Iterable<Thing>): Thing[] =>
  [...things].filter((thing) => !thing.isDeleted)

const byRank = (a: { rank: number | undefined }, b: { rank: number | undefined }) =>
  (a.rank ?? Number.POSITIVE_INFINITY) - (b.rank ?? Number.POSITIVE_INFINITY)

export const inOrder = <Thing extends { isDeleted: boolean; rank: number | undefined }>(
  things: Iterable<Thing>,
): Thing[] => live(things).toSorted(byRank)

export const hasAccess = (project: Project, master: MasterBoard) =>
  master.toolKey === null || project.tools.includes(master.toolKey)

/** A card is restored with the comments that were deleted with it, which are all, since no step deletes single ones. */
const commentsOf = new WeakMap<Card, number>()

export function deleteCards(cards: readonly Card[], { isWithdrawn = false } = {}) {
  for (const card of cards) {
    commentsOf.set(card, card.comments)
    Object.assign(card, { isDeleted: true, isWithdrawn, comments: 0 })
  }
}

/** Restores a card to a group. Returns true if it got its old rank, false if it came last. */
export function returnTo(group: Group, { cards }: Project, card: Card): boolean {
  const isFree =
    group === card.group && live(cards).every((other) => other.group !== group || other.rank !== card.rank)
  Object.assign(card, { group, isDeleted: false, isWithdrawn: false, comments: commentsOf.get(card) ?? 0 })
  if (!isFree) card.isMoved = true
  return isFree
}

const isDone = ({ fields }: Group) => fields.type === 'done'

/** Only people's moves close and reopen cards. */
export function moveTo(group: Group, card: Card): void {
  if (group === card.group) return
  if (isDone(group) && card.status !== 'closed')
    Object.assign(card, { status: 'closed', statusBeforeDone: card.status })
  else if (isDone(group) && !isDone(card.group)) card.statusBeforeDone = null
  else if (!isDone(group)) {
    if (card.status === 'closed' && isDone(card.group)) card.status = card.statusBeforeDone ?? 'closed'
    card.statusBeforeDone = null
  }
  card.group = group
}

/** Applies the rules to a copy, and returns whether anything changed. */
function take<Name extends string>(
  names: readonly Name[],
  copy: { fields: Fields<Name> },
  base: { fields: Fields<Name> },
  next: { fields: Fields<Name> },
): boolean {
  const before = copy.fields
  copy.fields = merged(names, { base: base.fields, next: next.fields, copy: before })
  return names.some((name) => copy.fields[name] !== before[name])
}

/** Brings a project up to date with the newest version of a master board or one of its cards, and returns the changed boards. */
export function receive(project: Project, master: MasterBoard, cardId?: number): Set<Board> {
  const changed = new Set<Board>()
  const version = master.versions.at(-1) as Published
  const onlyCard = cardId === undefined ? undefined : (version.cards.get(cardId) as MasterCard)
  const board = receiveBoard(project, { id: master.id, ...version.board }, onlyCard === undefined, changed)
  const groups = live(version.groups.values()).filter(({ id }) => !onlyCard || id === onlyCard.groupId)
  for (const next of groups.toSorted(byRank))
    receiveGroup(project, board, next, onlyCard === undefined, changed)
  const cards = (onlyCard ? [onlyCard] : live(version.cards.values())).filter((card) => card.isActive)
  returnCopies(project, cards, changed)
  for (const next of cards) receiveCard(project, next, changed)
  return changed
}

/** Restores the copies that a rollout deleted when their master is back; the older of two copies gets a shared rank. */
function returnCopies(project: Project, cards: readonly MasterCard[], changed: Set<Board>): void {
  const ids = new Set(cards.map(({ id }) => id))
  const copies = project.cards.filter(
    ({ base, group, isWithdrawn }) => isWithdrawn && base && ids.has(base.id) && !group.isDeleted,
  )
  for (const copy of copies.toSorted((a, b) => (a.id as number) - (b.id as number))) {
    if (!returnTo(copy.group, project, copy)) copy.rank = undefined
    changed.add(copy.group.board)
  }
}

function receiveBoard(
  project: Project,
  master: NonNullable<Board['base']>,
  isWhole: boolean,
  changed: Set<Board>,
): Board {
  const { id, fields: next, revision } = master
  const copy = project.boards.find((board) => board.base?.id === id)
  if (!copy) {
    const base = { id, fields: next, revision }
    const added: Board = { id: undefined, base, fields: next, hasOwnOrder: false, isDeleted: false }
    project.boards.push(added)
    changed.add(added)
    return added
  }
  const base = copy.base as NonNullable<Board['base']>
  if (!isWhole || copy.isDeleted) return copy
  if (take(boardFields, copy, base, master)) changed.add(copy)
  copy.base = { id, fields: next, revision }
  return copy
}

function receiveGroup(
  project: Project,
  board: Board,
  next: MasterGroup,
  isWhole: boolean,
  changed: Set<Board>,
): void {
  const copy = project.groups.find((group) => group.base?.id === next.id)
  if (!copy && !board.isDeleted) {
    const rank = board.hasOwnOrder ? undefined : next.rank
    const isNew = { isArchived: false, isDeleted: false }
    project.groups.push({ id: undefined, board, base: next, fields: next.fields, rank, ...isNew })
    changed.add(board)
  }
  if (!copy || copy.isDeleted || !isWhole) return
  const base = copy.base as MasterGroup
  const isPlaced = !board.hasOwnOrder && next.rank !== base.rank
  if (isPlaced) copy.rank = next.rank
  if (take(groupFields, copy, base, next) || isPlaced) changed.add(board)
  copy.base = next
}

function receiveCard(project: Project, next: MasterCard, changed: Set<Board>): void {
  const target = project.groups.find((group) => group.base?.id === next.groupId && !group.isDeleted)
  const copy = project.cards.find((card) => card.base?.id === next.id)
  if (!copy && target) {
    project.cards.push({
      id: undefined,
      group: target,
      base: next,
      fields: next.fields,
      status: next.status,
      statusBeforeDone: null,
      rank: next.rank,
      sortOrder: next.sortOrder,
      isMoved: false,
      isActive: true,
      isDeleted: false,
      isWithdrawn: false,
      isStopped: false,
      comments: 0,
    })
    changed.add(target.board)
  }
  if (!copy || copy.isDeleted || copy.isStopped) return
  const base = copy.base as MasterCard
  const here = { groupId: base.groupId, rank: copy.rank as number }
  const place = mergedPosition({
    base,
    next,
    copy: here,
    isMoved: copy.isMoved,
    target: target && next.groupId,
  })
  if (place !== here) Object.assign(copy, { group: target, rank: place.rank })
  if (take(cardFields, copy, base, next) || place !== here) changed.add(copy.group.board)
  copy.base = next
}
