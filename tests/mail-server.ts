// A real SMTP server that keeps what it receives, and refuses or loses mails on demand.
import assert from 'node:assert/strict'
import { after } from 'node:test'
import { SMTPServer } from 'smtp-server'
import type { Config } from '#config.ts'
import { eventually } from './running.ts'

export interface ReceivedMail {
  /** Where the mail program of the receiver sends what it cannot deliver. */
  sender: string
  to: string[]
  headers: ReadonlyMap<string, string>
  subject: string
  text: string
  html: string
  raw: string
}

/** What happens to one mail: a reply with this code; or it is received, and the connection is lost or held before the reply. */
type Fault = number | 'lost' | 'held'

export const mailFrom = { name: 'Cardinal', address: 'cardinal@mail.example.test' }

export const mailReplyTo = { name: 'Cardinal support', address: 'support@example.test' }

export async function startMailServer() {
  const mails: ReceivedMail[] = []
  const faults: Fault[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData(stream, session, callback) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const fault = faults.shift()
        if (typeof fault === 'number')
          return callback(Object.assign(new Error('refused on demand'), { responseCode: fault }))
        const { mailFrom: from } = session.envelope
        mails.push({
          sender: from ? from.address : '',
          to: session.envelope.rcptTo.map(({ address }) => address),
          ...parsed(Buffer.concat(chunks).toString('latin1').replaceAll('\r\n', '\n')),
        })
        // Without a reply the sender does not know whether the mail has arrived.
        if (fault === 'lost') for (const connection of server.connections) connection.close()
        else if (fault !== 'held') callback(null, 'received')
      })
    },
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => new Promise<void>((resolve) => server.close(resolve)))
  const { port } = server.server.address() as { port: number }
  const mail: Config['mail'] = {
    way: 'smtp',
    url: `smtp://127.0.0.1:${port}`,
    from: mailFrom,
    replyTo: mailReplyTo,
  }
  return {
    mails,
    faults,
    /** The setting of a service that sends its mails here. */
    mail,
    /** Waits for a mail to an address, and returns the newest. */
    async newest(to: string, subject?: RegExp): Promise<ReceivedMail> {
      return eventually(() => {
        const found = mails.findLast(
          (one) => one.to.includes(to) && (subject === undefined || subject.test(one.subject)),
        )
        assert.ok(found, `no mail to ${to} yet`)
        return found
      })
    },
  }
}

/** The address that a mail leads to, without the host. */
export function linkIn({ text }: ReceivedMail, path: string): string {
  const address = text.split('\n').find((line) => line.includes(`${path}#`))
  assert.ok(address, text)
  const { pathname, hash } = new URL(address)
  return pathname + hash
}

/** Reads a mail with one plain and one HTML part. */
function parsed(raw: string): Omit<ReceivedMail, 'to' | 'sender'> {
  const { headers, body } = entityOf(raw)
  const boundary = /boundary="?([^";]+)/.exec(headers.get('content-type') ?? '')?.[1]
  const parts =
    boundary === undefined ? [] : body.split(`--${boundary}`).map((part) => entityOf(part.trimStart()))
  const contentOf = (type: string) => {
    const part = parts.find((one) => one.headers.get('content-type')?.startsWith(type))
    return part ? decoded(part.body, part.headers.get('content-transfer-encoding') ?? '') : ''
  }
  return {
    headers,
    subject: words(headers.get('subject') ?? ''),
    text: contentOf('text/plain'),
    html: contentOf('text/html'),
    raw,
  }
}

function entityOf(raw: string): { headers: Map<string, string>; body: string } {
  const [head = '', ...rest] = raw.split('\n\n')
  const lines = head.replace(/\n[ \t]+/g, ' ').split('\n')
  const headers = new Map(
    lines.map((line) => {
      const [, name = '', value = ''] = /^([^:]+):\s*(.*)$/.exec(line) ?? []
      return [name.toLowerCase(), value] as const
    }),
  )
  return { headers, body: rest.join('\n\n') }
}

function decoded(body: string, encoding: string): string {
  if (encoding.toLowerCase() === 'base64') return Buffer.from(body, 'base64').toString()
  if (encoding.toLowerCase() !== 'quoted-printable') return Buffer.from(body, 'latin1').toString()
  return unquoted(body.replaceAll('=\n', ''))
}

const unquoted = (text: string) =>
  Buffer.from(
    text.replace(/=([0-9A-F]{2})/gi, (_match, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    ),
    'latin1',
  ).toString()

/** Words of a header that are not plain letters are encoded. */
const words = (header: string) =>
  header
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_match, kind: string, text: string) =>
      kind.toLowerCase() === 'b'
        ? Buffer.from(text, 'base64').toString()
        : unquoted(text.replaceAll('_', ' ')),
    )
