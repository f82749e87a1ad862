import type { Card } from '#boards/card/card.ts'
import { changesOf, isEmpty } from '#boards/changes.ts'
import { assignments } from '#database/assignments.ts'
import type { Database } from '#database/connect.ts'
import type { Quotas } from '#quotas/quotas.ts'
import type { Action } from '../action.ts'
import { keepRevisions, lockBoardOf } from '../masters.ts'
import { refuseLargerTemplate, templateSize } from '../size.ts'
import { onTakenIdentifier, readTemplateCard } from './card.ts'

type Changeable =
  | 'title'
  | 'description'
  | 'short_description'
  | 'unique_identifier'
  | 'evaluation_check'
  | 'needs_confirmation'
  | 'tour_key'
  | 'status'
  | 'priority'
  | 'is_active'

type WantedCard = { [Name in Changeable]?: Card[Name] | null | undefined }

/** Changes a template's card; projects receive it with the next rollout. Undefined if there is no such card. */
export function changeTemplateCard(
  db: Database,
  quotas: Quotas,
  { id, actorId }: Action,
  wanted: WantedCard,
): Promise<Card | 'identifier taken' | undefined> {
  const changing = db.transaction(async (queries) => {
    const board = await lockBoardOf(queries, 'master_cards', id)
    const before = board && (await readTemplateCard(queries, id))
    if (!before) return undefined
    const changes = changesOf(before, wanted, {
      kept: ['title', 'status', 'priority', 'is_active', 'needs_confirmation'],
    })
    if (isEmpty(changes)) return before
    const size = await templateSize(queries, board.id)
    await queries.sql`update master_cards set ${assignments(queries, changes.values)} where id = ${id}`
    await keepRevisions(queries, board.id, actorId, { cardIds: [id] })
    await refuseLargerTemplate(queries, quotas, board.id, size)
    return readTemplateCard(queries, id)
  })
  return changing.catch(onTakenIdentifier)
}
