import { requireRecentPassword, unconfirmed } from '#api/confirm-password.ts'
import { operation } from '#api/operation.ts'
import { originOf } from '#api/origin.ts'
import { usual } from '#contract/failure.ts'
import { nothing } from '#contract/schema.ts'
import { closeAccount } from '#projects/closing-account.ts'

const mostNames = 3

/** Names the projects. */
export const lastOwnerOf = 'You are the last owner of :projects. Transfer the ownership or delete it first.'

export default operation({
  path: '/services/identity/v1/users/close',
  summary: 'Close your account',
  about:
    'Comments, cards and everything else that you wrote stay in their projects, as those of a former member. Cards that are assigned to you become unassigned, all sessions end, and your address can be used for another account. It cannot be undone. Possible within 15 minutes after the password was entered: at sign-in, or with `password/confirm`.',
  audience: 'signed in',
  input: {},
  success: 200,
  message: 'Your account was closed.',
  output: nothing,
  failures: {
    400: {
      last_owner: 'You are the last owner of a project. Transfer the ownership or delete it first.',
      last_superadmin: 'The last superadmin cannot close their account.',
    },
    401: usual[401],
    403: unconfirmed,
  },
  changes: true,
  async handle({ caller, db, http, log, fail }) {
    await requireRecentPassword({ db, caller, fail })
    const own = { userId: caller.id, sessionId: caller.sessionId }
    const closed = await closeAccount(db, own, { ...originOf({ http, caller, log }), actorId: caller.id })
    if (closed === 'session ended') throw fail(401, 'unauthenticated')
    if (closed === 'last superadmin') throw fail(400, 'last_superadmin')
    if (closed !== 'closed')
      throw fail(400, 'last_owner', {
        text: lastOwnerOf,
        values: { projects: closed.lastOwnerOf.slice(0, mostNames).join(', ') },
      })
    return []
  },
})
