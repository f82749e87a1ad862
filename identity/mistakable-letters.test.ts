// Addresses are compared in lower case, in which PostgreSQL takes some letters for others.
import assert from 'node:assert/strict'
import test from 'node:test'
import { mistakableLetterIn } from '#contract/mistakable-letters.ts'
import { startMailServer } from '#tests/mail-server.ts'
import { post } from '#tests/post.ts'
import { eventually } from '#tests/process.ts'
import { password, startTestService } from '#tests/service.ts'

const server = await startMailServer()
const service = await startTestService({ mail: server.mail, signUp: { way: 'open', domains: [] } })
const folder = '/services/identity/v1'

test('exactly the letters are mistakable that PostgreSQL takes for one with another capital', async () => {
  const found = await service.db.sql<{ letter: string }[]>`
    select chr(code) as letter from generate_series(1, 1114111) code
    where code not between 55296 and 57343 and lower(chr(code)) <> chr(code) and upper(lower(chr(code))) <> chr(code)`
  assert.ok(found.length > 0)
  const expected = new Set(found.map(({ letter }) => letter))
  for (let code = 1; code <= 0x10ffff; code++) {
    const letter = String.fromCodePoint(code)
    assert.equal(mistakableLetterIn(letter) !== undefined, expected.has(letter), `U+${code.toString(16)}`)
  }
})

test('422 wherever a new address comes in, while an account with one of them signs in and resets its password', async () => {
  const email = 'ada@v\u0130ctim.test'
  const projectId = await service.addProject('Garden')
  const user = await service.addUser({ roles: { [projectId]: 'owner' } })
  const calls: [path: string, token: string, input: object][] = [
    ['sign-up/request', '', { email }],
    ['setup/complete', '', { token: 'x', name: 'Ada', email, password }],
    ['users/change-email', user.token, { email }],
    ['invitations/create', user.token, { emails: ['ok@a.test', email], role: 'member' }],
  ]
  for (const [path, token, input] of calls) {
    const answer = await post(service, `${folder}/${path}`, token, input)
    const code = path.startsWith('inv') ? 'emails_mistakable_letter' : 'email_mistakable_letter'
    assert.deepEqual([answer.status, answer.headers.get('x-error-code')], [422, code], path)
  }
  await service.db.sql`update users set email = ${email} where id = ${user.id}`
  assert.equal((await post(service, '/v1/authenticate', '', { email, password })).status, 200)
  assert.equal((await post(service, `${folder}/password/request-reset`, '', { email })).status, 200)
  await eventually(async () => {
    const mails = await service.db
      .sql`select from mails where to_address = ${email} and kind = 'password_reset'`
    assert.equal(mails.length, 1)
  })
})
