import { guessingTooFast, noMail, tooFast } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { newEmail, nothing } from '#contract/schema.ts'
import { requestSignUp } from '#identity/signing-up.ts'
import { preferred } from '#languages/known.ts'
import { signUpFailures } from './sign-up.ts'

export default operation({
  path: '/services/identity/v1/sign-up/request',
  summary: 'Send a link with which someone confirms their address and creates an account',
  about:
    'Only if the operator allows it (`CARDINAL_SIGN_UP`). The answer is the same whether or not there is an account with this address; its owner then gets an email that says so. The link works once, within 24 hours, and an address gets at most three emails in an hour.',
  audience: 'public',
  input: { email: newEmail() },
  success: 200,
  message: 'An email with the next step is on its way to this address.',
  output: nothing,
  failures: {
    400: noMail,
    403: signUpFailures[403],
    422: { email: { other_domain: 'You cannot sign up with an address of this domain.' } },
    429: guessingTooFast,
  },
  async handle({ input, db, mailWay, signUp: rule, http, fail }) {
    const language = preferred(http.header('accept-language'))
    const wanted = { email: input.email, language, address: http.address }
    const outcome = await requestSignUp(db, wanted, { rule, mailWay })
    if (outcome === 'sign-up is off') throw fail(403, 'sign_up_off')
    if (outcome === 'other domain') throw fail(422, { email: 'other_domain' })
    if (outcome === 'no mail') throw fail(400, 'mail_not_set_up')
    if (outcome !== 'noted') throw tooFast(outcome, fail)
    return []
  },
})
