import type { Database, Queries } from '#database/connect.ts'
import { change, changeAtOnce } from '#events/change.ts'
import type { Quotas } from '#quotas/quotas.ts'
import type { Action } from '../action.ts'
import { type Changes, changesOf, isEmpty } from '../changes.ts'
import { type Mention, mentionsAfter } from '../mentioning.ts'
import { type Assigned, type Invalid, invalidAssignments } from './assigning.ts'
import { type Card, cardColumns, madeCard, readCard } from './card.ts'
import { descriptionVersion } from './description-version.ts'
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

/** What a new description is based on, and whom it mentions. */
export interface Described {
  /** The version of the description that was edited; absent to replace any. */
  ifVersion?: string | undefined
  /** None by default. */
  mentioned?: readonly number[] | undefined
}

/** The card, and who changes it; null for Cardinal itself. */
type Change = Omit<Action, 'actorId'> & { actorId: number | null }

type Outcome = Card | { invalid: Invalid } | 'stale' | undefined

/** Undefined if the project has no such card; 'stale' if its description is not the one that was edited. */
export async function changeCard(
  db: Database,
  quotas: Quotas,
  action: Change,
  wanted: WantedCard,
  described: Described = {},
): Promise<Outcome> {
  const attempt = (queries: Queries) => changeUnlessChanged(queries, quotas, action, wanted, described)
  const first = await attempt(db)
  if (first !== 'changed meanwhile') return first
  // Under the project's lock nobody else can change the card, but a new member may still make it valid.
  return change(db, action.projectId, async (queries) => {
    let outcome = await attempt(queries)
    while (outcome === 'changed meanwhile') outcome = await attempt(queries)
    return outcome
  })
}

/** The card, and which version of its row it is. */
const seenStatement = `
  select ${cardColumns('0')}, c.mentions, c.xmin::text as seen from cards c join projects p on p.id = c.project_id
  where c.project_id = $1 and c.id = $2 and c.deleted_at is null`

/** The result of the database function, which is in database/migrations. */
interface Changed {
  outcome: 'changed' | 'changed meanwhile' | 'invalid'
  /** Null if it changed meanwhile. */
  card: Card | null
}

const changeStatement = `
  select outcome, ${madeCard} from change_card($1, $2, $3, $4, $5::text::jsonb, $6::text::jsonb, $7::text::jsonb)`

/** Reads the card without a lock, so that other writers of the project wait for one statement only. */
async function changeUnlessChanged(
  queries: Queries,
  quotas: Quotas,
  { projectId, id, actorId }: Change,
  wanted: WantedCard,
  { ifVersion, mentioned = [] }: Described,
): Promise<Outcome | 'changed meanwhile'> {
  const [found] = await queries.run<Card & { mentions: Mention[] | null; seen: string }>(seenStatement, [
    projectId,
    id,
  ])
  if (!found) return undefined
  const { seen, mentions, ...before } = found
  const { values, payload } = changesOfCard(before, wanted)
  if (isEmpty({ values })) return readCard(queries, projectId, id)
  const isDescribed = 'description' in values
  if (isDescribed && ifVersion !== undefined && ifVersion !== descriptionVersion(before.description))
    return 'stale'
  const changed = isDescribed
    ? { ...values, mentions: await mentionsAfter(queries, projectId, mentions ?? [], mentioned) }
    : values
  const [row] = await changeAtOnce<Changed>(queries, projectId, changeStatement, [
    projectId,
    id,
    seen,
    actorId,
    JSON.stringify(changed),
    JSON.stringify(payload),
    JSON.stringify(quotas),
  ])
  if (row?.outcome === 'invalid') {
    const invalid = await invalidAssignments(queries, projectId, values as Assigned)
    return isEmpty({ values: invalid }) ? 'changed meanwhile' : { invalid }
  }
  return row?.card ?? 'changed meanwhile'
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
