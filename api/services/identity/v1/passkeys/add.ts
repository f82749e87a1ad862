import { operation } from '#api/operation.ts'
import { originOf } from '#api/origin.ts'
import { usual } from '#contract/failure.ts'
import { record, text } from '#contract/schema.ts'
import { addPasskey, mostPasskeys } from '#identity/passkeys.ts'
import {
  createdInput,
  known,
  longestName,
  notAccepted,
  passkey,
  requireSite,
  unavailable,
} from './passkey.ts'

export default operation({
  path: '/services/identity/v1/passkeys/add',
  summary: 'Add a passkey that a browser has created',
  about: `The owner is notified by email. An account has at most ${mostPasskeys} passkeys.`,
  audience: 'signed in',
  input: {
    name: text({ max: longestName, about: 'How the person recognizes it, such as the name of the device.' }),
    ...createdInput,
  },
  success: 201,
  message: 'The passkey was added.',
  output: record({ passkey }),
  failures: {
    400: {
      ...unavailable,
      ...notAccepted,
      ...known,
      too_many_passkeys: `An account has at most ${mostPasskeys} passkeys. Remove one first.`,
    },
    401: usual[401],
  },
  changes: true,
  async handle({ input, caller, db, passkeys, log, http, fail }) {
    const site = requireSite(passkeys, fail)
    const own = { userId: caller.id, sessionId: caller.sessionId }
    const { name, credential, client_data, attestation } = input
    const made = { name, credential, clientData: client_data, attestation }
    const added = await addPasskey(db, { passkeys, site }, own, made, originOf({ http, caller, log }))
    if (added === 'session ended') throw fail(401, 'unauthenticated')
    if (added === 'not accepted') throw fail(400, 'passkey_not_accepted')
    if (added === 'known already') throw fail(400, 'passkey_known')
    if (added === 'too many') throw fail(400, 'too_many_passkeys')
    return { passkey: added }
  },
})
