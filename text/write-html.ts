// The only place that writes the HTML of descriptions.
import type { DefaultTreeAdapterTypes } from 'parse5'
import { allowedBlocks, allowedSchemes } from './allowed-html.ts'

export const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

// biome-ignore lint/suspicious/noControlCharactersInRegex: this expression finds control characters.
export const withoutControls = (text: string) => text.replace(/[\0-\x08\x0b\x0c\x0e-\x1f]/g, '')

/** Converts plain text to HTML. */
export const asHtml = (text: string) => `<p>${escaped(text).replace(/\r\n?|\n/g, '<br />')}</p>`

/** The attribute that says from where a list counts. */
const counted = new Map([
  ['ol', 'start'],
  ['li', 'value'],
])

export function startTag(name: string, given: ReadonlyMap<string, string>): string {
  if (name === 'br' || name === 'hr') return `<${name} />`
  if (name === 'a') return `<a${href(given.get('href'))} rel="noopener nofollow">`
  const number = counted.get(name)
  if (number && /^\d{1,9}$/.test(given.get(number) ?? '')) return `<${name} ${number}="${given.get(number)}">`
  if (name !== 'td' && name !== 'th') return `<${name}>`
  const spans = ['colspan', 'rowspan'].filter((span) => /^[1-9]\d{0,2}$/.test(given.get(span) ?? ''))
  return `<${name}${spans.map((span) => ` ${span}="${given.get(span)}"`).join('')}>`
}

const ourselves = 'https://cardinal.invalid'

/** Longer than any, with its port. */
const longestHost = 300
/** Where the host of a link may be. */
const hostPattern = /^(?!mailto:)(?:[a-z][a-z\d+.-]*:)?[/\\]*([^/\\?#]*)/i
/** Reading a host takes time that grows with the square of its combining marks: 30,000 of them took seconds. */
const hasLongHost = (link: string) => (hostPattern.exec(link)?.[1] ?? '').length > longestHost

/** A link may lead to a website, an email address or a page of ours. */
function href(given = ''): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: browsers ignore them, so they are gone before anything is judged.
  const link = given.replace(/[\0-\x1f]/g, '').trim()
  if (link === '' || hasLongHost(link) || !URL.canParse(link, ourselves)) return ''
  const { protocol, origin } = new URL(link, ourselves)
  const isOurs = origin === ourselves || allowedSchemes.test(link)
  if (!isOurs || !allowedSchemes.test(protocol)) return ''
  return ` href="${escaped(link).replaceAll('"', '&quot;')}"`
}

const deepest = 50
/** Characters without a space before them; `.5` is a number. Between a function and its argument, formulas have an invisible operator. */
const endsWord = /^(?:[\s;!?)\]}…\u2061-\u2064]|[.,:](?!\d))/
/** Characters without a space after them. */
const beginsWord = /[\s([{\u2061-\u2064]$/

export interface Written {
  html: string
  text: string
  hasElements: boolean
}

/** Writes the tree as HTML; between other content, `<wbr>` becomes a line break and `<img>` a space. */
export function writeTree(root: DefaultTreeAdapterTypes.DocumentFragment): Written {
  const page = createPage()
  let depth = 0
  // End tags wait on the stack as names, so that deep nesting needs no recursion.
  const rest: (DefaultTreeAdapterTypes.ChildNode | string)[] = root.childNodes.toReversed()
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    if (typeof next === 'string') {
      page.tag(next, `</${next}>`)
      depth--
    } else if ('value' in next) page.text(next.value)
    else if ('tagName' in next) {
      const { tagName: name, attrs, childNodes } = next
      if (name === 'wbr') page.breakLine()
      else if (name === 'img') page.separate()
      else if (name === 'br') page.lineBreak()
      else if (name === 'hr') page.tag(name, '<hr />')
      else if (depth < deepest) {
        page.tag(name, startTag(name, new Map(attrs.map((attribute) => [attribute.name, attribute.value]))))
        depth++
        rest.push(name)
      } else if (allowedBlocks.has(name)) page.breakLine()
      rest.push(...childNodes.toReversed())
    }
  }
  return page.written
}

function createPage() {
  const written: Written = { html: '', text: '', hasElements: false }
  let line: 'empty' | 'written' | 'broken' = 'empty'
  let isAfterPre = false
  let isSeparate = false
  let last = ''
  const add = (markup: string) => {
    written.html += markup
    written.hasElements = true
    isAfterPre = markup === '<pre>'
  }
  const startLine = () => {
    if (line !== 'broken') return
    add('<br />')
    written.text += '\n'
  }
  return {
    written,
    tag(name: string, markup: string) {
      add(markup)
      if (allowedBlocks.has(name)) line = 'empty'
    },
    separate() {
      isSeparate = true
    },
    breakLine() {
      if (line === 'written') line = 'broken'
    },
    lineBreak() {
      startLine()
      add('<br />')
      line = 'empty'
    },
    text(value: string) {
      const isSpace = value.trim() === ''
      if (isSpace && line === 'broken') return
      startLine()
      // Browsers ignore one line break right after this tag.
      if (isAfterPre && value.startsWith('\n')) written.html += '\n'
      isAfterPre = false
      const runsOn = line === 'written' && last !== '' && !beginsWord.test(last) && !endsWord.test(value)
      const space = isSeparate && runsOn ? ' ' : ''
      isSeparate = false
      last = value.slice(-1)
      written.html += space + escaped(value)
      written.text += space + value
      if (!isSpace) line = 'written'
    },
  }
}
