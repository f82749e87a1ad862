// How this instance sends mails, as the operator has set it. Started by service.ts.
import type { Database } from '#database/connect.ts'
import type { Log } from '../log.ts'
import type { MailWay } from './outbox.ts'
import { dropMails, sendMails } from './sending.ts'
import { connectToSmtp, type SmtpSettings, type Transport } from './transport.ts'
import { type StoredMail, type WrittenMail, writeMail } from './writing.ts'

export type MailSettings = ({ way: 'smtp' } & SmtpSettings) | { way: 'outbox' } | { way: 'none' }

interface Means {
  /** The address that people use; known once the service listens. */
  baseUrl(): string
  /** Decrypts the secret of a link. */
  open(sealed: string): string
}

export interface Mail {
  way: MailWay
  /** The work of the job: sends what is due, or drops it if nothing can be sent. The outbox keeps it. */
  send(db: Database, task: { log: Log; signal: AbortSignal }): Promise<void>
  /** A mail as it would be sent. */
  write(mail: StoredMail & { secret: string | null }): WrittenMail
  close(): void
}

export function startMail(settings: MailSettings, { baseUrl, open }: Means): Mail {
  let transport: Transport | undefined
  return {
    way: settings.way,
    async send(db, task) {
      if (settings.way === 'outbox') return
      if (settings.way === 'none') return dropMails(db)
      transport ??= await connectToSmtp(settings)
      await sendMails(db, { transport, from: settings.from, baseUrl: baseUrl(), open }, task)
    },
    write: (mail) =>
      writeMail(mail, { baseUrl: baseUrl(), secret: mail.secret === null ? '' : open(mail.secret) }),
    close: () => transport?.close(),
  }
}
