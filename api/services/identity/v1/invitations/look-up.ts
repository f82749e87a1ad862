import { operation } from '#api/operation.ts'
import { flag, nullable, oneOf, record, text } from '#contract/schema.ts'
import { roles } from '#identity/roles.ts'
import { findInvitation } from '#projects/invitation/invitation.ts'
import { invitationToken, linkFailures, uselessFailure } from './invitation.ts'

export default operation({
  path: '/services/identity/v1/invitations/look-up',
  summary: 'What the link of an invitation is for',
  audience: 'public',
  input: { token: invitationToken },
  success: 200,
  message: 'The invitation.',
  output: record({
    invitation: record({
      project_name: text(),
      project_language: nullable(text({ about: 'What a new account gets unless the person chooses one.' })),
      inviter_name: text(),
      email: text(),
      role: oneOf(roles),
      has_account: flag({
        about: 'True: sign in to accept it. False: create an account with `invitations/sign-up`.',
      }),
    }),
  }),
  failures: linkFailures,
  async handle({ input, db, fail }) {
    const found = await findInvitation(db, input.token)
    if ('useless' in found) throw uselessFailure(found.useless, fail)
    const { project_name, project_language, inviter_name, email, role, has_account } = found
    return { invitation: { project_name, project_language, inviter_name, email, role, has_account } }
  },
})
