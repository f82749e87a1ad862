import { operation } from '#api/operation.ts'
import { catalogueOf } from '#billing/catalogue.ts'
import { integer, list, record, text } from '#contract/schema.ts'
import { findSignUp, refusalFor } from '#identity/signing-up.ts'
import { firstPlatform } from '#projects/platform.ts'
import { refuseIfOff, signUpFailures, signUpToken } from './sign-up.ts'

export default operation({
  path: '/services/identity/v1/sign-up/check',
  summary: 'What the link of a sign-up is for: the address, and the products that can be tried',
  audience: 'public',
  input: { token: signUpToken },
  success: 200,
  message: 'The link can be used.',
  output: record({
    email: text(),
    products: list(record({ key: text(), name: text() })),
    trial_days: integer(),
  }),
  failures: signUpFailures,
  async handle({ input, db, billing, signUp: rule, fail }) {
    const isOff = refuseIfOff(rule, fail)
    if (isOff) throw isOff
    const found = await findSignUp(db, input.token)
    if (!found) throw fail(404, 'sign_up_link_not_found')
    if (refusalFor(rule, found.email)) throw fail(403, 'sign_up_off')
    const { products, trialDays } = catalogueOf(billing.catalogue, await firstPlatform(db))
    return {
      email: found.email,
      products: products.map(({ key, name }) => ({ key, name })),
      trial_days: trialDays,
    }
  },
})
