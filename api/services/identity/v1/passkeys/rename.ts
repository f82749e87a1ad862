import { operation } from '#api/operation.ts'
import { integer, record, text } from '#contract/schema.ts'
import { renamePasskey } from '#identity/passkeys.ts'
import { longestName, noPasskey, passkey } from './passkey.ts'

export default operation({
  path: '/services/identity/v1/passkeys/rename',
  summary: 'Give a passkey of the caller another name',
  audience: 'signed in',
  input: {
    id: integer({ about: 'The id of the passkey.' }),
    name: text({ max: longestName, about: 'How the person recognizes it, such as the name of the device.' }),
  },
  success: 200,
  message: 'The passkey was renamed.',
  output: record({ passkey }),
  failures: { 404: noPasskey },
  changes: true,
  async handle({ input, caller, db, fail }) {
    const renamed = await renamePasskey(db, { userId: caller.id, ...input })
    if (!renamed) throw fail(404, 'passkey_not_found')
    return { passkey: renamed }
  },
})
