import { operation } from '#api/operation.ts'
import { beginPasskey } from '#projects/invitation/signing-up.ts'
import { creation, creationOf, requireSite, unavailable } from '../passkeys/passkey.ts'
import { invitationToken, linkFailures } from './invitation.ts'
import { accountExists, isRefused, newPerson, newPersonFailure } from './new-person.ts'

export default operation({
  path: '/services/identity/v1/invitations/begin-passkey',
  summary: 'Get a challenge for the passkey of an invited person without an account',
  about:
    'Call `navigator.credentials.create` with it, and send what it gives to `invitations/sign-up-with-passkey` within 5 minutes.',
  audience: 'public',
  input: { token: invitationToken, name: newPerson.name },
  success: 200,
  message: 'Create the passkey in your browser, then create the account.',
  output: creation,
  failures: { ...linkFailures, 400: { ...linkFailures[400], ...accountExists, ...unavailable } },
  async handle({ input, db, passkeys, fail }) {
    const site = requireSite(passkeys, fail)
    const begun = await beginPasskey(db, passkeys, input.token)
    if (isRefused(begun)) throw newPersonFailure(begun, fail)
    return creationOf(site, { ...begun, name: input.name, present: [] })
  },
})
