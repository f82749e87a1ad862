import { operation } from '#api/operation.ts'
import { nothing } from '#contract/schema.ts'
import { forgetWrongCodes } from '#identity/wrong-codes.ts'

export default operation({
  path: '/services/identity/v1/second-factor/dismiss-warning',
  summary: 'Dismiss the warning about wrong codes in `users/me`; a password change also dismisses it',
  audience: 'signed in',
  input: {},
  success: 200,
  message: 'The warning was dismissed.',
  output: nothing,
  failures: {},
  changes: true,
  async handle({ caller, db }) {
    await forgetWrongCodes(db, caller.id)
    return []
  },
})
