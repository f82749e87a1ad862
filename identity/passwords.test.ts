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
