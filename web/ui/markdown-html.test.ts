import assert from 'node:assert/strict'
import test from 'node:test'
import { effort } from '#tests/effort.ts'
import { fc } from '#tests/random.ts'
import { markdownHtml } from './markdown-html.ts'
import { mayHaveMarks } from './markdown-marks.ts'

const shows = (text: string, html: string) => assert.equal(markdownHtml(text).trim(), html)
const link = (href: string, text = href) => `<a href="${href}" rel="noopener nofollow">${text}</a>`

test('lists, words, code, tables and quotes', () => {
  shows('- a\n- b', '<ul>\n<li>a</li>\n<li>b</li>\n</ul>')
  shows('1. a\n2. b', '<ol>\n<li>a</li>\n<li>b</li>\n</ol>')
  shows('**b** *i* ~~s~~ `c`', '<p><strong>b</strong> <em>i</em> <s>s</s> <code>c</code></p>')
  shows('```\n[ ] a <b>\n```', '<pre><code>[ ] a &lt;b&gt;\n</code></pre>')
  shows('> a', '<blockquote>\n<p>a</p>\n</blockquote>')
  assert.match(markdownHtml('| a | b |\n|---|---|\n| 1 | 2 |'), /<th>a<\/th>.*<td>2<\/td>/s)
})

test('a text without marks stays as it was typed: its lines, tags and indentation', () => {
  shows('one\ntwo', '<p>one<br>two</p>')
  shows('<b>a</b> & <script>x</script>', '<p>&lt;b&gt;a&lt;/b&gt; &amp; &lt;script&gt;x&lt;/script&gt;</p>')
  shows('one\n---', '<p>one</p>\n<hr>')
  shows('see snake_case_name and 2 * 3 * 4', '<p>see snake_case_name and 2 * 3 * 4</p>')
  shows('    indented', '<p>    indented</p>')
  shows('#include <a>\n\tint main() {\n\t  *p;\n', '<p>#include &lt;a&gt;<br>\tint main() {<br>\t  *p;</p>')
  shows('one\n\n\tint main()\n', '<p>one</p>\n<p>\tint main()</p>')
  shows('one  \n  two\r\tthree', '<p>one<br>  two<br>\tthree</p>')
})

test('headings are bold lines, and boxes are signs', () => {
  shows('# Plan', '<p><strong>Plan</strong></p>')
  shows('- [ ] a\n- [x] b', '<ul>\n<li>☐ a</li>\n<li>☑ b</li>\n</ul>')
  shows('[] a\n[] b', '<p>☐ a<br>☐ b</p>')
})

test('addresses become links, and nothing that runs or loads does', () => {
  shows('https://a.test/x', `<p>${link('https://a.test/x')}</p>`)
  shows('[a](https://a.test)', `<p>${link('https://a.test', 'a')}</p>`)
  shows('README.md', '<p>README.md</p>')
  shows('[](Größe) [ ](a) ![](b)', '<p>[](Größe) [ ](a) ![](b)</p>')
  for (const code of [
    '[](int x) { return x; }',
    '[this]() { f(); }',
    'handlers[name](event)',
    'a[i](/x), b[j](#k)',
  ])
    shows(code, `<p>${code}</p>`)
  shows('[a](javascript:alert(1))', '<p>[a](javascript:alert(1))</p>')
  shows('![a](https://a.test/x.png)', `<p>!${link('https://a.test/x.png', 'a')}</p>`)
})

/** The address, with the letters that stand in it as bytes. */
const readable = (address: string) =>
  address.replace(/(?:%[c-f][\da-f](?:%[89ab][\da-f])+)+/gi, (bytes) => {
    try {
      return decodeURI(bytes)
    } catch {
      return bytes
    }
  })

/** What a reader sees, where links lead, and the language of code. */
const visible = (html: string) =>
  html
    .replace(/<a href="([^"]*)"[^>]*>/g, (_, href: string) => `${readable(href)} `)
    .replace(/<code class="language-([^"]*)">/g, '$1 ')
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')

test('code that is not marked loses no character', () => {
  for (const text of [
    'a*b*c and 2**3**4',
    'def __init__(self, *args, **kwargs)',
    'x_y_z, _x, __name__ == "__main__"',
    'if (a < b && c > d) <div class="x"></div>',
    'AT&amp;T &copy; &#42; &lt;b&gt;',
    'C:\\_new\\*.txt and \\\\server\\share',
    '/\\d+\\.\\d*/ and \\*\\*no\\*\\*',
    'src/*/a/*/b, **/*.ts and **/*.js',
    '/* one */ two /** three */',
    'int *a, *b; *p++ = *q++; (*p)->x = (*q)->x',
    'f(a)*b*c, a[i]*b[j]*c',
    'a~~b~~c ~/x ~/y',
    '.*foo.* and ^a.*b.*$, *.* and *.test.*',
    '*foo*.js and *bar*.js',
    'SELECT count(*), sum(*) and a[*], b[*]',
    '"*" or "*", \'*\' or \'*\'',
    '(a)*(b)*(c), f(x)*y*(z)',
    'Some(_) and Ok(_), _.map(_), (_, x, _)',
    '<https://a.test/x> and mail <bob@x.test> today',
    'Array<string>, Map<K, V>, [x](y z)',
    'git commit -m "x" --amend #42 @me $1',
  ])
    assert.equal(
      visible(
        markdownHtml(text)
          .replace(/<a [^>]*>/g, '')
          .trim(),
      ),
      `<p>${text}</p>`.slice(3, -4),
      text,
    )
})

