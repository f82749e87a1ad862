import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import test from 'node:test'
import { auditKinds } from './kinds.ts'

test('docs/operating.md says of each kind of entry what happened, and of no other', async () => {
  const document = await readFile(new URL('../docs/operating.md', import.meta.url), 'utf8')
  const [, table = ''] = /\n\| kind \| what happened \|\n\|[-|]+\n((?:\|.*\n)+)/.exec(document) ?? []
  const named = table
    .trimEnd()
    .split('\n')
    .flatMap((row) => {
      let thing = ''
      const [, kinds = ''] = row.split('|')
      return [...kinds.matchAll(/`(\w*)\.(\w+)`/g)].map(([, given, happened]) => {
        thing = given || thing
        return `${thing}.${happened}`
      })
    })
  assert.deepEqual(named.sort(), [...auditKinds].sort())
})
