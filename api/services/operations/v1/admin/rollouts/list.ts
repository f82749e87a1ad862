import { operation } from '#api/operation.ts'
import { badCursor, pageInput, pageOf, pageOutput, readPage } from '#api/page.ts'
import { flag, integer, list, optional, record } from '#contract/schema.ts'
import { countActive, listRollouts, rollout } from '#rollouts/rollout.ts'

export default operation({
  path: '/services/operations/v1/admin/rollouts/list',
  summary: 'Rollouts with their counts, newest first',
  audience: 'superadmin',
  input: {
    board_id: optional(integer({ about: 'Only rollouts of this template.' })),
    is_active: optional(flag({ about: 'Only rollouts that have begun and not ended.' })),
    ...pageInput,
  },
  success: 200,
  message: 'The rollouts.',
  output: record({
    rollouts: list(rollout),
    active_count: integer({
      about: 'How many rollouts, of the template if one is given, have begun and not ended: on all pages.',
    }),
    ...pageOutput,
  }),
  failures: { 422: badCursor },
  async handle({ input, caller, db, fail }) {
    const { after, limit } = readPage(input, fail)
    const boardId = input.board_id ?? null
    const platformId = caller.superadminPlatformId
    const isActive = input.is_active ?? false
    const [found, active_count] = await Promise.all([
      listRollouts(db, { platformId, boardId, isActive, before: after, limit: limit + 1 }),
      countActive(db, platformId, boardId),
    ])
    const { rows, next_cursor } = pageOf(found, limit)
    return { rollouts: rows, active_count, next_cursor }
  },
})
