import { requireRecentPassword, unconfirmed } from '#api/confirm-password.ts'
import { operation } from '#api/operation.ts'
import { integer, nothing } from '#contract/schema.ts'
import { transferOwnership } from '#projects/member/changing-role.ts'
import { actingOf, noMember, roleTooHigh } from './acting.ts'

export default operation({
  path: '/services/identity/v1/members/transfer-ownership',
  summary: 'Make another member the owner of the project',
  about:
    'You become an admin. Other owners stay owners. Possible within 15 minutes after the password was entered: at sign-in, or with `password/confirm`.',
  audience: 'transfer ownership',
  on: 'project',
  input: { user_id: integer() },
  success: 200,
  message: 'The ownership was transferred.',
  output: nothing,
  failures: {
    400: { member_disabled: 'The account of this member is disabled.' },
    403: { ...unconfirmed, ...roleTooHigh },
    404: noMember,
  },
  writes: true,
  async handle({ input: { user_id: userId }, projectId, caller, db, log, http, fail }) {
    await requireRecentPassword({ db, caller, fail })
    const transferred = await transferOwnership(db, actingOf({ projectId, caller, http, log }), userId)
    if (transferred === 'not a member') throw fail(404, 'member_not_found')
    if (transferred === 'not allowed') throw fail(403, 'role_too_high')
    if (transferred === 'is disabled') throw fail(400, 'member_disabled')
    return []
  },
})
