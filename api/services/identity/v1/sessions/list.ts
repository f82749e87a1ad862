import { operation } from '#api/operation.ts'
import { flag, integer, list, oneOf, record, text, timestamp } from '#contract/schema.ts'
import { carriers, listSessions } from '#identity/sessions.ts'

const session = record({
  id: integer(),
  is_current: flag(),
  carrier: oneOf(carriers),
  second_factor: flag(),
  address: text(),
  user_agent: text(),
  created_at: timestamp(),
  last_used_at: timestamp(),
  expires_at: timestamp(),
})

export default operation({
  path: '/services/identity/v1/sessions/list',
  summary: "The caller's valid sessions, newest first",
  audience: 'signed in',
  input: {},
  success: 200,
  message: 'Your sessions.',
  output: record({ sessions: list(session) }),
  failures: {},
  async handle({ caller, db }) {
    return { sessions: await listSessions(db, { userId: caller.id, currentId: caller.sessionId }) }
  },
})
