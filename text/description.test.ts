import assert from 'node:assert/strict'
import test from 'node:test'
import vm from 'node:vm'
import { type DefaultTreeAdapterTypes, defaultTreeAdapter, html, parseFragment } from 'parse5'
import { cases } from '#tests/effort.ts'
import { fc } from '#tests/random.ts'
import { wildHtml } from '#tests/wild-html.ts'
import { readDescription } from './description.ts'

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
  '<svg/onload=alert(1)//',
  '<img src=x onerror=alert(1)//',
  'hello <img src=//evil.test/x?',
  '<img title="x" src="https://evil.test/',
  "<b onclick='alert(1)",
  'a < b <iframe',
  '<a href=',
]

const plainTags =
  'b|blockquote|caption|code|del|em|h1|h2|h3|h4|i|li|ol|p|pre|s|strong|sub|sup|table|tbody|tfoot|thead|tr|u|ul'
/** The exact grammar of cleaned HTML, so that no parser can read anything else into it. */
const grammar = new RegExp(
  `^(?:[^<>]|<(?:${plainTags})>|</(?:a|td|th|${plainTags})>|<[bh]r />|<a(?: href="[^"<>]*")? rel="noopener nofollow">` +
    `|<ol start="\\d+">|<li value="\\d+">|<t[dh](?: colspan="\\d+")?(?: rowspan="\\d+")?>)*$`,
)

const decoded = (text: string) =>
  text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

function nodesOf(root: DefaultTreeAdapterTypes.Node): DefaultTreeAdapterTypes.Node[] {
  const unseen = [root]
  const nodes: DefaultTreeAdapterTypes.Node[] = []
  for (let node = unseen.pop(); node; node = unseen.pop()) {
    nodes.push(node)
    const isHidden = /^(?:script|style|iframe|noembed|noframes)$/.test(node.nodeName)
    if ('childNodes' in node && !isHidden) unseen.push(...node.childNodes.toReversed())
  }
  return nodes
}

const blocks =
  /^(?:address|article|aside|blockquote|br|caption|center|dd|details|div|dl|dt|fieldset|figcaption|figure|footer|form|h[1-6]|header|hr|legend|li|main|nav|ol|optgroup|option|p|pre|section|select|summary|table|tbody|td|textarea|tfoot|th|thead|title|tr|ul)$/
const controls = /^(?:button|input|label|meter|output|progress|rt)$/
const shownAttributes: Record<string, string> = { img: 'alt', option: 'label', optgroup: 'label' }
/** The attributes that each type of input shows, the first of them that it has; the default type is text. */
const shownOfInputs: Record<string, string[]> = {
  '': ['value', 'placeholder'],
  password: ['placeholder'],
  submit: ['value'],
  image: ['alt'],
}
const edgeOfControl = '\ue000'

/** A line break around blocks; controls, the parts of formulas and the labels of drawings are separate boxes. */
function edgeOf(node: DefaultTreeAdapterTypes.Element, attributes: Record<string, string>): string {
  const display = attributes['style']?.replace('display:', '') ?? 'inline'
  if (blocks.test(node.nodeName) || /^(?:block|flex)$/.test(display)) return '\n'
  if (display === 'inline-block') return edgeOfControl
  const isPart = node.namespaceURI === html.NS.MATHML && node.nodeName !== 'math'
  const isLabel = node.nodeName === 'text' || (node.nodeName === 'tspan' && 'x' in attributes)
  const isWordedImage = node.nodeName === 'img' && /\w/.test(attributes['alt'] ?? '')
  return isPart || isLabel || isWordedImage || controls.test(node.nodeName) ? edgeOfControl : ''
}

/** The text that a browser shows, line by line. */
function shownBy(node: DefaultTreeAdapterTypes.Node, quotes = 0): string {
  if ('value' in node) return node.value
  if (!('childNodes' in node) || /^(?:script|style|iframe|noembed|noframes)$/.test(node.nodeName)) return ''
  const isQuote = node.nodeName === 'q'
  const inner = node.childNodes.map((child) => shownBy(child, quotes + (isQuote ? 1 : 0))).join('')
  if (!('attrs' in node)) return inner
  const attributes = Object.fromEntries(node.attrs.map(({ name, value }) => [name, value]))
  const shown =
    node.nodeName === 'input'
      ? shownOfInputs[(attributes['type'] ?? '').toLowerCase()]
      : node.nodeName === 'textarea' && inner === ''
        ? ['placeholder']
        : [shownAttributes[node.nodeName] ?? '']
  const edge = edgeOf(node, attributes)
  const own = shown?.map((name) => attributes[name]).find(Boolean)
  const [open, close] = isQuote ? (quotes === 0 ? '“”' : '‘’') : ['', '']
  return edge + open + (own ? own + edge : '') + inner + close + edge
}

const page = defaultTreeAdapter.createElement('div', html.NS.HTML, [])
const inPage = (html: string) => parseFragment(page, html, { scriptingEnabled: false })

