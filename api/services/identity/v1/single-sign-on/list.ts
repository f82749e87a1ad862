import { operation } from '#api/operation.ts'
import { list, record, text, timestamp } from '#contract/schema.ts'
import { listLinked } from '#identity/linking-sign-on.ts'

export default operation({
  path: '/services/identity/v1/single-sign-on/list',
  summary: 'List the identity providers that your account is linked with',
  audience: 'signed in',
  input: {},
  success: 200,
  message: 'The identity providers of your account.',
  output: record({
    providers: list(
      record({
        issuer: text({ about: 'The address that names the provider.' }),
        linked_at: timestamp(),
        last_used_at: timestamp(),
      }),
    ),
  }),
  failures: {},
  async handle({ caller, db }) {
    return { providers: await listLinked(db, caller.id) }
  },
})