test('bold and italic words stay marks beside punctuation and between Chinese ones', () => {
  shows(
    '**Note:** x, **a**: b; **c**. "*d*" *e*! *f*-*g* “**h**” **"i"** *(j)*',
    '<p><strong>Note:</strong> x, <strong>a</strong>: b; <strong>c</strong>. &quot;<em>d</em>&quot; <em>e</em>! <em>f</em>-<em>g</em> “<strong>h</strong>” <strong>&quot;i&quot;</strong> <em>(j)</em></p>',
  )
  shows(
    '**a b**, *c* and _d e_; (**f**)',
    '<p><strong>a b</strong>, <em>c</em> and <em>d e</em>; (<strong>f</strong>)</p>',
  )
  shows('これは**太字**です', '<p>これは<strong>太字</strong>です</p>')
  shows('***a***', '<p><em><strong>a</strong></em></p>')
})

test('the first line of code, titles of links, numbers of lists and further cells stay', () => {
  shows('```const a = 1\nconst b\n```', '<pre><code>const a = 1\nconst b\n</code></pre>')
  assert.match(markdownHtml('[a](https://a.test "the title")'), />a<\/a> “the title”/)
  shows('3. a\n7. b\n8. c', '<ol start="3">\n<li>a</li>\n<li value="7">b</li>\n<li>c</li>\n</ol>')
  shows('1. a\n1. b', '<ol>\n<li>a</li>\n<li>b</li>\n</ol>')
  assert.match(markdownHtml('| a | b |\n|---|---|\n| 1 | 2 | 3 | 4 |'), /<td>1<\/td>\n<td>2 \| 3 \| 4<\/td>/)
})

test('no word of any text is lost', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      ...[
        '*',
        '**',
        '_',
        '__',
        '~~',
        '`',
        '``',
        '```',
        '\n```',
        '\n',
        '\n\n',
        ' ',
        '\t',
        '|',
        '\n|---|---|\n',
      ],
    ),
    fc.constantFrom(
      ...[
        '# ',
        '> ',
        '- ',
        '1. ',
        '7) ',
        '[',
        ']',
        '](',
        ')',
        '<',
        '>',
        '</',
        '&amp;',
        '\\',
        '!',
        '"',
        ' "',
        'https://a.test/b',
      ],
    ),
    fc.constantFrom(
      ...['alpha', 'beta', 'Größe', '漢字', 'x', '@', ':', '=', '---', '[ ] ', 'a@b.test', '    '],
    ),
    fc.string({ maxLength: 5 }),
  )
  const words = (text: string) => (text.match(/\p{L}+/gu) ?? []).sort()
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 25 }), (pieces) => {
      const text = pieces.join('')
      const shown = words(
        visible(markdownHtml(text)).replaceAll('☑', ' x X ').replace(/[“”☐]/g, ' ').normalize(),
      )
      for (const word of words(text.normalize()))
        assert.ok(shown.join(' ').includes(word), `${word} of ${JSON.stringify(text)}: ${markdownHtml(text)}`)
    }),
    { numRuns: 2000 * effort },
  )
})

test('the longest texts of spaces and line breaks are read within a second', () => {
  const longest = 65_000
  const texts = {
    'empty lines': `a${'\n'.repeat(longest)}b`,
    'lines of one space': `a${'\n '.repeat(longest / 2)}b`,
    'carriage returns': `a${'\r'.repeat(longest)}b`,
    'line separators': `a${'\u2028'.repeat(longest)}b`,
    'spaces in a row of a table': `|a|b|\n|-|-|\n|1|${' '.repeat(longest)}x|2|`,
    'spaces at the end of a row': `|a|b|\n|-|-|\n|1|2|3|${' '.repeat(longest)}\nx`,
  }
  for (const [name, text] of Object.entries(texts)) {
    const startedAt = performance.now()
    mayHaveMarks(text)
    markdownHtml(text)
    assert.ok(performance.now() - startedAt < 1000, name)
  }
})

test('texts without marks are shown without Markdown', () => {
  for (const text of ['a', 'one\n\ntwo', '5 - 3', 'a.b']) assert.ok(!mayHaveMarks(text), text)
  for (const text of ['*a*', 'a\n\n  - b', '\t1. a', 'a\r\n+ b', 'see http://a.b', 'a@b.c', '| a'])
    assert.ok(mayHaveMarks(text), text)
})
