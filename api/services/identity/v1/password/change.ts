import { confirmPassword, incorrect } from '#api/confirm-password.ts'
import { operation } from '#api/operation.ts'
import { usual } from '#contract/failure.ts'
import { record, secret, text } from '#contract/schema.ts'
import { guessingTooFast } from '#identity/attempts.ts'
import { longestPasswordBytes, shortestPassword } from '#identity/passwords.ts'
import { openSession } from '#identity/sessions.ts'
import { forgetWrongCodes } from '#identity/wrong-codes.ts'

export default operation({
  path: '/services/identity/v1/password/change',
  summary: 'Change the password; every session ends, and the answer opens a new one',
  audience: 'signed in',
  input: { current_password: secret(), new_password: secret({ min: shortestPassword }) },
  success: 200,
  message: 'The password was changed.',
  output: record({ token: text() }),
  failures: {
    401: usual[401],
    422: {
      current_password: incorrect,
      new_password: {
        too_long: `The :attribute field must not be greater than ${longestPasswordBytes} bytes.`,
      },
    },
    429: guessingTooFast,
  },
  async handle({ input, caller, db, passwords, http, fail }) {
    if (Buffer.byteLength(input.new_password) > longestPasswordBytes)
      throw fail(422, { new_password: 'too_long' })
    await confirmPassword({ db, passwords, caller, http, fail }, input.current_password, () =>
      fail(422, { current_password: 'incorrect' }),
    )
    const hash = await passwords.hash(input.new_password)
    return db.transaction(async (queries) => {
      await queries.sql`update users set password_hash = ${hash}, updated_at = now() where id = ${caller.id}`
      await forgetWrongCodes(queries, caller.id)
      const ended = await queries.sql<{ second_factor: boolean; id: number }[]>`
        delete from sessions where user_id = ${caller.id} returning id, second_factor`
      const current = ended.find((session) => session.id === caller.sessionId)
      if (!current) throw fail(401, 'unauthenticated')
      const session = { userId: caller.id, carrier: caller.carrier, secondFactor: current.second_factor }
      return { token: await openSession(queries, http, session) }
    })
  },
})
