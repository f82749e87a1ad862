import assert from 'node:assert/strict'
import test from 'node:test'
import { pino } from 'pino'
import type { Database, Queries } from '#database/connect.ts'
import { queueMail, queueMails } from '#mail/queue.ts'
import { mailFrom, startMailServer } from '#tests/mail-server.ts'
import { withTestDatabase } from '#tests/postgres.ts'
import { type MailSettings, startMail } from './mail.ts'

const server = await startMailServer()

/** A log whose lines a test can read. */
function recorded() {
  const lines: string[] = []
  return { log: pino({ level: 'debug' }, { write: (line) => lines.push(line) }), lines }
}

const reversed = (secret: string) => [...secret].reverse().join('')

function sender(settings: MailSettings = server.mail) {
  const mail = startMail(settings, { baseUrl: () => 'https://boards.example.test', open: reversed })
  const { log, lines } = recorded()
  return {
    lines,
    send: (db: Database) => mail.send(db, { log, signal: new AbortController().signal }),
    close: mail.close,
  }
}

const reset = (queries: Queries, to: string, language: 'en' | 'de' = 'en') =>
  queueMail(queries, {
    kind: 'password_reset',
    to,
    language,
    values: { email: to, minutes: 30 },
    sealedSecret: reversed('the-secret'),
  })

const rows = ({ sql }: Database) => sql<
  {
    attempts: number
    is_waiting: boolean
    is_sent: boolean
    secret: string | null
    content: object
    error: string | null
  }[]
>`
  select attempts, send_at is not null as is_waiting, sent_at is not null as is_sent, secret, content, error from mails order by id`

/** As if the time of the next attempt had come. */
const becomeDue = ({ sql }: Database) => sql`update mails set send_at = now() where send_at is not null`