/** The words in order, with digits and punctuation. Punctuation stays with the control that it follows. */
const wordsOf = (html: string) =>
  shownBy(inPage(html))
    .replace(/(?<=[([{])\ue000+/g, '')
    .replace(/\ue000+(?![\ue000;!?)\]}…]|[.,:](?!\d))/g, ' ')
    .replaceAll(edgeOfControl, '')
    .match(/\S+/g) ?? []

/**
 * All characters of the text, because text that a browser reads as a tag would split into other words; without spaces and without
 * forbidden characters, which a browser shows as nothing or as a question mark.
 */
const charactersOf = (html: string) =>
  nodesOf(inPage(html))
    .map((node) => ('value' in node ? node.value : ''))
    .join('')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: this expression finds control characters.
    .replace(/[\s\0-\x1f\ufffd]+/g, '')

/** True if the whole contains the part, in the same order unless it is in a table, where browsers move text between cells. */
function isWithin(part: string, whole: string, isOrdered: boolean): boolean {
  const charactersOf = (text: string) => (isOrdered ? [...text] : [...text].sort())
  const wanted = charactersOf(part)
  let next = 0
  for (const character of charactersOf(whole)) if (character === wanted[next]) next++
  return next === wanted.length
}

const running = /^(?:on.+|style|href|src|srcset|action|formaction|background|data|ping)$/
const loading =
  /^(?:script|style|link|meta|base|iframe|frame|object|embed|applet|img|input|video|audio|source|track|svg|math|form|noscript)$/
/** What a browser would run or load in this HTML. */
const activeIn = (html: string) =>
  nodesOf(parseFragment(html, { scriptingEnabled: false })).filter(
    (node) =>
      'attrs' in node &&
      (loading.test(node.nodeName) || node.attrs.some(({ name, value }) => value && running.test(name))),
  )

function read(given: string) {
  const result = readDescription(given)
  assert.ok('text' in result, JSON.stringify(result))
  return result
}

/** Checks everything that is promised for one text, by an independent reading of it. */
function hold(given: string) {
  const { format, text } = read(given)
  const about = `${JSON.stringify(given)} became ${JSON.stringify({ format, text })}`
  assert.deepEqual(read(text), { format, text }, about)
  const shown = format === 'html' ? text : escaped(text)
  assert.ok(
    text === given || isWithin(charactersOf(given), charactersOf(shown), !/<table/i.test(given)),
    about,
  )
  const closings = ['', '</div>', '"></div>', "'></div>"]
  const active = format === 'text' ? closings.flatMap((closing) => activeIn(`<div>${text}${closing}`)) : []
  assert.deepEqual(active, [], about)
  assert.ok(format === 'text' || grammar.test(text), about)
  for (const [, href = ''] of format === 'html' ? text.matchAll(/<a href="([^"]*)"/g) : []) {
    const link = decoded(href)
    const { protocol, host } = new URL(link, 'https://cardinal.test/')
    assert.ok(['http:', 'https:', 'mailto:'].includes(protocol), about)
    assert.ok(host === 'cardinal.test' || /^(https?:|mailto:)/i.test(link), about)
  }
}

/** The same for texts whose tags are certain: then exactly the words that are meant are left, separately. */
function holdWords(given: string, meant = given) {
  hold(given)
  const { format, text } = read(given)
  const about = `${JSON.stringify(given)} became ${JSON.stringify({ format, text })}`
  assert.deepEqual(wordsOf(format === 'html' ? text : escaped(text)), wordsOf(meant), about)
}

/** A text does not say whether it is meant as HTML, so it is read as what it looks like. */
const becomes = (cases: readonly (readonly [string, 'text' | 'html', string])[]) => {
  for (const [given, format, text] of cases) {
    assert.deepEqual(readDescription(given), { format, text }, JSON.stringify(given))
    hold(given)
  }
}

test('hostile HTML leaves no script, no handler, no bad link, no style, id or class', () => {
  for (const html of hostile) hold(html)
})

test('hostile HTML in pieces and nested', () => {
  const pieces = hostile.flatMap((html) => html.split(/(?=[<"'=>&/])/))
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.constantFrom(...hostile), fc.constantFrom(...pieces)), { maxLength: 12 }),
      (parts) => hold(parts.join('')),
    ),
    { numRuns: cases(2000) },
  )
})

test('any text at all', () => {
  const markup = fc.string({ unit: fc.constantFrom(...'<>&"\'=/! -:;#abpslx?[]\t\n\u0000'), maxLength: 80 })
  fc.assert(fc.property(fc.oneof(markup, fc.string({ unit: 'binary' })), hold), {
    numRuns: cases(2000),
  })
})

test('tags in any order', () => {
  const names =
    'a b p div table tr td th ul li ol pre blockquote br hr span script style title h1 h5 caption option o:p x q svg text math mi mn'
  const tags = names
    .split(' ')
    .flatMap((name) => [`<${name}>`, `</${name}>`, `<${name} class="x">`, `<${name} foo>`])
  const words = ['x', ' ', 'word', '\n', '&amp;', '<', '>', '<!--', '-->', '&lt;b&gt;', '\r\n', 'a<b', 'c>d']
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...tags, ...words), { maxLength: 25 }), (parts) =>
      hold(parts.join('')),
    ),
    { numRuns: cases(2000) },
  )
})

