import { operation } from '#api/operation.ts'
import { originOf } from '#api/origin.ts'
import { record, text } from '#contract/schema.ts'
import { confirmAddress } from '#identity/changing-address.ts'

export default operation({
  path: '/services/identity/v1/users/confirm-email',
  summary: 'Confirm the new email address of an account with the link that was sent to it',
  audience: 'public',
  input: { token: text({ max: 255, about: 'The part of the link after the `#`.' }) },
  success: 200,
  message: 'The email address was changed.',
  output: record({ email: text() }),
  failures: {
    400: { email_taken: 'This address already has an account.' },
    404: { email_link_not_found: 'This link was used before, replaced by another one, or has expired.' },
  },
  async handle({ input, caller, db, log, http, fail }) {
    const confirmed = await confirmAddress(db, input.token, originOf({ http, caller, log }))
    if (confirmed === 'no link') throw fail(404, 'email_link_not_found')
    if (confirmed === 'address taken') throw fail(400, 'email_taken')
    return confirmed
  },
})
