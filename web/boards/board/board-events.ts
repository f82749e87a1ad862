// Applies the events of a project to a board that was read before.

import { isOverdue } from '#boards/card/due.ts'
import { newCardFields } from '#boards/card/new-card.ts'
import type { EventKind, Payload } from '#events/catalogue.ts'
import type { LiveEvent } from '#live/live-event.ts'
import type { Applier } from '../../data/applying-events.ts'
import { area, clientOf, type Output } from '../../data/client.ts'
import {
  cardOf,
  withCard,
  withCardMoved,
  withGroup,
  withGroupMoved,
  withoutCard,
  withoutGroup,
} from '../arrangement.ts'
import type { Board, Card, Group, Tag } from '../types.ts'

type Event<Kind extends EventKind> = Omit<LiveEvent, 'data'> & { data: Payload<Kind> }

type Changes = Record<string, { to: unknown } | null | undefined>

/** What each kind of event does to a board; after any other kind, and where the result is undefined, the board is read again. */
const kinds: { [Kind in EventKind]?: (board: Board, event: Event<Kind>) => Board | undefined } = {
  'board.updated': (board, { data: { changes, texts }, created_at }) =>
    texts || changes.position ? undefined : { ...board, ...newValues(changes), updated_at: created_at },
  'group.created': (board, event) => ({ ...board, groups: [...board.groups, newGroup(board, event)] }),
  'group.updated': (board, { data: { group_id, changes, texts }, created_at }) => {
    if (texts || !board.groups.some(({ id }) => id === group_id)) return undefined
    const { position, ...values } = changes
    const changed = withGroup(board, group_id, (group) => ({
      ...group,
      ...newValues(values),
      updated_at: created_at,
    }))
    return position ? withGroupMoved(changed, group_id, position.to as number) : changed
  },
  'group.deleted': (board, { data }) => withoutGroup(board, data.group_id),
  'group.archived': (board, { data }) => withoutGroup(board, data.group_id),
  'groups.reordered': (board, { data: { group_ids } }) => withGroupsInOrder(board, group_ids),
  'card.created': withNewCard,
  'card.restored': withNewCard,
  'card.updated': (board, event) => withChanges(board, event, event.data.changes),
  'card.evaluated': (board, event) =>
    withChanges(board, event, event.data.changes, {
      evaluation_passed: event.data.passed,
      evaluated_at: event.created_at,
      evaluated_by: event.actor_id,
    }),
  'card.updates_stopped': (board) => board,
  'card.updates_taken': (board) => board,
  'card.moved': (board, event) => {
    const { data, card_id } = event
    if (data.board_id !== board.id) return withoutCard(board, card_id as number)
    if (!board.groups.some(({ id }) => id === data.group_id)) return undefined
    const changed = withChanges(board, event, { status: data.status })
    return changed && withCardMoved(changed, card_id as number, data.group_id, data.position)
  },
  'card.deleted': (board, { card_id }) => withoutCard(board, card_id as number),
  'cards.dismissed': (board, { data: { card_ids } }) => withActive(board, card_ids, false),
  'cards.reactivated': (board, { data: { card_ids } }) => withActive(board, card_ids, true),
  'tag.created': (board, event) => ({ ...board, tags: [...board.tags, newTag(board, event)] }),
  'tag.updated': (board, { data: { tag_id, changes }, created_at }) =>
    changes.position
      ? undefined
      : {
          ...board,
          tags: board.tags.map((tag) =>
            tag.id === tag_id ? { ...tag, ...newValues(changes), updated_at: created_at } : tag,
          ),
        },
}

export function boardAfter(board: Board, event: LiveEvent): Board | undefined {
  const apply = kinds[event.kind as EventKind] as
    | ((board: Board, event: LiveEvent) => Board | undefined)
    | undefined
  const next = apply?.(board, event)
  return next && { ...next, version: event.id }
}

const newValues = (changes: Changes) =>
  Object.fromEntries(Object.entries(changes).flatMap(([name, change]) => (change ? [[name, change.to]] : [])))

