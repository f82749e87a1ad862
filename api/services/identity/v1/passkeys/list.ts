import { operation } from '#api/operation.ts'
import { list, record } from '#contract/schema.ts'
import { listPasskeys } from '#identity/passkeys.ts'
import { passkey } from './passkey.ts'

export default operation({
  path: '/services/identity/v1/passkeys/list',
  summary: "The caller's passkeys, oldest first",
  audience: 'signed in',
  input: {},
  success: 200,
  message: 'Your passkeys.',
  output: record({ passkeys: list(passkey) }),
  failures: {},
  async handle({ caller, db }) {
    return { passkeys: await listPasskeys(db, caller.id) }
  },
})
