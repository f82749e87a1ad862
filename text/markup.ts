// Distinguishes the tags of a text from text that looks like one. A real HTML parser makes the tokens, so they are what a browser sees.
import {
  type DefaultTreeAdapterMap,
  type DefaultTreeAdapterTypes,
  defaultTreeAdapter,
  html,
  Parser,
  type Token,
  Tokenizer,
} from 'parse5'
import { allowed } from './allowed-html.ts'
import { active, activeAttribute, known, mayStayOpen, silent } from './elements.ts'
import { isForeignName } from './foreign-elements.ts'
import { isNamed } from './named-tags.ts'
import { attributes, tagSource } from './tag-patterns.ts'

export interface Tag {
  name: string
  isEnd: boolean
  attributes: ReadonlyMap<string, string>
}

/** A string is the visible text. */
export type Piece = string | Tag

const aroundTags = new RegExp(`(${tagSource})`, 'i')
const wholeTag = new RegExp(`^</?[^\\s/>]+${attributes(`"[^"]*"|'[^']*'`)}\\s*/?>$`, 'i')

/** True if a browser would run or load something in this HTML, alone or inside of a page. */
export function runs(text: string): boolean {
  const tokens = readTokens(text)
  const last = tokens.at(-1)
  const isAnyActive = tokens.some(isActive)
  if (isAnyActive || last?.kind !== 'aside') return isAnyActive
  // A tag that the text leaves open is closed by the page after it.
  return ['>', 'x>', 'x">', "x'>"].some((end) => readTokens(last.source + end).some(isActive))
}

function isActive(token: Read): boolean {
  if (token.kind !== 'tag' || token.isEnd) return false
  const attributeRuns = ([name, value]: [string, string]) => value !== '' && activeAttribute.test(name)
  return active.has(token.name) || [...token.attributes].some(attributeRuns)
}

/** Stands for `</>`, which the parser drops silently; it is put back where the parser decodes no references. */
const endOfNothing = '&#00060;/>'
const withEndsOfNothing = (text: string) => text.replaceAll(endOfNothing, '</>')

/** The tags and the text between them, without comments and scripts. */
export function readMarkup(text: string): Piece[] {
  const tokens = withoutOpenScript(readTokens(text.replaceAll('</>', endOfNothing)))
  const closed: Closed = new Map(
    tokens.map((token, index) => [token.kind === 'tag' && token.isEnd ? token.name : '', index]),
  )
  const firstWords = tokens.findIndex(
    (token) => token.kind === 'text' && !token.isSilent && token.text.trim(),
  )
  const opened = new Set<string>()
  /** The text beside a token, up to the next tag; the parser reads words and spaces apart. */
  const textBeside = (at: number, step: 1 | -1): string | undefined => {
    const texts: string[] = []
    let beside = at + step
    for (let token = tokens[beside]; token?.kind === 'text'; token = tokens[beside]) {
      texts.push(token.text)
      beside += step
    }
    if (texts.length === 0 && tokens[beside] === undefined) return undefined
    return (step === 1 ? texts : texts.reverse()).join('')
  }
  const isOnlyNamed = (tag: Tag, at: number) => {
    const hasWordsBefore = firstWords !== -1 && firstWords < at
    const seen = {
      isOpened: (name: string) => opened.has(name),
      isClosed: (name: string) => closed.has(name),
      hasWordsBefore,
    }
    const isText = isNamed(tag, seen, { before: textBeside(at, -1), after: textBeside(at, 1) })
    if (!isText && !tag.isEnd) opened.add(tag.name)
    return isText
  }
  const piecesOf = (token: Read, at: number): Piece[] => {
    if (token.kind === 'tag' && isOnlyNamed(token, at)) return [token.source]
    if (token.kind === 'text') return token.isSilent ? [] : [withEndsOfNothing(token.text)]
    if (token.kind === 'aside') return comment.test(token.source) ? [] : textWithTags(token.source, at)
    return isElement(token, closed, at) ? [token] : textWithTags(token.source, at)
  }
  // Text that looks like a tag may still contain tags: `<p>if a<b then c</p>`.
  const textWithTags = (source: string, at: number): Piece[] => [
    '<',
    ...withEndsOfNothing(source.slice(1))
      .split(aroundTags)
      .map((part, index) => {
        const [tag] = index % 2 === 1 ? readTokens(part) : []
        return tag?.kind === 'tag' && isElement(tag, closed, at) ? tag : part
      }),
  ]
  return tokens.flatMap(piecesOf)
}

/** The tag of a script that does not end, and everything after it, is text. */
function withoutOpenScript(tokens: Read[]): Read[] {
  const last = tokens.findLastIndex(({ kind }) => kind === 'tag')
  const tag = tokens[last]
  if (tag?.kind !== 'tag' || tag.isEnd || !silent.has(tag.name)) return tokens
  const shown = (token: Read): Read => (token.kind === 'text' ? { ...token, isSilent: false } : token)
  return [
    ...tokens.slice(0, last),
    { kind: 'aside', source: tag.source },
    ...tokens.slice(last + 1).map(shown),
  ]
}