/** Undefined if the card is not on the board, for example because it came from another one. */
function withChanges(
  board: Board,
  { card_id, created_at }: LiveEvent,
  changes: Changes,
  others: Partial<Card> = {},
): Board | undefined {
  if (!cardOf(board, card_id as number)) return undefined
  return withCard(board, card_id as number, (card) =>
    withOverdue({ ...card, ...newValues(changes), ...others, updated_at: created_at }),
  )
}

/** The service goes by the end of the day in UTC. */
const withOverdue = (card: Card): Card => {
  const { due_date, status } = card
  return { ...card, is_overdue: isOverdue({ due_date, status }) }
}

function withNewCard(board: Board, event: Event<'card.created'>): Board | undefined {
  const { texts, ...data } = event.data
  const group = board.groups.find(({ id }) => id === data.group_id)
  if (!group || data.position > group.cards.length + 1) return undefined
  const card = withOverdue({
    ...newCardFields,
    owner_id: null,
    tag_id: null,
    created_by: null,
    due_date: null,
    description: null,
    description_format: 'text',
    is_overdue: false,
    ...data,
    due_is_date: data.due_is_date ?? false,
    needs_confirmation: data.needs_confirmation ?? false,
    id: event.card_id as number,
    project_id: board.project_id,
    platform_id: board.platform_id,
    card_type: data.tour_key ? 'tour' : data.master_card_id ? 'template' : 'custom',
    updated_at: event.created_at,
  })
  const added = withGroup(board, group.id, ({ cards, ...rest }) => ({ ...rest, cards: [...cards, card] }))
  return withCardMoved(added, card.id, group.id, data.position)
}

function newGroup(
  board: Board,
  { data: { texts, group_id, ...data }, created_at }: Event<'group.created'>,
): Group {
  return {
    master_group_id: null,
    created_by: null,
    description: null,
    description_format: 'text',
    type: null,
    color: null,
    icon: null,
    deleted_at: null,
    ...data,
    id: group_id,
    project_id: board.project_id,
    platform_id: board.platform_id,
    board_id: board.id,
    is_master: false,
    updated_at: created_at,
    cards: [],
  }
}

function newTag(board: Board, { data: { tag_id, ...data }, created_at }: Event<'tag.created'>): Tag {
  return {
    created_by: null,
    color: null,
    icon: null,
    deleted_at: null,
    ...data,
    id: tag_id,
    project_id: board.project_id,
    updated_at: created_at,
  }
}

function withGroupsInOrder(board: Board, ids: readonly number[]): Board | undefined {
  const groups = ids.map((id) => board.groups.find((group) => group.id === id))
  if (groups.length !== board.groups.length || groups.includes(undefined)) return undefined
  return {
    ...board,
    groups: groups.map((group, index) => ({ ...(group as Group), position: index + 1 })),
  }
}

function withActive(board: Board, ids: readonly number[], is_active: boolean): Board {
  const active = new Set(ids)
  return {
    ...board,
    groups: board.groups.map((group) =>
      group.cards.some(({ id }) => active.has(id))
        ? {
            ...group,
            cards: group.cards.map((card) => (active.has(card.id) ? { ...card, is_active } : card)),
          }
        : group,
    ),
  }
}

type Read = Output<`${typeof area}/boards/get`>

const hasTexts = ({ card_id, data }: LiveEvent) =>
  card_id !== null && (data as { texts?: unknown }).texts !== undefined

/** Each of them is a request. */
const mostTexts = 3

export const applier: Applier<Read> = {
  apply({ board }, event) {
    const next = boardAfter(board, event)
    return next && { board: next }
  },
  readRest(projectId, events) {
    const ids = new Set(events.filter(hasTexts).map(({ card_id }) => card_id as number))
    if (ids.size === 0) return undefined
    return readTexts(projectId, [...ids])
  },
}

async function readTexts(projectId: number, ids: readonly number[]): Promise<(read: Read) => Read> {
  if (ids.length > mostTexts) throw new Error('Reading the board again takes less.')
  const client = clientOf(projectId)
  const read = await Promise.all(ids.map((id) => client.call(`${area}/cards/get`, { id, limit: 1 })))
  return ({ board }) => ({
    board: read.reduce(
      (all, { card: { id, description, description_format, short_description } }) =>
        withCard(all, id, (card) => ({ ...card, description, description_format, short_description })),
      board,
    ),
  })
}