test('well-formed HTML keeps each of its words, apart from the others', () => {
  const names =
    'a abbr b blockquote center code details div em fieldset font i kbd label mark output p pre rt s section span sub'
  const lookalikes = new Map([
    ['\ue001', '<bob@x.test>'],
    ['\ue002', '<c and d>'],
    ['\ue003', '<rect>'],
  ])
  const word = fc.constantFrom(
    'one',
    'two.',
    'f(',
    '3,5',
    '(four)',
    '&amp;',
    'a&lt;b',
    ', five',
    '–',
    '😀',
    ' ',
    '\n',
    '.5',
    ...lookalikes.keys(),
  )
  const value = fc.constantFrom('Send', 'a &quot;b&quot;', '1.5', '!')
  const display = fc.constantFrom('block', 'inline-block', 'inline', 'flex')
  const { tree } = fc.letrec<{ tree: string; trees: string }>((tie) => ({
    trees: fc.array(tie('tree'), { maxLength: 4 }).map((parts) => parts.join('')),
    tree: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      word,
      fc
        .tuple(
          fc.constantFrom(
            'type="submit" value',
            'type="password" placeholder',
            'value="" placeholder',
            'value',
          ),
          value,
        )
        .map(([attribute, shown]) => `<input ${attribute}="${shown}">`),
      fc.tuple(word, word).map(([one, two]) => `<q>${one}<q>${two}</q></q>`),
      value.map((shown) => `<textarea placeholder="${shown}"></textarea>`),
      fc
        .tuple(fc.constantFrom('span', 'b', 'div'), display, word, word)
        .map(([name, shown, one, two]) => `<${name} style="display:${shown}">${one}</${name}>${two}`),
      fc
        .tuple(fc.constantFrom('mfrac', 'msup', 'mrow'), word, word)
        .map(([name, one, two]) => `<math><${name}><mn>${one}</mn><mi>${two}</mi></${name}></math>`),
      fc.tuple(fc.constantFrom('text', 'tspan', 'tspan x="1"'), word, word).map(([name, one, two]) => {
        const [label] = name.split(' ')
        return `<svg><g>${one}<${name}>${two}</${label}><${name}>${one}</${label}></g></svg>`
      }),
      fc
        .tuple(fc.constantFrom('button', 'h1', 'h5', 'dd'), word)
        .map(([name, text]) => `<${name}>${text}</${name}>`),
      fc.oneof(value, fc.constant('👍')).map((shown) => `<img src="x" alt="${shown}">`),
      fc.tuple(value, word).map(([label, text]) => {
        const option = `<option>${text}</option>`
        return `<select><optgroup label="${label}">${option}${option}</optgroup></select>`
      }),
      fc
        .tuple(fc.constantFrom(...names.split(' ')), tie('trees'))
        .map(([name, inner]) => `<${name}>${inner}</${name}>`),
      tie('trees').map((inner) => `<ul><li>${inner}</li><li>${inner}</li></ul>`),
      tie('trees').map((inner) => `<table><tr><td>${inner}</td><th>${inner}</th></tr></table>`),
    ),
  }))
  fc.assert(
    fc.property(fc.array(tree, { maxLength: 4 }), (trees) => {
      const html = `<div>${trees.join('')}</div>`
      const filled = (fill: (text: string) => string) =>
        html.replace(/[\ue001-\ue003]/g, (sign) => fill(lookalikes.get(sign) ?? ''))
      holdWords(
        filled((text) => text),
        filled(escaped),
      )
    }),
    { numRuns: cases(2000) },
  )
})

test('HTML found in the wild, whole, cut anywhere and one after another', () => {
  const samples = Object.values(wildHtml)
  for (const html of samples) {
    holdWords(html)
    assert.equal(read(html).format, 'html')
    assert.doesNotMatch(read(html).text, /&lt;\/?(?!b&gt;)[a-z]|mso|MsoNormal|data-/)
  }
  const longest = Math.max(...samples.map((html) => html.length))
  fc.assert(
    fc.property(
      fc.constantFrom(...samples),
      fc.constantFrom(...samples),
      fc.nat(longest),
      fc.nat(longest),
      (one, other, end, start) => hold(one.slice(0, end) + other.slice(start)),
    ),
    { numRuns: cases(500) },
  )
})

test('plain text is returned byte for byte', () => {
  const plain = [
    'if a<b then c',
    'mail <bob@x.test> today',
    'if (a<b && c>d) return;',
    'if a<b and c>d then e',
    'AT&T',
    'Tom & Jerry &amp; &lt;b&gt; &#65;',
    'I <3 you; a -> b <- c; 1 < 2 > 0; x<y>z',
    'List<String> list = new Map<Key, Value>();',
    'deploy <app-name> to <https://x.test/?a=1>',
    '<!-- not shown by a browser -->',
    '<?php echo 1 ?> <!important> </3>',
    'one\r\ntwo\n\n  three\tfour',
    '5 "quoted" \'words\', ünïcödé, 😀, \u00a0',
    '\\";alert(1);// javascript:alert(1)',
    'a <b',
    'x <y xaction=1>z',
    'x <y srcx=1>z',
  ]
  becomes(plain.map((text) => [text, 'text', text] as const))
  const word = fc.constantFrom('a', 'if', '<', '<b', 'c>', '&&', '&lt;', '"', "'", ' ', '\n', '<x@y>')
  fc.assert(
    fc.property(fc.array(word, { maxLength: 30 }), (words) => {
      const text = words.join(' ')
      assert.equal(read(text).text, text)
    }),
    { numRuns: cases(2000) },
  )
})

