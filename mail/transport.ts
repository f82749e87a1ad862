// The one place that knows SMTP.
import type { WrittenMail } from './writing.ts'

export interface Sender {
  name: string
  address: string
}

interface OutgoingMail extends WrittenMail {
  to: string
  messageId: string
}

export interface Transport {
  send(mail: OutgoingMail): Promise<void>
  close(): void
}

export interface SmtpSettings {
  url: string
  from: Sender
  /** Where answers go; by default to the sender. */
  replyTo?: Sender | undefined
}

/** For the mails that many people get at once; `?maxConnections=` of the address says otherwise. */
const connections = 10

/** Connects with the first mail, and again after a lost connection. */
export async function connectToSmtp({ url, from, replyTo }: SmtpSettings): Promise<Transport> {
  // Loaded on demand, because many services run without it.
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: connections,
    maxRequeues: 0,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
    // A mail is made of text alone, so no part of it may name a file or an address to read.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async send({ to, subject, text, html, messageId, unsubscribe }) {
      await transport.sendMail({
        from,
        ...(replyTo && { replyTo }),
        // Objects are never parsed as lists of addresses.
        to: { name: '', address: to },
        subject,
        text,
        html,
        messageId,
        headers: {
          // Keeps out-of-office answers away.
          'auto-submitted': 'auto-generated',
          'x-auto-response-suppress': 'All',
          // Mail programs then have a button that ends such mails without opening a page (RFC 8058).
          ...(unsubscribe !== undefined && {
            'list-unsubscribe': { prepared: true, foldLines: false, value: `<${unsubscribe}>` },
            'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
          }),
        },
      })
    },
    close: () => transport.close(),
  }
}

/** What an error of a transport says about the next attempt. */
export function judgeError(error: unknown): { code: string; isFinal: boolean; isOfServer: boolean } {
  const {
    code = '',
    command = '',
    responseCode = 0,
  } = error as { code?: string; command?: string; responseCode?: number }
  // Before the recipient is named, a refusal is about us and not about the mail.
  const isOfMail = responseCode > 0 && /^(RCPT TO|DATA)$/.test(command)
  return {
    // Without the server's words, which quote the address.
    code: [code || 'unknown', responseCode || ''].join(' ').trim(),
    isFinal: isOfMail && responseCode >= 500,
    isOfServer: !isOfMail,
  }
}
