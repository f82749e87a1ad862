import { nobody, type Secrets } from './secrets.ts'

/** Encrypts the secret of a link while its mail waits to be sent. */
export const mailSecrets = (secrets: Pick<Secrets, 'seal' | 'open'>) => ({
  seal: (secret: string): string => secrets.seal(nobody, secret),
  open: (sealed: string): string => secrets.open(nobody, sealed),
})
