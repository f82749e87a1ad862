import assert from 'node:assert/strict'
import test from 'node:test'
import { fc } from '#tests/random.ts'
import { excerpt, markWords, type Part } from './excerpt.ts'

const html = { isHtml: true, isBeginning: true }
const plain = { isHtml: false, isBeginning: true }

const marked = (parts: Part[]) => parts.map(({ text, is_match }) => (is_match ? `[${text}]` : text)).join('')

test('marks the beginnings of words, whatever their case and accents', () => {
  assert.equal(
    marked(markWords('The launch of LAUNDRY, relaunched', ['lau'])),
    'The [lau]nch of [LAU]NDRY, relaunched',
  )
  assert.equal(
    marked(markWords('Café, cafe\u0301 and CAFETERIA', ['cafe'])),
    '[Café], [cafe\u0301] and [CAFE]TERIA',
  )
  assert.equal(marked(markWords('İstanbul', ['istanbul'])), '[İstanbul]')
  assert.equal(marked(markWords('In der Großen Straße', ['strasse'])), 'In der Großen [Straße]')
})

test('marks inside words where asked to, and characters that are words by themselves', () => {
  assert.equal(marked(markWords('Schlussrechnung', ['rechnung'], 'anywhere')), 'Schluss[rechnung]')
  assert.equal(marked(markWords('新製品発表会', ['製', '品'])), '新[製品]発表会')
  assert.equal(marked(markWords('مرحبا بالعالم', ['بال'])), 'مرحبا [بال]عالم')
})

test('shows plain text around the first match', () => {
  const text = `<p>${'before '.repeat(50)}<a href="https://x.test/launch" rel="y">the <b>launch</b></a> &amp; ${'after '.repeat(50)}</p>`
  const shown = marked(excerpt({ ...html, text }, ['launch']))
  assert.match(shown, /^… before .*before the \[launch\] & after .*after …$/)
  assert.ok(shown.length < 240, shown)
})

test('shows the beginning if nothing matches, and text with a less-than sign', () => {
  const text = 'a < b, x<y>z and c > d &amp; <b'
  assert.equal(marked(excerpt({ ...plain, text }, ['zebra'])), text)
  assert.deepEqual(excerpt({ ...html, text: '<p></p>' }, ['zebra']), [])
})

test('joins emphasized text with the text beside it, and separates blocks', () => {
  const text = '<p>The <b>launch</b>.</p><ul><li>H<sub>2</sub>O</li><li>re<i>launch</i><br />now</li></ul>'
  assert.equal(marked(excerpt({ ...html, text }, ['launch'])), 'The [launch]. H2O relaunch now')
})

test('drops the tag that the text was cut in', () => {
  assert.equal(
    marked(
      excerpt({ isHtml: true, isBeginning: false, text: 'f="https://x.test">one</a> two <a href="htt' }, [
        'two',
      ]),
    ),
    '… one [two]',
  )
})

test('the parts together are the whole text, and no part has half a character', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.array(fc.constantFrom('a', 'e', 'fi', '語', 'lau'), { maxLength: 3 }),
      (text, words) => {
        const parts = markWords(text, words, 'anywhere')
        assert.equal(parts.map((part) => part.text).join(''), text)
        for (const { text: shown } of excerpt({ ...plain, text: text.repeat(10) }, words))
          assert.ok(shown.isWellFormed())
      },
    ),
  )
})