test('allowed HTML stays as it is', () => {
  for (const html of [
    '<p>One <b>two</b> <i>three</i> <u>four</u> <s>five</s> <em>six</em> <strong>seven</strong> <del>eight</del></p>',
    '<h1>a</h1><h2>b</h2><h3>c</h3><h4>d</h4><hr /><blockquote>e<br />f</blockquote>',
    '<ul><li>a</li></ul><ol><li>b</li></ol><pre><code>c &lt; d</code></pre>',
    '<p>H<sub>2</sub>O, 10<sup>3</sup></p><pre>\n\n  indented</pre>',
    '<table><caption>c</caption><thead><tr><th>a</th><th colspan="2">b</th></tr></thead><tbody><tr><td rowspan="3">1</td></tr></tbody></table>',
    '<a href="https://x.test/?a=1&amp;b=2#c" rel="noopener nofollow">x</a>',
    '<a href="mailto:a@b.test" rel="noopener nofollow">x</a>',
  ])
    becomes([[html, 'html', html]])
})

test('links send no referrer, whatever their rel', () => {
  becomes([
    [
      '<a href="http://x.test" rel="opener" target="_blank">x</a>',
      'html',
      '<a href="http://x.test" rel="noopener nofollow">x</a>',
    ],
    ['<a href="javascript:alert(1)">x</a>', 'html', '<a rel="noopener nofollow">x</a>'],
  ])
})

test('a link leads to a website, an email address or a page of ours, and is written without spaces around it', () => {
  const links: [given: string, written: string | undefined][] = [
    ['https://x.test', 'https://x.test'],
    ['HTTP://x.test', 'HTTP://x.test'],
    ['mailto:a@b.test', 'mailto:a@b.test'],
    ['/boards/1?a=1#b', '/boards/1?a=1#b'],
    ['#top', '#top'],
    [' htt&Tab;ps://x.test&#10; ', 'https://x.test'],
    ['https://x.test/?a=&quot;b&quot;', 'https://x.test/?a=&quot;b&quot;'],
    ['', undefined],
    [' ', undefined],
    ['https://[', undefined],
    ['//x.test', undefined],
    ['ftp://x.test', undefined],
    [`https://x.test/${'a'.repeat(2000)}`, `https://x.test/${'a'.repeat(2000)}`],
    [`mailto:${'a@b.test,'.repeat(200)}a@b.test`, `mailto:${'a@b.test,'.repeat(200)}a@b.test`],
    [`https://${'a'.repeat(301)}/`, undefined],
  ]
  becomes(
    links.map(
      ([given, written]) =>
        [
          `<a href="${given}">x</a>`,
          'html',
          `<a${written === undefined ? '' : ` href="${written}"`} rel="noopener nofollow">x</a>`,
        ] as const,
    ),
  )
  becomes([['<a>x</a>', 'html', '<a rel="noopener nofollow">x</a>']])
})

test('a list counts from where it was told to', () => {
  const list = (number: string) => `<ol start="${number}"><li>x</li><li value="${number}">y</li></ol>`
  becomes(['0', '3', '2026', '999999999'].map((number) => [list(number), 'html', list(number)] as const))
  const plain = '<ol><li>x</li><li>y</li></ol>'
  becomes(['-1', '1000000000', '3x', 'x', ''].map((number) => [list(number), 'html', plain] as const))
})

test('cells span 1 to 999 columns and rows', () => {
  const table = (cell: string) => `<table><tbody><tr>${cell}</tr></tbody></table>`
  becomes(
    ['1', '12', '999'].map((span) => {
      const given = table(`<th rowspan="${span}">x</th><td colspan="${span}">y</td>`)
      return [given, 'html', given] as const
    }),
  )
  becomes(
    ['0', '02', '1000', '-1', '2x', 'x2', ''].map(
      (span) => [table(`<td colspan="${span}">x</td>`), 'html', table('<td>x</td>')] as const,
    ),
  )
})

