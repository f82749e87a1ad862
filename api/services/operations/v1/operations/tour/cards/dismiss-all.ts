import { operation } from '#api/operation.ts'
import { integer, record } from '#contract/schema.ts'
import { currentProject } from '#identity/caller.ts'

export default operation({
  path: '/services/operations/v1/operations/tour/cards/dismiss-all',
  summary: 'Dismiss every tour card of the project; no push or sync brings them back',
  audience: 'work',
  input: {},
  success: 200,
  message: 'The tour was dismissed.',
  output: record({ dismissed_count: integer() }),
  failures: [403, 422],
  writes: true,
  async handle({ caller, db, live, http, fail }) {
    const projectId = currentProject(caller, 'work', fail)
    // A transaction, because that is what is tried again after a deadlock with another change of many cards.
    const [row] = await db.transaction((queries) =>
      queries.run<{ dismissed_count: number }>(dismissStatement, [projectId, caller.id]),
    )
    const dismissed = row?.dismissed_count ?? 0
    if (dismissed > 0) live.announce(http, projectId)
    return { dismissed_count: dismissed }
  },
})

const dismissStatement = `
  with dismissed as (
    update cards set is_active = false, updated_at = now()
    where project_id = $1 and tour_key is not null and is_active and deleted_at is null
    returning board_id, id
  ),
  event as (
    insert into events (project_id, board_id, actor_id, kind, data)
    select $1, board_id, $2, 'cards.dismissed', jsonb_build_object('card_ids', json_agg(id order by id))
    from dismissed group by board_id
  )
  select count(*) as dismissed_count from dismissed`
