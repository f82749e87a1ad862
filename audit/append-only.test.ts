import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import path from 'node:path'
import test from 'node:test'

const root = path.join(import.meta.dirname, '..')

test('entries are added in one place, deleted by one function of the database, and changed nowhere', async () => {
  const found: string[] = []
  for await (const file of glob('**/*.{ts,sql}', { cwd: root, exclude: ['node_modules', '**/*.test.ts'] })) {
    const source = await readFile(path.join(root, file), 'utf8')
    for (const [, statement] of source.matchAll(
      /\b(insert into|update|delete from|truncate|merge into)( table| only)* audit_entries\b/gi,
    ))
      found.push(`${file}: ${statement?.toLowerCase()}`)
  }
  assert.deepEqual(found.sort(), [
    'audit/record.ts: insert into',
    'database/migrations/0037_audit_bounds.sql: delete from',
    'database/schema.sql: delete from',
  ])
})