/** Includes what word processors write around their markup. */
const comment = /^<!--.*--!?>$|^<!\[(?:end)?if\b|^<!doctype\b|^<\?xml\b/is

/** Where the last end tag of each name is. */
type Closed = ReadonlyMap<string, number>

/** An element that is removed must be more than a word in angle brackets, like `<title>` in "Dear <title>". */
function isElement({ name, isEnd, attributes, source, root }: ReadTag, closed: Closed, at: number): boolean {
  if (silent.has(name)) return true
  if (!wholeTag.test(source)) return false
  if (allowed.has(name)) return true
  // HTML may forget an end tag, but browsers do not show the text after a drawing or a formula without one.
  const closesRoot = (root: string) => (isEnd ? closed.has(root) : (closed.get(root) ?? -1) > at)
  const isMore = (isRoot(name) ? closesRoot(name) : closed.has(name)) || attributes.size > 0
  if (known.has(name)) return isMore || mayStayOpen.has(name)
  const isForeign = root !== undefined && (closesRoot(root.tagName) || root.attrs.length > 0)
  if (isForeign && isForeignName(name)) return isMore || source.endsWith('/>')
  return /[-:]/.test(name) && closed.has(name)
}

/** The root is the `<svg>` or `<math>` around a tag. */
type ReadTag = Tag & { kind: 'tag'; source: string; root: DefaultTreeAdapterTypes.Element | undefined }
/** A token as a browser reads it; an aside is a comment or a tag that does not end. */
type Read = ReadTag | { kind: 'text'; text: string; isSilent: boolean } | { kind: 'aside'; source: string }

/** Thrown if a text has more markup than a person writes. */
export class TooMuchMarkup extends Error {}

const mostTags = 5000
/** The parser's time grows with the square of the open elements: 1,600 took a second. */
const mostOpen = 100

class BoundedParser extends Parser<DefaultTreeAdapterMap> {
  tags = 0
  count() {
    if (++this.tags > mostTags) throw new TooMuchMarkup()
  }
  override onStartTag(token: Token.TagToken) {
    this.count()
    super.onStartTag(token)
  }
  override onEndTag(token: Token.TagToken) {
    this.count()
    super.onEndTag(token)
  }
  override onItemPush(...pushed: Parameters<Parser<DefaultTreeAdapterMap>['onItemPush']>) {
    super.onItemPush(...pushed)
    if (this.openElements.stackTop > mostOpen) throw new TooMuchMarkup()
  }
}

/** Of one tag. A word processor writes a dozen, but in "a <b and …" every word up to the next `>` is one. */
const mostAttributes = 1000

class BoundedTokenizer extends Tokenizer {
  protected override _createAttr(firstCharacter: string) {
    const { attrs } = this.currentToken as Token.TagToken
    if (attrs.length >= mostAttributes) throw new TooMuchMarkup()
    super._createAttr(firstCharacter)
  }
}

const context = defaultTreeAdapter.createElement('div', html.NS.HTML, [])
const createParser = () => BoundedParser.getFragmentParser(context, { scriptingEnabled: false })

/** Parses the text as a browser would inside of a page. */
export function parseInPage(text: string): DefaultTreeAdapterTypes.DocumentFragment {
  const parser = createParser()
  parser.tokenizer.write(text, true)
  return parser.getFragment() as DefaultTreeAdapterTypes.DocumentFragment
}

/** Tokens depend on the parser's state, since a `<` in a script is no tag. */
function readTokens(text: string): Read[] {
  const tokens: Read[] = []
  const parser = createParser()
  const current = () => parser.openElements.current as DefaultTreeAdapterTypes.Element
  const roots = new Map<string, DefaultTreeAdapterTypes.Element>()
  let end = 0
  const sourceOf = ({ location }: Token.Token) => {
    const { startOffset, endOffset } = location as Token.Location
    end = endOffset
    return text.slice(startOffset, endOffset)
  }
  const onTag = (token: Token.TagToken, isEnd: boolean) => {
    const given = new Map(token.attrs.map(({ name, value }) => [name, value]))
    const source = sourceOf(token)
    const { tagName: name } = token
    // HTML inside of a drawing closes it, before the end tags of its elements.
    const root = rootAround(current()) ?? (isEnd ? roots.get(name) : undefined)
    if (root) roots.set(name, root)
    tokens.push({ kind: 'tag', name, isEnd, attributes: given, source, root })
  }
  const onText = (token: Token.CharacterToken) => {
    sourceOf(token)
    tokens.push({ kind: 'text', text: token.chars, isSilent: silent.has(current().tagName) })
  }
  const onAside = (token: Token.Token) => tokens.push({ kind: 'aside', source: sourceOf(token) })
  // Browsers drop a tag that does not end before the page does.
  const onEnd = () => end < text.length && tokens.push({ kind: 'aside', source: text.slice(end) })
  parser.tokenizer = new BoundedTokenizer(
    { sourceCodeLocationInfo: true },
    {
      onStartTag: noted(parser, parser.onStartTag, (token) => onTag(token, false)),
      onEndTag: noted(parser, parser.onEndTag, (token) => onTag(token, true)),
      onCharacter: noted(parser, parser.onCharacter, onText),
      onWhitespaceCharacter: noted(parser, parser.onWhitespaceCharacter, onText),
      onNullCharacter: noted(parser, parser.onNullCharacter, onText),
      onComment: noted(parser, parser.onComment, onAside),
      onDoctype: noted(parser, parser.onDoctype, onAside),
      onEof: noted(parser, parser.onEof, onEnd),
    },
  )
  parser.tokenizer.write(text, true)
  return tokens
}

const isRoot = (name: string) => name === 'svg' || name === 'math'

function rootAround(element: DefaultTreeAdapterTypes.Element): DefaultTreeAdapterTypes.Element | undefined {
  let node: DefaultTreeAdapterTypes.ParentNode | null = element
  for (; node && 'tagName' in node; node = node.parentNode)
    if (isRoot(node.tagName) && node.namespaceURI !== html.NS.HTML) return node
  return undefined
}

/** Runs before the parser handles the token, because its position is the parser's current one. */
const noted =
  <T>(parser: unknown, pass: (token: T) => void, note: (token: T) => unknown) =>
  (token: T) => {
    note(token)
    pass.call(parser, token)
  }
