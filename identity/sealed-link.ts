import type { Secrets } from './secrets.ts'

/** Secrets of links in mails belong to no user: an invitation may be for somebody who has no account yet. */
const nobody = 0

/** Encrypts the secret of a link while its mail waits to be sent. */
export const mailSecrets = (secrets: Pick<Secrets, 'seal' | 'open'>) => ({
  seal: (secret: string): string => secrets.seal(nobody, secret),
  open: (sealed: string): string => secrets.open(nobody, sealed),
})
