import assert from 'node:assert/strict'
import test from 'node:test'
import { oneLine, withoutLinks } from './content.ts'
import { writeMail } from './writing.ts'

const write = (kind: string, content: object, language = 'en') =>
  writeMail(
    { id: 1, key: '', kind, to_address: 'a@example.test', language, content },
    { baseUrl: 'https://boards.example.test', secret: 'secret' },
  )

test('a name cannot begin a new line, turn the text around or fill the mail', () => {
  assert.equal(oneLine('Eve\r\nBcc: all@example.test'), 'Eve Bcc: all@example.test')
  assert.equal(oneLine('a\u2028b\u202ec\u0000d'), 'a b c d')
  assert.equal(oneLine('x'.repeat(500)).length, 101)
  assert.equal(oneLine('ليلى · 太郎'), 'ليلى · 太郎')
})

test('names in an invitation are no links, and look as they are', () => {
  const visible = (text: string) => text.replaceAll('\u2060', '')
  const inviter = 'Win at https://evil.example/now'
  const { subject, text, html } = write('invitation', {
    inviter,
    project: 'evil.example',
    email: 'a@b.test',
    days: 7,
  })
  for (const part of [subject, text, html]) {
    assert.doesNotMatch(part, /:\/\/evil|evil\.example/)
    assert.match(visible(part), /https:\/\/evil\.example\/now/)
  }
  for (const name of ['J. R. Smith', 'Ana-María · Acme Ltd.', '太郎', 'Version 2.0', 'A/B: tests'])
    assert.equal(withoutLinks(name), name)
  assert.equal(visible(withoutLinks('www.acme.test me@acme.test')), 'www.acme.test me@acme.test')
})

test('what people wrote is text in the HTML of a mail', () => {
  const { html, text } = write('password_reset', { email: '<b>"a"&\'b\'</b>@example.test', minutes: 30 })
  assert.ok(html.includes('&lt;b&gt;&quot;a&quot;&amp;&#39;b&#39;&lt;/b&gt;@example.test'))
  assert.ok(!html.includes('<b>'))
  assert.ok(text.includes('<b>"a"&\'b\'</b>@example.test'))
})

test('a time names its zone, in the language of the mail', () => {
  const values = { email: 'a@example.test', at: '2026-11-16T19:30:00.000Z', address: '192.0.2.1' }
  assert.match(
    write('password_changed', values).text,
    /Time: November 16, 2026 at 7:30 PM UTC\nIP address: 192\.0\.2\.1/,
  )
  assert.match(write('password_changed', values, 'de').text, /Zeit: 16\. November 2026 um 19:30 UTC/)
})

test('an unknown kind of mail is an error', () => {
  assert.throws(() => write('nothing', {}), /There is no kind of mail named nothing/)
})
