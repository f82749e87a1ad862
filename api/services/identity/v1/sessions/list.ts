import { operation } from '#api/operation.ts'
import { flag, integer, list, oneOf, record, text, timestamp } from '#contract/schema.ts'
import { build } from '#database/connect.ts'

export default operation({
  path: '/services/identity/v1/sessions/list',
  summary: "The caller's sessions that are still valid, the newest first",
  audience: 'signed in',
  input: {},
  success: 200,
  message: 'Your sessions.',
  output: record({
    sessions: list(
      record({
        id: integer(),
        is_current: flag(),
        carrier: oneOf(['bearer', 'cookie']),
        second_factor: flag(),
        address: text(),
        user_agent: text(),
        created_at: timestamp(),
        last_used_at: timestamp(),
        expires_at: timestamp(),
      }),
    ),
  }),
  failures: [],
  async handle({ caller, db }) {
    const sessions = await db.all(
      build
        .selectFrom('sessions')
        .select([
          'id',
          'carrier',
          'second_factor',
          'address',
          'user_agent',
          'created_at',
          'last_used_at',
          'expires_at',
        ])
        .where('user_id', '=', caller.id)
        .where('expires_at', '>', (now) => now.fn('now'))
        .orderBy('id', 'desc')
        .limit(200),
    )
    return {
      sessions: sessions.map((session) => ({ ...session, is_current: session.id === caller.sessionId })),
    }
  },
})
