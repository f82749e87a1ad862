import { operation } from '#api/operation.ts'
import { nullable, oneOf, optional, record, text } from '#contract/schema.ts'
import { setLanguage } from '#identity/accounts.ts'
import { languages } from '#languages/known.ts'

export default operation({
  path: '/services/identity/v1/users/update',
  summary: 'Choose your language; takes effect with your next call',
  audience: 'signed in',
  input: { language: optional(oneOf(languages)) },
  success: 200,
  message: 'Your account was updated.',
  output: record({ user: record({ language: nullable(text()) }) }),
  failures: {},
  async handle({ input: { language }, caller, db }) {
    return { user: { language: await setLanguage(db, caller.id, language) } }
  },
})
