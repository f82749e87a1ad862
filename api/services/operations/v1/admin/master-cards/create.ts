import { notFound } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { limitReached, longestField, onLimit } from '#api/quota.ts'
import { type Card, card } from '#boards/card/card.ts'
import { flag, integer, optional, record } from '#contract/schema.ts'
import { keepRevisions, lockBoardOf } from '#templates/masters.ts'
import { refuseLargerTemplate, templateSize } from '#templates/size.ts'
import { startPush } from '#templates/starting.ts'
import { cleaned, title } from '../../operations/fields.ts'
import { endedEarly, finished } from '../pushes/push.ts'
import { badTexts, masterCardInput, readMasterCard, withFreeIdentifier } from './master-card.ts'

export default operation({
  path: '/services/operations/v1/admin/master-cards/create',
  summary: 'Create a card at the end of a master group, and push it to the projects if asked to',
  audience: 'superadmin',
  input: {
    group_id: integer(),
    title,
    ...masterCardInput,
    push_to_projects: optional(flag()),
  },
  success: 201,
  message: 'The master card was created.',
  output: record({ card, projects_updated: integer() }),
  failures: { 400: endedEarly, 422: { ...badTexts, group_id: { ...notFound, ...limitReached } } },
  v1Text: { projects_updated: 'whole' },
  writes: true,
  async begin({ input, caller, db, quotas, readDescription, fail }) {
    const wanted = await cleaned(input, { readDescription, fail })
    const creation = db.transaction(async (queries) => {
      const { sql } = queries
      const invalid = () => fail(422, { group_id: 'not_found' })
      const board = await lockBoardOf(queries, 'master_groups', wanted.group_id)
      if (!board) throw invalid()
      const size = await templateSize(queries, board.id)
      const [made] = await sql<{ id: number; is_active: boolean }[]>`
        insert into master_cards (board_id, group_id, title, description, unique_identifier, evaluation_check,
          needs_confirmation, tour_key,
          short_description, status, is_active, priority, sort_order, created_by)
        select board_id, id, ${wanted.title}, ${wanted.description ?? null}, ${wanted.unique_identifier ?? null},
          ${wanted.evaluation_check ?? null}, ${wanted.needs_confirmation ?? false}, ${wanted.tour_key ?? null}, ${wanted.short_description ?? null},
          ${wanted.status ?? 'open'}, ${wanted.is_active ?? true}, ${wanted.priority ?? 'normal'},
          (select coalesce(max(sort_order), 0) + 1 from master_cards held where held.group_id = g.id and held.deleted_at is null),
          ${caller.id}
        from master_groups g where id = ${wanted.group_id} and deleted_at is null
        returning id, is_active`
      if (!made) throw invalid()
      await keepRevisions(queries, board.id, caller.id, { cardIds: [made.id] })
      await refuseLargerTemplate(queries, quotas, board.id, size)
      const isPushed = wanted.push_to_projects === true && made.is_active && board.is_active
      const push = { kind: 'card', boardId: board.id, cardId: made.id, actorId: caller.id } as const
      const pushId = isPushed ? await startPush(queries, push) : null
      return { card: (await readMasterCard(queries, made.id)) as Card, pushId }
    })
    return withFreeIdentifier(creation, fail).catch(
      onLimit((limit, quota) =>
        fail(422, { [quota.startsWith('bytes') ? longestField(wanted) : 'group_id']: limit }),
      ),
    )
  },
  async handle({ begun, pusher, fail }) {
    const { card: created, pushId } = begun
    const result = pushId === null ? undefined : await finished(pusher, pushId, fail)
    return { card: created, projects_updated: result?.counts.changed ?? 0 }
  },
})