test('other elements leave their text, blocks a line break, and scripts and styles nothing', () => {
  becomes([
    ['<div>a</div><div>b</div>', 'html', 'a<br />b'],
    ['<div><div>a</div>\n  <section>b</section></div>c', 'html', 'a<br />b<br />c'],
    ['<div>a</div><div><br></div><div>b</div>', 'html', 'a<br /><br />b'],
    ['<div>a<br></div><div>b</div>', 'html', 'a<br />b'],
    ['<h5>a</h5><p>b</p>', 'html', 'a<p>b</p>'],
    ['<td>1</td><td>2</td>', 'html', '1<br />2'],
    ['<table><tr><td>1<td>2</table>', 'html', '<table><tbody><tr><td>1</td><td>2</td></tr></tbody></table>'],
    ['<div><span class="x">a</span> <img src=x>b</div>', 'text', 'a b'],
    ['<span>AT&amp;T</span>', 'text', 'AT&T'],
    ['<img src="x" alt="👍"> <b>ok</b>', 'html', '👍 <b>ok</b>'],
    ['ok<img src="x" alt="👍">!', 'text', 'ok👍!'],
    ['<p>On <img src="x" alt="Cup on a table">cakes</p>', 'html', '<p>On Cup on a table cakes</p>'],
    ['<button>Save</button><button>Cancel</button>', 'text', 'Save Cancel'],
    [
      '<p><label>Name</label>: <input value="Ann"><input type="submit" value="Send">.</p>',
      'html',
      '<p>Name: Ann Send.</p>',
    ],
    [
      '<select><optgroup label="Fruit"><option>Apple<option label="Pear"></select>',
      'html',
      'Fruit<br />Apple<br />Pear',
    ],
    ['<input type=hidden value=a><input type=Password value=b><b>c</b>', 'html', '<b>c</b>'],
    ['<input type="image" src="x" alt="Go"><b>on</b>', 'html', 'Go<b> on</b>'],
    ['a<script>b</script><style>c</style>d', 'text', 'ad'],
    ['<script>alert(1)</script>', 'text', ''],
    ['<p> </p><ul><li></li></ul>', 'text', ''],
    ['<textarea><script>a</script></textarea>', 'html', '<p>&lt;script&gt;a&lt;/script&gt;</p>'],
    ['<noscript><b>a</b></noscript>', 'html', '<b>a</b>'],
    ['<image src="x" alt="A"> <b>c</b>', 'html', 'A <b>c</b>'],
    ['<input type="myfile" value="a"> <input type="files" value="b">', 'text', 'a b'],
    ['<font size=2>a <b>c</b>', 'html', 'a <b>c</b>'],
    ['<dl><dt>a<dd>b</dl>', 'html', 'a<br />b'],
    ['<p>a<svg><g><text>b</text></g></svg></p>', 'html', '<p>a b</p>'],
    ['<p>a<math><mi>b</mi></math></p>', 'html', '<p>a b</p>'],
    ['<math><mfrac><mn>1</mn><mn>2</mn></mfrac></math>', 'text', '1 2'],
    [
      '<math><msup><mn>10</mn><mn>6</mn></msup></math>, <math><mn>1</mn><mn>.5</mn></math>',
      'text',
      '10 6, 1 .5',
    ],
    ['<math><mi>f</mi><mo>(</mo><mi>x</mi><mo>)</mo><mo>=</mo><mn>3</mn></math>', 'text', 'f (x) = 3'],
    ['<math><mi>f</mi><mo>&#x2061;</mo><mo>(</mo><mi>x</mi><mo>)</mo></math>', 'text', 'f\u2061(x)'],
    ['<p><ruby>東京<rt>Tokyo</rt></ruby> is large</p>', 'html', '<p>東京 Tokyo is large</p>'],
    ['<p><ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>字</p>', 'html', '<p>漢(kan)字</p>'],
    ['<math><apply><plus/><ci>x</ci><cn>2</cn></apply></math>', 'text', 'x 2'],
    ['<svg><text>North</text><text>South</text></svg>', 'text', 'North South'],
    [
      '<svg><text>N<tspan>orth</tspan><tspan x="0" dy="1em">South</tspan></text></svg>',
      'text',
      'North South',
    ],
    ['<svg viewBox="0 0 1 1"><g><text x=1>a</text><text>b', 'text', '<g> a b'],
    ['<svg><text>a<b>b</b></text></svg>', 'html', 'a<b>b</b>'],
    ['<svg><sodipodi:view id="a"/><path d="M0"/><g/><text>b</text></svg>', 'text', 'b'],
    [
      '<span style="display:block">a</span><span style="color:red; DISPLAY: Block">b</span>c',
      'html',
      'a<br />b<br />c',
    ],
    ['<b style="display:block">a</b><i style="display:flex">b</i>', 'html', '<b>a</b><i><br />b</i>'],
    ['a<span style="display:inline-block">b</span>c<span style="display:none">d</span>', 'text', 'a b cd'],
    ['<p>a<div style="display:inline">b</div></p>', 'html', '<p>a<br />b</p>'],
    ['<span style="display:block;display:inline">a</span>b', 'text', 'ab'],
    ['a<img src="x" style="display:block" alt="b">c', 'html', 'a<br />b<br />c'],
    ['<input placeholder="Your name">', 'text', 'Your name'],
    [
      '<input value="Ann" placeholder="b"><input type=checkbox placeholder=c><input type=date placeholder=d>',
      'text',
      'Ann',
    ],
    ['<textarea placeholder="a"></textarea><textarea placeholder="b">c</textarea>', 'html', 'a<br />c'],
    ['He said <q>no, <q>never</q></q></q>.', 'text', 'He said “no, ‘never’”.'],
    ['<p>a<x-y>b</x-y></p>', 'html', '<p>ab</p>'],
    ['<P hidden>a</P><p nowrap>b</p>', 'html', '<p>a</p><p>b</p>'],
    ['<ol reversed><li>a</li></ol>', 'html', '<ol><li>a</li></ol>'],
    ['<B>a</B>', 'html', '<b>a</b>'],
  ])
})

