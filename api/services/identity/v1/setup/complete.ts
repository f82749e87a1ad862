import { operation } from '#api/operation.ts'
import { busy, type Fail } from '#contract/failure.ts'
import type { Exchange } from '#contract/operation.ts'
import { email, integer, nullable, optional, record, secret, text } from '#contract/schema.ts'
import type { Database } from '#database/connect.ts'
import { addUser } from '#identity/accounts.ts'
import { longestPasswordBytes, type Passwords, shortestPassword } from '#identity/passwords.ts'
import { carrierAskedFor, openSession } from '#identity/sessions.ts'
import { isEasyToGuess } from '#identity/weak-password.ts'
import { createProject } from '#projects/creating.ts'
import type { Quotas } from '#quotas/quotas.ts'
import { requireSetupLink, setupFailures } from './setup-link.ts'

export default operation({
  path: '/services/identity/v1/setup/complete',
  summary: 'Make the first superadmin by the setup link that the start printed, and sign them in',
  audience: 'public',
  input: {
    token: text(),
    name: text({ max: 255 }),
    email: email(),
    password: secret({ min: shortestPassword }),
    project_name: optional(text({ max: 255 })),
  },
  success: 201,
  message: 'Cardinal is set up.',
  output: record({ token: text(), user_id: integer(), project_id: nullable(integer()) }),
  failures: {
    ...setupFailures,
    422: {
      password: {
        too_long: `The :attribute field must not be greater than ${longestPasswordBytes} bytes.`,
        too_easy: 'The :attribute field is too easy to guess.',
      },
    },
  },
  async handle({ input, db, passwords, http, quotas, fail }) {
    if (Buffer.byteLength(input.password) > longestPasswordBytes) throw fail(422, { password: 'too_long' })
    if (isEasyToGuess(input.password, input)) throw fail(422, { password: 'too_easy' })
    // Checked before the password is hashed, because hashing is expensive and only a valid link should cause it.
    await requireSetupLink(db, input.token, fail)
    const answer = passwords.admit(() => setUp(input, { db, passwords, http, quotas, fail }))
    if (!answer) throw busy(1)
    return answer
  },
})

interface Input {
  token: string
  name: string
  email: string
  password: string
  project_name?: string | null
}

interface Means {
  db: Database
  passwords: Passwords
  http: Exchange
  quotas: Quotas
  fail: Fail<typeof setupFailures>
}

async function setUp(
  { token, name, email, password, project_name: projectName }: Input,
  { db, passwords, http, quotas, fail }: Means,
) {
  const passwordHash = await passwords.hash(password)
  return db.transaction(async (queries) => {
    // Until this is committed no other account can be added, so two browsers create one superadmin.
    await queries.sql`lock table users in share row exclusive mode`
    await requireSetupLink(queries, token, fail)
    const userId = await addUser(queries, {
      email,
      name,
      passwordHash,
      superadmin: true,
      superadminBilling: true,
    })
    if (userId === 'email taken') throw fail(400, 'already_set_up')
    const project = projectName ? { name: projectName, toolKeys: [], ownerId: userId } : undefined
    const projectId = project ? await createProject(queries, project, quotas) : null
    const session = { userId, carrier: carrierAskedFor(http), secondFactor: false }
    return { token: await openSession(queries, http, session), user_id: userId, project_id: projectId }
  })
}
