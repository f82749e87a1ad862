import { operation } from '#api/operation.ts'
import { record, text } from '#contract/schema.ts'
import { keepAttempt, off, requireSingleSignOn } from './single-sign-on.ts'

export default operation({
  path: '/services/identity/v1/single-sign-on/begin',
  summary: 'Get the address of the identity provider where the person signs in',
  about:
    'For browsers: a cookie keeps the secret of the attempt for 10 minutes. The provider sends the person back to `/single-sign-on`, with what `single-sign-on/complete` needs.',
  audience: 'public',
  input: {},
  success: 200,
  message: 'Continue at the identity provider.',
  output: record({ url: text() }),
  failures: {
    400: off,
    500: { identity_provider_failed: 'The identity provider does not respond. Try again in a minute.' },
  },
  async handle({ singleSignOn, http, fail }) {
    const begun = await requireSingleSignOn(singleSignOn, fail).begin()
    if (!begun) throw fail(500, 'identity_provider_failed')
    keepAttempt(http, begun.secret)
    return { url: begun.url }
  },
})
