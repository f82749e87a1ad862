import { guessingTooFast, noMail, tooFast } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { email, nothing } from '#contract/schema.ts'
import { requestReset } from '#identity/resetting-password.ts'
import { preferred } from '#languages/known.ts'

export default operation({
  path: '/services/identity/v1/password/request-reset',
  summary: 'Send a link with which the owner of an account chooses a new password',
  about:
    'The answer is the same whether or not there is an account with this address. The link works once, within 30 minutes, and an account gets at most three in an hour.',
  audience: 'public',
  input: { email: email() },
  success: 200,
  message: 'If there is an account with this address, a link is on its way to it.',
  output: nothing,
  failures: { 400: noMail, 429: guessingTooFast },
  async handle({ input, db, mailWay, http, fail }) {
    const { address, requestId } = http
    const language = preferred(http.header('accept-language'))
    const outcome = await requestReset(db, { email: input.email, language, address, requestId }, mailWay)
    if (outcome === 'no mail') throw fail(400, 'mail_not_set_up')
    if (outcome !== 'noted') throw tooFast(outcome, fail)
    return []
  },
})