test('a mail is sent once after the commit, as text and HTML, and its secret is forgotten', () =>
  withTestDatabase(async (db) => {
    server.mails.length = 0
    const { send, close, lines } = sender()
    await db.transaction(async (queries) => {
      await reset(queries, 'ada@example.test')
      await send(db)
    })
    assert.equal(server.mails.length, 0)
    await send(db)
    await send(db)
    close()
    const [mail] = server.mails
    assert.equal(server.mails.length, 1)
    assert.deepEqual(mail?.to, ['ada@example.test'])
    assert.equal(mail?.subject, 'Reset your password')
    assert.equal(mail?.headers.get('from'), `${mailFrom.name} <${mailFrom.address}>`)
    assert.equal(mail?.headers.get('auto-submitted'), 'auto-generated')
    assert.match(mail?.headers.get('message-id') ?? '', /^<[0-9a-f-]{36}@mail\.example\.test>$/)
    for (const part of [mail?.text, mail?.html])
      assert.ok(part?.includes('https://boards.example.test/reset-password#the-secret'), part)
    assert.doesNotMatch(mail?.html ?? '', /<img|<script|@import|url\(/)
    assert.deepEqual(
      [...(await rows(db))],
      [{ attempts: 1, is_waiting: false, is_sent: true, secret: null, content: {}, error: null }],
    )
    const log = lines.join('')
    assert.ok(log.includes('mail sent'))
    assert.doesNotMatch(log, /the-secret|ada@example/)
  }))

test('a mail is in the language of its reader', () =>
  withTestDatabase(async (db) => {
    const { send, close } = sender()
    await reset(db, 'lena@example.test', 'de')
    await send(db)
    close()
    const mail = await server.newest('lena@example.test')
    assert.equal(mail.subject, 'Passwort zurücksetzen')
    assert.match(mail.html, /<html lang="de">/)
    assert.match(mail.text, /Der Link gilt einmal, 30 Minuten lang/)
  }))

test('a mail that is rolled back is never sent', () =>
  withTestDatabase(async (db) => {
    server.mails.length = 0
    const { send, close } = sender()
    const failing = db.transaction(async (queries) => {
      await reset(queries, 'nobody@example.test')
      throw new Error('on demand')
    })
    await assert.rejects(failing, /on demand/)
    await send(db)
    close()
    assert.deepEqual(server.mails, [])
  }))

test('a refusal for now is tried again later with the same Message-ID, one for good is not', () =>
  withTestDatabase(async (db) => {
    server.mails.length = 0
    const { send, close, lines } = sender()
    await reset(db, 'later@example.test')
    server.faults.push(451)
    await send(db)
    assert.deepEqual([server.mails.length, (await rows(db))[0]?.is_waiting], [0, true])
    // Not yet due.
    await send(db)
    assert.equal(server.mails.length, 0)
    await becomeDue(db)
    await send(db)
    assert.equal(server.mails.length, 1)
    assert.equal((await rows(db))[0]?.attempts, 2)

    await reset(db, 'never@example.test')
    server.faults.push(550)
    await send(db)
    close()
    const refused = (await rows(db))[1]
    assert.deepEqual([refused?.is_waiting, refused?.is_sent, refused?.secret], [false, false, null])
    assert.match(refused?.error ?? '', /550$/)
    assert.match(lines.join(''), /a mail was given up/)
    assert.doesNotMatch(lines.join(''), /never@example|refused on demand/)
  }))

test('a sender that is cut off after sending sends at most once more, and mail programs see one mail', () =>
  withTestDatabase(async (db) => {
    server.mails.length = 0
    const { send, close } = sender()
    await reset(db, 'twice@example.test')
    server.faults.push('lost')
    await send(db)
    assert.equal(server.mails.length, 1)
    await send(db)
    assert.equal(server.mails.length, 1)
    await becomeDue(db)
    await send(db)
    await becomeDue(db)
    await send(db)
    close()
    const ids = server.mails.map(({ headers }) => headers.get('message-id'))
    assert.equal(ids.length, 2)
    assert.equal(ids[0], ids[1])
  }))

test('two instances that send at once send each mail once', () =>
  withTestDatabase(async (db) => {
    server.mails.length = 0
    for (let number = 0; number < 30; number++) await reset(db, `many${number}@example.test`)
    const senders = [sender(), sender()]
    await Promise.all(senders.map(({ send }) => send(db)))
    for (const { close } of senders) close()
    assert.equal(server.mails.length, 30)
    assert.equal(new Set(server.mails.map(({ to }) => to[0])).size, 30)
  }))

test('a server that cannot be reached costs one attempt; after the last one, or once it is of no use, a mail is given up', () =>
  withTestDatabase(async (db) => {
    server.mails.length = 0
    const nowhere = sender({ way: 'smtp', url: 'smtp://127.0.0.1:1', from: mailFrom })
    await reset(db, 'patient@example.test')
    await nowhere.send(db)
    assert.deepEqual([(await rows(db))[0]?.attempts, (await rows(db))[0]?.is_waiting], [1, true])
    await db.sql`update mails set attempts = 7, send_at = now()`
    await nowhere.send(db)
    assert.equal((await rows(db))[0]?.is_waiting, false)
    nowhere.close()

    const { send, close } = sender()
    await reset(db, 'late@example.test')
    await db.sql`update mails set expires_at = now() where send_at is not null`
    await send(db)
    close()
    assert.deepEqual([(await rows(db))[1]?.is_waiting, server.mails.length], [false, 0])
  }))

test('mails do not wait for a time from before the clock went back', () =>
  withTestDatabase(async (db) => {
    server.mails.length = 0
    const { send, close } = sender()
    await reset(db, 'later@example.test')
    await db.sql`update mails set attempts = 3, send_at = now() + interval '2 minutes'`
    await send(db)
    assert.equal(server.mails.length, 0)
    await db.sql`update mails set send_at = now() + interval '1 hour'`
    await send(db)
    close()
    assert.equal(server.mails.length, 1)
  }))

test('what cannot be delivered comes back to the operator, whoever a mail is about, and nothing answers it by itself', () =>
  withTestDatabase(async (db) => {
    server.mails.length = 0
    const { send, close } = sender()
    await queueMail(db, {
      kind: 'invitation',
      to: 'ada@example.test',
      language: 'en',
      values: {
        inviter: 'Mallory <mallory@evil.test>',
        project: 'Garden',
        email: 'ada@example.test',
        days: 7,
      },
      sealedSecret: reversed('the-secret'),
    })
    await send(db)
    close()
    const [mail] = server.mails
    assert.equal(mail?.sender, mailFrom.address)
    assert.equal(mail.headers.get('from'), `${mailFrom.name} <${mailFrom.address}>`)
    assert.equal(mail.headers.get('auto-submitted'), 'auto-generated')
    assert.equal(mail.headers.get('x-auto-response-suppress'), 'All')
    for (const name of ['sender', 'return-path', 'errors-to']) assert.equal(mail.headers.get(name), undefined)
  }))

test('without SMTP nothing waits, except in the outbox of a demo', () =>
  withTestDatabase(async (db) => {
    await reset(db, 'a@example.test')
    await sender({ way: 'outbox' }).send(db)
    assert.equal((await rows(db)).length, 1)
    await sender({ way: 'none' }).send(db)
    assert.equal((await rows(db)).length, 0)
  }))

test('mails that many people get at once wait for the others', () =>
  withTestDatabase(async (db) => {
    server.mails.length = 0
    const none = { lines: [], total: 0 }
    const values = { overdue: none, today: none, unread: none, timeZone: 'UTC', unsubscribe: 'key/digest' }
    await queueMails(
      db,
      Array.from({ length: 100 }, (_, number) => ({
        ...{ kind: 'digest' as const, language: 'en' as const, values },
        to: `many${number}@example.test`,
      })),
    )
    await reset(db, 'soon@example.test')
    const { send, close } = sender()
    await send(db)
    close()
    const place = server.mails.findIndex(({ to }) => to[0] === 'soon@example.test')
    assert.ok(place >= 0 && place < 40, String(place))
    assert.equal(server.mails.length, 101)
  }))
