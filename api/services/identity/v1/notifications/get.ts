import { operation } from '#api/operation.ts'
import { record } from '#contract/schema.ts'
import { readSettings, settings } from '#inbox/settings.ts'

export default operation({
  path: '/services/identity/v1/notifications/get',
  summary: 'How you are notified, by reason: in the app, also by email, or not at all',
  audience: 'signed in',
  input: {},
  success: 200,
  message: 'Your notifications.',
  output: record({ settings }),
  failures: {},
  async handle({ caller, db }) {
    return { settings: await readSettings(db, caller.id) }
  },
})
