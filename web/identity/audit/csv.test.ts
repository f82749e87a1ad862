import assert from 'node:assert/strict'
import test from 'node:test'
import { csvOf } from './csv.ts'
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
    csvOf([entry]),
    'at,kind,actor_name,actor_email,account_name,account_email,project_id,project_name,address,source,request_id,details\r\n' +
      `2026-11-16T07:00:00.000Z,sign_in.failed,"'=HYPERLINK(""https://evil.test"")",'+1@example.test,"Ada, Lovelace",,5,"Two\nlines",2001:db8::1,api,,"{""reason"":""wrong_credentials""}"\r\n`,
  )
})
