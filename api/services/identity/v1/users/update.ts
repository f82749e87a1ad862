import { notFound } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { nullable, oneOf, optional, record, text } from '#contract/schema.ts'
import { setLocality } from '#identity/accounts.ts'
import { languages } from '#languages/known.ts'

export default operation({
  path: '/services/identity/v1/users/update',
  summary: 'Choose your language and your time zone; both take effect with your next call',
  audience: 'signed in',
  input: { language: optional(oneOf(languages)), time_zone: optional(text({ max: 64 })) },
  success: 200,
  message: 'Your account was updated.',
  output: record({ user: record({ language: nullable(text()), time_zone: nullable(text()) }) }),
  failures: { 422: { time_zone: notFound } },
  async handle({ input: { language, time_zone: timeZone }, caller, db, fail }) {
    const user = await setLocality(db, caller.id, { language, timeZone })
    if (user === 'unknown time zone') throw fail(422, { time_zone: 'not_found' })
    return { user }
  },
})
