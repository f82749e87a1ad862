import assert from 'node:assert/strict'
import test from 'node:test'
import { loadModule } from 'libpg-query'
import { isOuterJoined } from './outer-joins.ts'

await loadModule()

const cases: [text: string, expected: (boolean | undefined)[]][] = [
  ['select a.x, b.y from a join b on b.id = a.id', [false, false]],
  ['select a.x, b.y from a left join b on b.id = a.id', [false, true]],
  ['select a.x, b.y from a right join b on b.id = a.id', [true, false]],
  ['select a.x, b.y from a full join b on b.id = a.id', [true, true]],
  ['select a.x, c.y from a left join (b join c on c.id = b.id) on b.id = a.id', [false, true]],
  ['select a.x, b.y from a left join b on b.id = a.id where b.id is not null', [false, false]],
  ['select a.x, b.y from a left join b on b.id = a.id where a.x = 1 and b.z = $1', [false, false]],
  ['select a.x, b.y from a left join b on b.id = a.id where a.x = 1 or b.z = $1', [false, true]],
  ['select s.x, s.z from (select a.x, b.y as z from a left join b on b.id = a.id) s', [false, true]],
  ['with s as (select a.x, b.y from a left join b on b.id = a.id) select s.x, s.y from s', [false, true]],
  ['select x from a left join b on b.id = a.id', [undefined]],
  ['select *, b.y from a left join b on b.id = a.id', [undefined, undefined]],
  ['select coalesce(b.y, 0) from a left join b on b.id = a.id', [undefined]],
]

for (const [text, expected] of cases)
  test(text, () => {
    assert.deepEqual(
      expected.map((_, index) => isOuterJoined(text, index)),
      expected,
    )
  })
