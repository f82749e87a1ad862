import { notFound, refuseReserved, reservedName } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { usual } from '#contract/failure.ts'
import { nullable, oneOf, optional, record, text } from '#contract/schema.ts'
import { setProfile } from '#identity/accounts.ts'
import { languages } from '#languages/known.ts'

export default operation({
  path: '/services/identity/v1/users/update',
  summary: 'Change your name, your language or your time zone; all take effect with your next call',
  audience: 'signed in',
  input: {
    name: optional(text({ min: 1, max: 255, about: 'Your name, as others see it.' })),
    language: optional(oneOf(languages)),
    time_zone: optional(text({ max: 64 })),
  },
  success: 200,
  message: 'Your account was updated.',
  output: record({ user: record({ name: text(), language: nullable(text()), time_zone: nullable(text()) }) }),
  failures: { 401: usual[401], 422: { name: reservedName, time_zone: notFound } },
  changes: true,
  check: (call) => refuseReserved(call),
  async handle({ input: { name, language, time_zone: timeZone }, caller, db, fail }) {
    const user = await setProfile(db, caller.id, { name, language, timeZone })
    if (user === 'account closed') throw fail(401, 'unauthenticated')
    if (user === 'unknown time zone') throw fail(422, { time_zone: 'not_found' })
    return { user }
  },
})
