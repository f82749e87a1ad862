import { operation } from '#api/operation.ts'
import { flag, integer, list, oneOf, record, text, timestamp } from '#contract/schema.ts'

const session = record({
  id: integer(),
  is_current: flag(),
  carrier: oneOf(['bearer', 'cookie']),
  second_factor: flag(),
  address: text(),
  user_agent: text(),
  created_at: timestamp(),
  last_used_at: timestamp(),
  expires_at: timestamp(),
})

export default operation({
  path: '/services/identity/v1/sessions/list',
  summary: "The caller's sessions that are still valid, the newest first",
  audience: 'signed in',
  input: {},
  success: 200,
  message: 'Your sessions.',
  output: record({ sessions: list(session) }),
  failures: {},
  async handle({ caller, db }) {
    const sessions = await db.sql<(typeof session)['static'][]>`
      select id, carrier, second_factor, address, user_agent, created_at, last_used_at, expires_at, id = ${caller.sessionId} as is_current
      from sessions where user_id = ${caller.id} and expires_at > now() order by id desc limit 200`
    return { sessions }
  },
})
