// The events that a batch of a rollout records, for batch.ts.
import type { Applied, Applying } from './changing-copies.ts'
import { keptIn, summaryOf } from './summary.ts'

interface Batch {
  rollout: Pick<Applying, 'id' | 'kind' | 'created_by'> & { version: number | null }
  number: number
}

export const eventsOf = (batch: Batch, applied: Applied) => [
  ...changedEventsOf(batch, applied),
  ...keptEventsOf(batch, applied),
]

/** One event for each board, so that open boards refresh; a removed card gets the event of a deleted one. */
const changedEventsOf = (batch: Batch, { changes }: Applied) =>
  changes.map((change) => {
    const { rollout } = batch
    const what = { projectId: change.project_id, boardId: change.board_id, actorId: rollout.created_by }
    const shared = sharedOf(batch)
    if ('deleted' in change && change.deleted) {
      const { title, cards: cards_count } = change.deleted
      // Later boards move up, so it concerns every board.
      return {
        ...what,
        boardId: null,
        kind: 'board.deleted' as const,
        data: { ...shared, board_id: change.board_id, title, cards_count },
      }
    }
    return 'card_id' in change
      ? {
          ...what,
          cardId: change.card_id,
          kind: 'card.deleted' as const,
          data: { ...shared, title: change.title },
        }
      : {
          ...what,
          kind: 'template.rolled_out' as const,
          data: {
            ...shared,
            ...versionIn(rollout),
            ...summaryOf(change),
          },
        }
  })

/** The number of the batch leads from the history of a project to what the rollout counted in it. */
const sharedOf = ({ rollout: { id, kind }, number }: Batch) => ({
  ...{ rollout_id: id, rollout_kind: kind, batch: number },
})

const versionIn = ({ version }: Batch['rollout']) => (version === null ? {} : { version })

/** For the history of cards that only kept something: a separate event, because the board itself did not change. */
const keptEventsOf = (batch: Batch, { onlyKept }: Applied) =>
  keptIn(onlyKept).map(({ said, ...board }) => ({
    ...{ ...board, actorId: batch.rollout.created_by, kind: 'template.kept' as const },
    data: { ...sharedOf(batch), ...versionIn(batch.rollout), ...said },
  }))
