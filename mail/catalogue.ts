// Every kind of mail, by the name under which it is stored while it waits.
import type { MailKind } from './content.ts'
import { accountClosed } from './kinds/account-closed.ts'
import { addressChanging } from './kinds/address-changing.ts'
import { addressTaken } from './kinds/address-taken.ts'
import { confirmAddress } from './kinds/confirm-address.ts'
import { digest } from './kinds/digest.ts'
import { inboxItems } from './kinds/inbox-items.ts'
import { invitation } from './kinds/invitation.ts'
import { newDevice } from './kinds/new-device.ts'
import { passkey } from './kinds/passkey.ts'
import { passwordChanged } from './kinds/password-changed.ts'
import { passwordReset } from './kinds/password-reset.ts'
import { projectArchived, projectUnarchived } from './kinds/project-archived.ts'
import { projectDeleted } from './kinds/project-deleted.ts'
import { secondFactor } from './kinds/second-factor.ts'
import { signOn } from './kinds/sign-on.ts'
import { signUp } from './kinds/sign-up.ts'
import { signUpKnown } from './kinds/sign-up-known.ts'

export const catalogue = {
  account_closed: accountClosed,
  address_changing: addressChanging,
  address_taken: addressTaken,
  confirm_address: confirmAddress,
  digest,
  inbox_items: inboxItems,
  invitation,
  new_device: newDevice,
  passkey,
  password_changed: passwordChanged,
  password_reset: passwordReset,
  project_archived: projectArchived,
  project_deleted: projectDeleted,
  project_unarchived: projectUnarchived,
  second_factor: secondFactor,
  sign_on: signOn,
  sign_up: signUp,
  sign_up_known: signUpKnown,
} as const

export type MailName = keyof typeof catalogue

/** The values that a kind of mail is written from. */
export type ValuesOf<Name extends MailName> =
  (typeof catalogue)[Name] extends MailKind<infer Values> ? Values : never
