import assert from 'node:assert/strict'
import test from 'node:test'
import { markdownHtml } from './markdown-html.ts'

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
  shows('one\ntwo', '<p>one<br>\ntwo</p>')
  shows('<b>a</b> & <script>x</script>', '<p>&lt;b&gt;a&lt;/b&gt; &amp; &lt;script&gt;x&lt;/script&gt;</p>')
  shows('one\n---', '<p>one</p>\n<hr>')
  shows('see snake_case_name and 2 * 3 * 4', '<p>see snake_case_name and 2 * 3 * 4</p>')
  assert.doesNotMatch(markdownHtml('    indented'), /<pre>/)
})

test('headings are bold lines, and boxes are signs', () => {
  shows('# Plan', '<p><strong>Plan</strong></p>')
  shows('- [ ] a\n- [x] b', '<ul>\n<li>☐ a</li>\n<li>☑ b</li>\n</ul>')
  shows('[] a\n[] b', '<p>☐ a<br>\n☐ b</p>')
})

test('addresses become links, and nothing that runs or loads does', () => {
  shows('https://a.test/x', `<p>${link('https://a.test/x')}</p>`)
  shows('[a](https://a.test)', `<p>${link('https://a.test', 'a')}</p>`)
  shows('README.md', '<p>README.md</p>')
  shows('[a](javascript:alert(1))', '<p>[a](javascript:alert(1))</p>')
  shows('![a](https://a.test/x.png)', `<p>!${link('https://a.test/x.png', 'a')}</p>`)
})
