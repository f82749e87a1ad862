import assert from 'node:assert/strict'
import test, { after } from 'node:test'
import { startPasswords } from './passwords.ts'

const passwords = startPasswords()
after(() => passwords.close())

test('nobody has the password of a hash that cannot be read, and hashing goes on', async () => {
  assert.equal(await passwords.verify('no hash', 'correct horse'), false)
  const stored = await passwords.hash('correct horse')
  assert.deepEqual(
    await Promise.all(['correct horse', 'battery'].map((given) => passwords.verify(stored, given))),
    [true, false],
  )
})

test('new passwords that wait to be judged keep no turn of sign-ins', async () => {
  const done: string[] = []
  const person = { email: 'ada@example.test', name: 'Ada' }
  const asking = { knownAs: 'ada' }
  const changes = Array.from({ length: 60 }, () =>
    passwords.hashNew(asking, 'tall oaks hum at noon', person).then(() => done.push('change')),
  )
  await passwords.inTurn(asking, async () => done.push('turn'))
  assert.deepEqual(done, ['turn'])
  await Promise.all(changes)
})

test('an account with many new passwords does not keep others from having theirs judged', async () => {
  const done: string[] = []
  const judge = async (knownAs: string) => {
    await passwords.hashNew({ knownAs }, 'password password', { email: 'ada@example.test', name: 'Ada' })
    done.push(knownAs)
  }
  const many = Array.from({ length: 60 }, () => judge('noisy'))
  await Promise.all([...many, judge('quiet')])
  assert.equal(done.length, 61)
  assert.ok(done.indexOf('quiet') < 5, `after ${done.indexOf('quiet')} others`)
})