test('comments and what word processors write around their markup are removed', () => {
  becomes(
    [
      '<!-- c -->',
      '<!-- c\nd --!>',
      '<![if !x]>',
      '<![endif]>',
      '<!DOCTYPE html>',
      '<?xml version="1.0"?>',
    ].map((comment) => [`<b>a</b>${comment}d`, 'html', '<b>a</b>d'] as const),
  )
  becomes(
    ['<!important>', '<?php x ?>', '<!x <!---->', '<!x <![if y>', '<!x <!doctype y>', '<!x <?xml y>'].map(
      (text) => [`<b>a</b>${text}d`, 'html', `<b>a</b>${escaped(text).replaceAll('>', '&gt;')}d`] as const,
    ),
  )
})

test('spaces and line breaks are kept inside of elements only', () => {
  becomes([
    [' \n<b> a </b>\n ', 'html', '<b> a </b>'],
    [' <span>a</span>\n\n\t<span>b</span> ', 'text', 'a b'],
    ['  Dear <title>\n', 'html', '<p>Dear &lt;title&gt;</p>'],
    ['<b>\na</b>', 'html', '<b>\na</b>'],
    ['<pre>a\n</pre>', 'html', '<pre>a\n</pre>'],
    ['<div> </div><div>a</div>', 'text', 'a'],
  ])
})

test('controls are apart from the text beside them, by one space', () => {
  becomes([
    ['<p><button>a</button>b.<i>c</i></p>', 'html', '<p>a b.<i>c</i></p>'],
    ['<p><button>a </button><button>b</button></p>', 'html', '<p>a b</p>'],
    ['<p>a</p><p><button>b</button></p>', 'html', '<p>a</p><p>b</p>'],
    ['<p><label>a</label>)<label>b</label>…</p>', 'html', '<p>a) b…</p>'],
  ])
})

test('elements below the 50th level leave their text, and blocks among them a line break', () => {
  const inside = (name: string, levels: number, inner: string) =>
    `<${name}>`.repeat(levels) + inner + `</${name}>`.repeat(levels)
  becomes([
    [inside('b', 50, 'x'), 'html', inside('b', 50, 'x')],
    [inside('b', 51, 'x'), 'html', inside('b', 50, 'x')],
    ['<i>x</i>'.repeat(60), 'html', '<i>x</i>'.repeat(60)],
    [inside('blockquote', 50, 'a<p>b</p>'), 'html', inside('blockquote', 50, 'a<br />b')],
    [inside('blockquote', 50, 'a<b>c</b>'), 'html', inside('blockquote', 50, 'ac')],
  ])
})

test('HTML with too many tags, open elements, attributes or bytes is refused', () => {
  const tag = (count: number) =>
    `<b ${Array.from({ length: count }, (_, index) => `a${index}=1`).join(' ')}>x</b>`
  const bold = (text: string, count: number) => `<b>${text.repeat(count)}</b>`
  const most: [longest: string, text: string, longer: string, problem: string][] = [
    // As sent and as cleaned, because a stored text can be sent again.
    ['<p>x'.repeat(2500), '<p>x</p>'.repeat(2500), '<p>x'.repeat(2501), 'too_much_markup'],
    [
      `${'<b>'.repeat(100)}x`,
      `${'<b>'.repeat(50)}x${'</b>'.repeat(50)}`,
      `${'<b>'.repeat(101)}x`,
      'too_much_markup',
    ],
    [tag(1000), '<b>x</b>', tag(1001), 'too_much_markup'],
    [bold('x', 65_529), bold('x', 65_529), bold('x', 65_530), 'too_long'],
    [bold('&', 13_105), bold('&amp;', 13_105), bold('&', 13_106), 'too_long'],
    [bold('ü', 32_764), bold('ü', 32_764), bold('ü', 32_765), 'too_long'],
  ]
  for (const [longest, text, longer, problem] of most) {
    assert.deepEqual(readDescription(longest), { format: 'html', text })
    assert.deepEqual(readDescription(longer), { problem })
  }
})

