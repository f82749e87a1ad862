import { assignments } from '#database/assignments.ts'
import type { Database } from '#database/connect.ts'
import { change } from '#events/change.ts'
import { recordEvent } from '#events/record.ts'
import type { Quotas } from '#quotas/quotas.ts'
import { takeRoomOfCard } from '#quotas/room.ts'
import type { Action } from '../action.ts'
import { type Changes, changesOf, isEmpty } from '../changes.ts'
import { type Assigned, type Invalid, invalidAssignments } from './assigning.ts'
import { type Card, readCard, readLocation } from './card.ts'
import { asDue } from './due.ts'

/** Closing, assigning, tagging, snoozing and hiding change these fields; moving.ts changes the position. */
type Changeable =
  | 'title'
  | 'description'
  | 'short_description'
  | 'status'
  | 'owner_id'
  | 'tag_id'
  | 'due_date'
  | 'due_is_date'
  | 'snoozed_until'
  | 'priority'
  | 'is_active'

export type WantedCard = { [Name in Changeable]?: Card[Name] | null | undefined }

/** Undefined if the project has no such card. */
export async function changeCard(
  db: Database,
  quotas: Quotas,
  { projectId, id, actorId }: Action,
  wanted: WantedCard,
): Promise<Card | { invalid: Invalid } | undefined> {
  const outcome = await change(db, projectId, async (queries) => {
    const { sql } = queries
    // Sent at once.
    const [place, before] = await Promise.all([
      readLocation(queries, projectId, id),
      readCard(queries, projectId, id),
    ])
    if (!place || !before) return 'missing'
    const changes = changesOfCard(before, wanted)
    if (isEmpty(changes)) return 'changed'
    const invalid = await invalidAssignments(queries, projectId, changes.values as Assigned)
    if (Object.keys(invalid).length > 0) return { invalid }
    // A status that a person sets stays, whatever its check says later.
    const ofPerson = 'status' in changes.values && { status_before_evaluation: null }
    // Sent at once, and run in this order.
    const updating = sql`
      update cards set ${assignments(queries, { ...changes.values, ...ofPerson, updated_at: sql`now()` })}
      where project_id = ${projectId} and id = ${id}`.execute()
    await Promise.all([
      updating,
      takeRoomOfCard(queries, quotas, { projectId, id }, place),
      recordEvent(queries, {
        boardId: place.board_id,
        cardId: id,
        actorId,
        kind: 'card.updated',
        data: changes.payload,
      }),
    ])
    return 'changed'
  })
  if (typeof outcome === 'object') return outcome
  return outcome === 'changed' ? readCard(db, projectId, id) : undefined
}

type Dated = Pick<Card, 'due_date' | 'due_is_date'>

/** What a request changes of a card, of which `before` has the fields that it may change. */
export function changesOfCard(before: Dated & Partial<Card>, wanted: WantedCard): Changes<Card> {
  const due = dueAfter(before, wanted)
  const kept = ['title', 'status', 'priority', 'is_active'] as const
  const changes = changesOf(before as Card, { ...wanted, ...due }, { kept })
  // Without it, readers of the event would take another day for a time.
  if (changes.payload.changes.due_date && before.due_is_date && due.due_is_date)
    changes.payload.changes.due_is_date = { from: true, to: true }
  return changes
}

/** A due date that is set without due_is_date is a time, unless it is the one that the card has. */
function dueAfter(before: Dated, { due_date = before.due_date, due_is_date = null }: WantedCard) {
  const isUnchanged = due_is_date === null && asDue({ due_date }).due_date === before.due_date
  return asDue(isUnchanged ? before : { due_date, due_is_date })
}
