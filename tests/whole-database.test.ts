import assert from 'node:assert/strict'
import test from 'node:test'
import type { Queries } from '#database/connect.ts'
import { withTestDatabase } from './postgres.ts'
import { bringBack, differenceOf, readContents } from './whole-database.ts'

const rename = ({ sql }: Queries, name: string) => sql`update platforms set name = ${name}`
const renamed = { platforms: { lost: 1, gained: 1 } }

test('a change is noticed and brought back, and then nothing differs', () =>
  withTestDatabase(async (db) => {
    const before = await readContents(db)
    await rename(db, 'Other')
    const after = await readContents(db, before)
    assert.deepEqual(differenceOf(before, after), renamed)
    await bringBack(db, before, after)
    assert.deepEqual(differenceOf(before, await readContents(db, after)), {})
  }))

test('a change that was under way while the tables were read is noticed afterwards', () =>
  withTestDatabase(async (db) => {
    const before = await readContents(db)
    const meanwhile = await db.transaction(async (inner) => {
      await rename(inner, 'Other')
      return readContents(db, before)
    })
    assert.deepEqual(differenceOf(before, meanwhile), {})
    assert.deepEqual(differenceOf(before, await readContents(db, meanwhile)), renamed)
  }))