test('text that only looks like a tag is kept', () => {
  becomes([
    ['<p>mail <bob@x.test> today</p>', 'html', '<p>mail &lt;bob@x.test&gt; today</p>'],
    ['<p>if a<b then c</p><p>d</p>', 'html', '<p>if a&lt;b then c</p><p>d</p>'],
    ['<p>a</p>if a<b then c', 'html', '<p>a</p>if a&lt;b then c'],
    ['<p>a</p><!-- not shown', 'html', '<p>a</p>&lt;!-- not shown'],
    [
      'Use <script> there\nand <style> here',
      'html',
      '<p>Use &lt;script&gt; there<br />and &lt;style&gt; here</p>',
    ],
    ['<script>a</script>b <script> c', 'html', '<p>b &lt;script&gt; c</p>'],
    ['An <svg> for <b>him</b> <her>', 'html', 'An &lt;svg&gt; for <b>him</b> &lt;her&gt;'],
    ['<b>a</></b> <i </>', 'html', '<b>a&lt;/&gt;</b> &lt;i &lt;/&gt;'],
    ['<xmp>a</> &lt;/></xmp>', 'text', 'a</> &lt;/>'],
    ['Dear <title>, ship to <address>', 'html', '<p>Dear &lt;title&gt;, ship to &lt;address&gt;</p>'],
    ['x <y onclick=alert(1)>z', 'html', '<p>x &lt;y onclick=alert(1)&gt;z</p>'],
    ['x <y ONCLICK=alert(1)>z', 'html', '<p>x &lt;y ONCLICK=alert(1)&gt;z</p>'],
    ['a <svg', 'html', '<p>a &lt;svg</p>'],
    ['<p>if a<b then <I>c</I></p>', 'html', '<p>if a&lt;b then <i>c</i></p>'],
    ['An <svg> for <her>, <b>x</b>', 'html', 'An &lt;svg&gt; for &lt;her&gt;, <b>x</b>'],
    ['<her>x</her> <b>y</b>', 'html', '&lt;her&gt;x&lt;/her&gt; <b>y</b>'],
    ['<app-name> <b>y</b>', 'html', '&lt;app-name&gt; <b>y</b>'],
    // Inside of a drawing or a formula too.
    [
      'Use <svg></svg> or <svg> and mail <bob@x.test> today',
      'html',
      '<p>Use or &lt;svg&gt; and mail &lt;bob@x.test&gt; today</p>',
    ],
    ['<math><mi>x</mi></math>, then <math> or <mi>', 'html', '<p>x, then &lt;math&gt; or &lt;mi&gt;</p>'],
    ['<svg><g>a<b>b</b></svg></g>', 'html', 'a<b>b</b>'],
    [
      'Write <math> for formulas: if a <c and d> e. Then </math> closes it.',
      'text',
      'Write for formulas: if a <c and d> e. Then closes it.',
    ],
    [
      '<svg>Put <text> or <g and d> here, <her>x</her> <mailto:a@b.test/></svg>',
      'text',
      'Put <text> or <g and d> here, <her>x</her> <mailto:a@b.test/>',
    ],
    ['<math><mi>a <bob@x.test></mi><mn>2</mn></math>', 'text', 'a <bob@x.test> 2'],
  ])
})

test('forbidden characters are refused as character references too', () => {
  becomes([['<b>a&#1;b&#27;&#13;c</b>', 'html', '<b>ab\nc</b>']])
})

test('64 KiB of anything is read in bounded time, deep nesting and many attributes included', () => {
  const distinct = Array.from({ length: 16_000 }, (_, index) => index.toString(36)).join(' a')
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
  const shapes = [
    '<textarea><',
    '<noscript>',
    '<ul><li>',
    '<math><mi>',
    '"\'<',
    '<![CDATA[',
    '<b x>',
    '<b\t',
    '<p>a<b ',
  ]
  const quotes = [
    '<b a="<b a=\'',
    '<b a=" b=\' c=" d=\'',
    '<i a=1 on=1 ',
    '<x onx=1>',
    '<b onx=">"',
    '<!-->',
    '</b ',
  ]
  const words = ['"on', '/on', ' onx', '/href', '/aaction', '"src', ' style', '<x "on']
  const texts = [...units, ...shapes, ...quotes, ...words].map((unit) => unit.repeat(65_536 / unit.length))
  // Marks that would have to change places, in a host name.
  const marks = [...'\u035d\u0315\u0301\u0316\u031b\u0327\u0334'].map((mark) => mark.repeat(4500)).join('')
  const links = ['https:', 'https://', '//', '\\\\'].map((start) => `<a href="${start}x${marks}/">x</a>`)
  // Each end tag matches nothing, so that all start tags stay open, and no two of them are equal.
  const open = Array.from({ length: 1600 }, (_, index) => `<b a=${index}></q><p>x`).join('')
  assert.deepEqual(readDescription(open), { problem: 'too_much_markup' })
  // A limit against blocking the service; the slowest of these takes a twentieth of it.
  for (const text of [
    ...texts,
    ...texts.map((one) => `${one}><b onx=1>`),
    ...links,
    `<b a${distinct} onx=1>`.slice(0, 65_536),
  ])
    vm.runInNewContext('read(text)', { text, read: readDescription }, { timeout: 2000 })
})

test('only HTML has a limit of tags and bytes', () => {
  hold('<p>x'.repeat(2500))
  for (const text of [
    '&'.repeat(65_535),
    'ü'.repeat(65_535),
    'a<b '.repeat(16_000),
    '<x@y.test> '.repeat(5900),
  ])
    assert.equal(read(text).text, text)
})

test('a part of a page that is named in a sentence is kept as text', () => {
  for (const name of ['html', 'head', 'body']) {
    const text = `Paste it into the <${name}> of every page`
    const escaped = `Paste it into the &lt;${name}&gt; of every page`
    assert.deepEqual(readDescription(text), { format: 'html', text: `<p>${escaped}</p>` })
    assert.deepEqual(readDescription(`<p>${text}</p>`), { format: 'html', text: `<p>${escaped}</p>` })
    assert.deepEqual(readDescription(`<${name}><p>Words</p>`), { format: 'html', text: '<p>Words</p>' })
  }
})

