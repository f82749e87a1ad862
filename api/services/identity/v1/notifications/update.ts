import { operation } from '#api/operation.ts'
import { usual } from '#contract/failure.ts'
import { record } from '#contract/schema.ts'
import { changeSettings, chosenSettings, settings } from '#inbox/settings.ts'

export default operation({
  path: '/services/identity/v1/notifications/update',
  summary: 'Choose how you are notified, by reason; what is absent stays as it is',
  audience: 'signed in',
  input: chosenSettings,
  success: 200,
  message: 'Your notifications were changed.',
  output: record({ settings }),
  failures: { 401: usual[401] },
  writes: true,
  async handle({ input, caller, db, fail }) {
    const changed = await changeSettings(db, caller.id, input)
    if (changed === 'account closed') throw fail(401, 'unauthenticated')
    return { settings: changed }
  },
})
