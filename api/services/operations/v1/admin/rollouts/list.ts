import { operation } from '#api/operation.ts'
import { badCursor, pageInput, pageOf, pageOutput, readPage } from '#api/page.ts'
import { flag, integer, list, optional, record } from '#contract/schema.ts'
import { listRollouts, rollout } from '#rollouts/rollout.ts'

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
  output: record({ rollouts: list(rollout), ...pageOutput }),
  failures: { 422: badCursor },
  async handle({ input, caller, db, fail }) {
    const { after, limit } = readPage(input, fail)
    const boardId = input.board_id ?? null
    const platformId = caller.superadminPlatformId
    const isActive = input.is_active ?? false
    const found = await listRollouts(db, { platformId, boardId, isActive, before: after, limit: limit + 1 })
    const { rows, next_cursor } = pageOf(found, limit)
    return { rollouts: rows, next_cursor }
  },
})
