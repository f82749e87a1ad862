import assert from 'node:assert/strict'
import test, { after } from 'node:test'
import { type Reading, readDescription } from './description.ts'
import { readingThreads, startReader } from './read-aside.ts'

let threads = 0
process.on('worker', () => threads++)
const reader = startReader()
after(() => reader.close())

/** The result, and how many turns it took. */
async function read(given: string) {
  let turns = 0
  const inTurn = (work: () => Promise<Reading>) => {
    turns++
    return work()
  }
  return { reading: await reader.read(given, inTurn), turns }
}

const long = (unit: string) => unit.repeat(Math.floor(65_000 / unit.length))

test('a short text, and a long one in which no tag can begin, is read at once', async () => {
  for (const given of [
    '<p>A <b>few</b> words</p>',
    '<a>'.repeat(20),
    long('plain text '),
    long('1 < 2 && 3 > 2 '),
    long('" onx=1'),
    long('<'),
    long('&'),
  ])
    assert.deepEqual(
      await read(given),
      { reading: readDescription(given), turns: 0 },
      `${given.slice(0, 30)}…`,
    )
  assert.equal(threads, 0)
})

test('long HTML, HTML of many tags, and what may be some, is read on other threads, each in a turn of its own', async () => {
  const attributes = Array.from({ length: 9000 }, (_, index) => `a${index.toString(36)}=1`).join(' ')
  const texts = [
    '<p>x</p>'.repeat(2500),
    '<b><p>x</b>'.repeat(800),
    '<table><tr><td>x</table>'.repeat(1200),
    `<b ${attributes}>x</b>`,
    `<b>${'& '.repeat(32_000)}</b>`,
    `<b>x</b><!--${'x'.repeat(60_000)}`,
    `<a href="${'x'.repeat(60_000)}`,
    long('a<b '),
    long('<a>'),
    long('</'),
    `${'x'.repeat(1000)}<b>`,
    '<a>'.repeat(21),
  ]
  assert.deepEqual(
    await Promise.all(texts.map(read)),
    texts.map((given) => ({ reading: readDescription(given), turns: 1 })),
  )
  assert.equal(threads, readingThreads)
})
