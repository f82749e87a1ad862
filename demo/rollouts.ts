import type { Database } from '#database/connect.ts'
import { usualQuotas } from '#quotas/quotas.ts'
import { cancelRollout } from '#rollouts/canceling.ts'
import { closeRollout } from '#rollouts/closing.ts'
import { startBoardRollout } from '#rollouts/starting.ts'
import { changeTemplateCard } from '#templates/card/changing.ts'

/** A change of the template Shop opening whose rollout was canceled before it had reached anyone, for people to resume. */
export async function seedRollout(db: Database, actorId: number): Promise<void> {
  const [card] = await db.sql<{ id: number; board_id: number }[]>`
    select id, board_id from master_cards where unique_identifier = 'shop-announce'`
  if (!card) throw new Error('the demo has no card to change')
  const wanted = { title: 'Announce the opening a week before' }
  await changeTemplateCard(db, usualQuotas, { id: card.id, actorId }, wanted)
  const started = await startBoardRollout(db, card.board_id, actorId)
  if (typeof started === 'string') throw new Error(`the rollout was not started: ${started}`)
  await cancelRollout(db, started.rolloutId)
  await closeRollout(db, started.rolloutId)
}
