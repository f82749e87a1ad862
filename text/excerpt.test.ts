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

test('marks words with letters that the search writes as others', () => {
  const cases = [
    ['Ælfred', 'aelfred'],
    ['Œuvre', 'oeuvre'],
    ['Øre', 'ore'],
    ['Łódź', 'lodz'],
    ['Đà', 'da'],
  ] as const
  for (const [word, wanted] of cases)
    assert.equal(marked(markWords(`é ${word} é`, [wanted])), `é [${word}] é`)
})

test('marks the longest of the words, and makes no empty parts', () => {
  for (const words of [
    ['la', 'launch'],
    ['launch', 'la'],
  ])
    assert.equal(marked(markWords('launch land', words)), '[launch] [la]nd')
  assert.deepEqual(markWords('launch', ['launch']), [{ text: 'launch', is_match: true }])
  assert.deepEqual(markWords('launch', []), [{ text: 'launch', is_match: false }])
  assert.deepEqual(markWords('', ['launch']), [])
})

test('marks inside words where asked to, and characters that are words by themselves', () => {
  assert.equal(marked(markWords('Schlussrechnung', ['rechnung'], 'anywhere')), 'Schluss[rechnung]')
  assert.equal(marked(markWords('新製品発表会', ['製', '品'])), '新[製品]発表会')
  assert.equal(marked(markWords('xa製 a製', ['a製'])), 'xa製 [a製]')
  assert.equal(marked(markWords('مرحبا بالعالم', ['بال'])), 'مرحبا [بال]عالم')
})

test('shows plain text around the first match', () => {
  const text = `<p>${'before '.repeat(50)}<a href="https://x.test/launch" rel="y">the <b>launch</b></a> &amp; ${'after '.repeat(50)}</p>`
  const shown = marked(excerpt({ ...html, text }, ['launch']))
  assert.match(shown, /^… before .*before the \[launch\] & after .*after …$/)
  assert.ok(shown.length < 240, shown)
})

test('shows up to 40 characters before the match, from the beginning of a word', () => {
  const after = (words: number) =>
    marked(excerpt({ ...plain, text: `${'a '.repeat(words)}launch` }, ['launch']))
  assert.equal(after(20), `${'a '.repeat(20)}[launch]`)
  assert.equal(after(21), `… ${'a '.repeat(19)}[launch]`)
})

test('shows 180 characters, and up to 20 more of the last word', () => {
  const shown = (text: string) => marked(excerpt({ ...plain, text }, []))
  assert.equal(shown('a'.repeat(180)), 'a'.repeat(180))
  assert.equal(shown('a'.repeat(181)), `${'a'.repeat(180)} …`)
  assert.equal(shown(`${'a'.repeat(200)} b`), `${'a'.repeat(200)} …`)
  assert.equal(shown(`${'a'.repeat(201)} b`), `${'a'.repeat(180)} …`)
  assert.equal(shown(`a${'🙂'.repeat(100)}`), `a${'🙂'.repeat(90)} …`)
  assert.equal(shown(' a \n\t b '), 'a b')
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

test('shows the characters that HTML writes as references, and no tag', () => {
  const shown = (text: string) => marked(excerpt({ ...html, text }, []))
  assert.equal(shown('<p>&amp; &lt; &gt; &quot; &#39; a&nbsp;b &amp;lt;</p>'), '& < > " \' a b &lt;')
  assert.equal(
    shown('a<div>b</div>c<h1>d</h1><td colspan="2" rowspan="3">e</td><hr />f<br/>g'),
    'a b c d e f g',
  )
  assert.equal(shown('a<a href="" rel="noopener nofollow">b</a>c'), 'abc')
})

test('drops the tag that the text was cut in', () => {
  const middle = (text: string) => marked(excerpt({ isHtml: true, isBeginning: false, text }, []))
  assert.equal(middle('one <b>two</b> three'), '… one two three')
  assert.equal(middle('>one</b'), '… one')
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

test('marks emoji and punctuation as they are, wherever they stand', () => {
  assert.equal(marked(markWords('Learn C++ (again)', ['c', '+'])), 'Learn [C++] (again)')
  assert.equal(marked(markWords('Go🚀 $1 a.b axb', ['🚀', '$', 'a.b'])), 'Go[🚀] [$]1 [a.b] axb')
})
