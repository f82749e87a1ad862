import assert from 'node:assert/strict'
import test from 'node:test'
import { csvHead, csvRows } from './csv.ts'
import type { AuditEntry } from './kinds.ts'

const entry: AuditEntry = {
  id: 1,
  at: '2026-11-16T07:00:00.000Z',
  kind: 'sign_in.failed',
  source: 'api',
  actor_id: null,
  actor_name: '=HYPERLINK("https://evil.test")',
  actor_email: '+1@example.test',
  account_id: null,
  account_name: 'Ada, Lovelace',
  account_email: null,
  project_id: 5,
  project_name: 'Two\nlines',
  address: '2001:db8::1',
  request_id: null,
  details: { reason: 'wrong_credentials' },
}

test('one row for each entry; separators are quoted and formulas are text', () => {
  assert.equal(
    csvHead + csvRows([entry]),
    '\ufeffat,kind,actor_name,actor_email,account_name,account_email,project_id,project_name,address,source,request_id,details\r\n' +
      `2026-11-16T07:00:00.000Z,sign_in.failed,"'=HYPERLINK(""https://evil.test"")",'+1@example.test,"Ada, Lovelace",,5,"Two\nlines",2001:db8::1,api,,"{""reason"":""wrong_credentials""}"\r\n`,
  )
})

test('nothing can be a formula, whatever separates cells where the file is opened', () => {
  const begins = ['=', '+', '-', '@', '＝', '＋', '－', '＠']
  for (const begin of begins)
    for (const before of ['', ' ', '\t', '\r', 'a;', 'a; ', 'a\t', 'a\n', 'a\r\n', 'a;;', 'a;"', '"']) {
      const [cell = ''] = csvRows([{ ...entry, at: `${before}${begin}1+1` }]).split(',sign_in.failed')
      assert.doesNotMatch(cell, /(^|[;\t\r\n])[\s"]*[=+\-@＝＋－＠]/, JSON.stringify(before + begin))
    }
  assert.ok(csvRows([{ ...entry, at: 'a-b;c+d' }]).startsWith('"a-b;c+d",'))
})