test('a tag that a sentence only names is kept as text', () => {
  const closable = 'a b blockquote code del em h1 i ol pre s sub table u ul'
  const names = `${closable} li p dt dd option optgroup td tr th caption col colgroup rt rp`.split(' ')
  const ends = [...names, 'div', 'body', 'ul', 'table', 'b', 'script', 'svg', 'title']
  const named = fc.oneof(
    fc.constantFrom(...names.map((name) => `<${name}>`)),
    fc.constantFrom(...ends.map((name) => `</${name}>`)),
  )
  const word = fc.constantFrom('Put', 'it', 'after', 'and', 'AT&T', '😀', '“now”', '3,')
  const nameOf = (tag: string) => tag.replace(/[</>]/g, '')
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.array(word, { minLength: 1, maxLength: 4 }), named), {
        minLength: 1,
        maxLength: 6,
      }),
      fc.constantFrom('', '.', ', then', ' too'),
      (parts, last) => {
        // A tag and its end tag are a pair.
        const seen = new Map(parts.map(([, tag]) => [nameOf(tag), tag]))
        const inTable = parts.map(([words, tag]) => [...words, seen.get(nameOf(tag))].join(' '))
        const text = inTable.join(' ') + last
        assert.deepEqual(readDescription(text), {
          format: 'html',
          text: `<p>${escaped(text).replaceAll('>', '&gt;')}</p>`,
        })
        hold(`<p>${text}</p>`)
      },
    ),
    { numRuns: cases(1000) },
  )
  becomes([
    [
      'Put it before </body> and after <option>',
      'html',
      '<p>Put it before &lt;/body&gt; and after &lt;option&gt;</p>',
    ],
    ['<b>Use</b> (<li>) here', 'html', '<b>Use</b> (&lt;li&gt;) here'],
    ['Press <Ctrl>+<Alt>+<Del>', 'html', '<p>Press &lt;Ctrl&gt;+&lt;Alt&gt;+&lt;Del&gt;</p>'],
    ['the <table> tag', 'html', '<p>the &lt;table&gt; tag</p>'],
    ['Use <b> for <i>bold</i>', 'html', 'Use &lt;b&gt; for <i>bold</i>'],
    // Real HTML may forget these tags.
    ['<b>bold', 'html', '<b>bold</b>'],
    ['Note:<b> bold', 'html', 'Note:<b> bold</b>'],
    ['Hello.<p>World', 'html', 'Hello.<p>World</p>'],
    ['Hello. <p> World', 'html', 'Hello. <p> World</p>'],
    ['To do:\n<li> a\n<li> b', 'html', 'To do:\n<li> a\n</li><li> b</li>'],
    ['<dt>a<dd>b', 'html', 'a<br />b'],
    ['<ul>one <li> two</ul>', 'html', '<ul>one <li> two</li></ul>'],
    ['<p>a</p>\n</div>\n</body>', 'html', '<p>a</p>'],
    ['one </br> two', 'html', 'one <br /> two'],
  ])
})

test('a tag is an element inside of the element around which it stands', () => {
  const inside = {
    dl: 'dd dt',
    ruby: 'rb rp rt rtc',
    table: 'tr td th caption col colgroup tbody',
    select: 'optgroup option',
    ...{ datalist: 'option', ul: 'li', ol: 'li', menu: 'li', dir: 'li' },
  }
  for (const [around, names] of Object.entries(inside))
    for (const name of names.split(' ')) {
      const { text } = read(`<${around}>one <${name}> two</${around}>`)
      assert.ok(!text.includes('&lt;'), `${name} in ${around}: ${text}`)
    }
})

test('a tag with attributes, with its end, or outside of a sentence is an element', () => {
  becomes([
    ['Put <li class="x"> here', 'html', 'Put <li> here</li>'],
    ['Use <p> here</p> now', 'html', 'Use <p> here</p> now'],
    ['Hello <p>World, you', 'html', 'Hello <p>World, you</p>'],
    ['say "yes".<li> item', 'html', 'say "yes".<li> item</li>'],
    ['one </wbr> two', 'text', 'one two'],
    ['one </hr> two', 'text', 'one two'],
    ['Use  <li>  here', 'html', '<p>Use  &lt;li&gt;  here</p>'],
  ])
})

test('a type parameter is kept as text, whatever its name', () => {
  for (const text of [
    'List<A> list = new List<A>();',
    'function id<A>(x: A): A',
    'class Box<S> { S s; }',
    'Foo<B> extends Bar<B>',
    'React.FC<P>',
    'Vec<Table>, Queue<Option> and Set<Li>',
  ])
    becomes([[text, 'html', `<p>${escaped(text).replaceAll('>', '&gt;')}</p>`]])
  becomes([
    ['H<sub>2O', 'html', 'H<sub>2O</sub>'],
    ['one<p>two', 'html', 'one<p>two</p>'],
    ['<ul>one<li> two</ul>', 'html', '<ul>one<li> two</li></ul>'],
  ])
})
