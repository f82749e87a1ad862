// Plain text as Markdown in HTML, which is cleaned before it is shown.
import MarkdownIt, { type Token } from 'markdown-it'
import { type Mention, splitByMentions } from './mentions.ts'

/**
 * Only the marks of what is shown formatted disappear. Tags, escapes and entities are shown as they were typed, pictures as links, and lines
 * that are only indented as text, because people write about code without marking it.
 */
const markdown = new MarkdownIt({ html: false, linkify: true, breaks: true }).disable([
  'autolink',
  'code',
  'entity',
  'image',
  'lheading',
  'reference',
])
// “README.md” is no website.
markdown.linkify.set({ fuzzyLink: false })
markdown.normalizeLinkText = (text) => text
/** Only whole addresses: `handlers[name](event)` is code. */
markdown.validateLink = (address) => /^(https?:\/\/|mailto:)/i.test(address)

/** Keeps the spaces at the beginning of a line, which Markdown would drop. */
markdown.inline.ruler.at('newline', (state, isSilent) => {
  if (state.src[state.pos] !== '\n') return false
  if (!isSilent) {
    state.pending = state.pending.replace(/ +$/, '')
    state.push('softbreak', 'br', 0)
  }
  state.pos++
  return true
})

/** A mark after a backslash is no mark, and both stay. */
markdown.inline.ruler.at('escape', (state, isSilent) => {
  if (!/^\\[!-/:-@[-`{-~]/.test(state.src.slice(state.pos, state.pos + 2))) return false
  if (!isSilent) state.pending += state.src.slice(state.pos, state.pos + 2)
  state.pos += 2
  return true
})

/** A link without words would be invisible; `[](int x)` is code. */
markdown.inline.ruler.before('link', 'link without words', (state, isSilent) => {
  withoutWords.lastIndex = state.pos
  if (!withoutWords.test(state.src)) return false
  if (!isSilent) state.pending += '['
  state.pos++
  return true
})
const withoutWords = /\[[\s\p{Default_Ignorable_Code_Point}]*\]\(/uy

/** Words of languages that put spaces between them. */
const ofWord = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}_]/u
/** Chinese and Japanese words, emoji and typographic quotation marks stand right beside a mark. */
const isOther = (character: string) => character > '\x7f' && !ofWord.test(character)

const isBefore = (character: string) => /^$|[\s([{<"'*~-]/.test(character) || isOther(character)
const isAfter = (character: string) => /^$|[\s)\]}>"'.,;:!?*~-]/.test(character) || isOther(character)
const isPunctuation = (character: string) => /[.,;:!?]/.test(character)

/**
 * As in prose, a mark begins after a space, an opening bracket or a quotation mark, and ends before a space, a closing one or the end of a
 * sentence. Code has them elsewhere, as in `a*b*c`, `src/*`, `.*x.*`, `count(*)` and `"*"`, and two underscores as in `__init__`.
 */
class CarefulState extends markdown.inline.State {
  override scanDelims(start: number, canSplitWord: boolean) {
    const found = super.scanDelims(start, canSplitWord)
    const end = start + found.length
    const [before = '', after = '', next = ''] = [this.src[start - 1], this.src[end], this.src[end + 1]]
    const isNoMark = this.src[start] === '_' && found.length > 1
    const isQuoted = /["'(]/.test(before) && /["']/.test(after)
    const isClosing = /[)\]}>/\\]/.test(after) || isPunctuation(after)
    const isOpening = /[([{</\\]/.test(before)
    const isInName = isPunctuation(after) && ofWord.test(next)
    return {
      ...found,
      can_open: found.can_open && !isNoMark && isBefore(before) && !isClosing && !isQuoted,
      can_close: found.can_close && !isNoMark && isAfter(after) && !isOpening && !isInName,
    }
  }
}
markdown.inline.State = CarefulState

/** A link that leads nowhere stays as it was typed, such as `[this]()` of code. */
markdown.core.ruler.push('nowhere', ({ tokens }) => {
  for (const { children } of tokens) {
    let isNowhere = false
    for (const part of children ?? []) {
      if (part.type === 'link_open') isNowhere = part.attrGet('href') === ''
      if (!isNowhere || !/^link_/.test(part.type)) continue
      const content = part.type === 'link_open' ? '[' : ']()'
      Object.assign(part, { type: 'text', tag: '', nesting: 0, content })
    }
  }
})

/** The title of a link would be seen only by those who point at it. */
markdown.core.ruler.push('titles', ({ tokens, Token }) => {
  let title: ReturnType<Token['attrGet']> | undefined
  for (const token of tokens)
    token.children &&= token.children.flatMap((part) => {
      if (part.type === 'link_open') title = part.attrGet('title')
      if (part.type !== 'link_close' || !title) return [part]
      return [part, Object.assign(new Token('text', '', 0), { content: ` “${title}”` })]
    })
})

/** Keeps what Markdown would drop of blocks. */
markdown.core.ruler.after('block', 'kept', ({ src, tokens }) => {
  const lines = src.split('\n')
  const lists: Token[][] = []
  let columns = 0
  let row: Token | undefined
  let cell: Token | undefined
  for (const token of tokens) {
    if (token.type === 'fence') keepFirstLine(token)
    if (token.type.endsWith('_list_open')) lists.push([])
    if (token.type === 'list_item_open') lists.at(-1)?.push(token)
    if (token.type.endsWith('_list_close')) keepNumbers(lists.pop() ?? [])
    if (token.type === 'table_open') columns = 0
    if (token.type === 'th_open') columns++
    if (token.type === 'tr_open') row = token
    if (token.type === 'inline') cell = token
    if (token.type === 'inline' && token.level === 1)
      keepIndentation(lines[token.map?.[0] ?? -1] ?? '', token)
    if (token.type === 'tr_close' && row && cell) keepCells(lines[row.map?.[0] ?? -1] ?? '', columns, cell)
  }
})

/** Of the first line of a paragraph; its others keep theirs. */
function keepIndentation(line: string, paragraph: Token) {
  const [indentation = ''] = /^[ \t]*/.exec(line) ?? []
  paragraph.content = indentation + paragraph.content
}

/** What follows three backticks is the name of a language, or else the first line of the code. */
function keepFirstLine(fence: Token) {
  if (fence.content !== '' && /^\s*[\w+#.-]*\s*$/.test(fence.info)) return
  fence.content = `${fence.info.trim()}\n${fence.content}`
  fence.info = ''
}

/** Numbers stay as they were typed, unless all are the same, which means that they are to be counted. */
function keepNumbers(items: Token[]) {
  const numbers = items.map(({ info }) => Number(info))
  if (numbers.every((number) => number === numbers[0])) return
  for (const [at, item] of items.entries())
    if (at > 0 && numbers[at] !== (numbers[at - 1] ?? 0) + 1) item.attrSet('value', String(numbers[at]))
}

/** Cells beyond the columns of a table are shown in the last one. */
function keepCells(line: string, columns: number, last: Token) {
  // Trimmed first, because `\s*$` takes 18 s for 65,000 spaces inside of a line.
  const cells = line
    .trimEnd()
    .replace(/^[\s>]*\|?|\|?$/g, '')
    .split(/(?<!\\)\|/)
  if (cells.length > columns) last.content += ` | ${cells.slice(columns).join('|').trim()}`
}

// Spaces and line breaks of the source are shown (html.css), so no other break may follow.
markdown.renderer.rules['softbreak'] = () => '<br>'
// Headings would mix with those of the page.
markdown.renderer.rules['heading_open'] = () => '<p><strong>'
markdown.renderer.rules['heading_close'] = () => '</strong></p>\n'
markdown.renderer.rules['link_open'] = (tokens, index, options, _state, self) => {
  tokens[index]?.attrSet('rel', 'noopener nofollow')
  return self.renderToken(tokens, index, options)
}

markdown.core.ruler.push('boxes', ({ tokens }) => {
  for (const { children } of tokens)
    for (const [index, part] of (children ?? []).entries()) {
      const isFirst = index === 0 || children?.[index - 1]?.type.endsWith('break')
      if (isFirst && part.type === 'text')
        part.content = part.content.replace(/^(\s*)\[ ?\](?=\s)/, '$1☐').replace(/^(\s*)\[x\](?=\s)/i, '$1☑')
    }
})

// Mentions are strong, as in a plain comment.
markdown.core.ruler.push('mentions', ({ tokens, env, Token }) => {
  const { mentions = [] } = env as { mentions?: readonly Mention[] }
  if (mentions.length === 0) return
  const tokenOf = (type: string, tag: string, nesting: -1 | 0 | 1, content = '') =>
    Object.assign(new Token(type, tag, nesting), { content })
  for (const token of tokens)
    token.children &&= token.children.flatMap((part) =>
      part.type !== 'text'
        ? [part]
        : splitByMentions(part.content, mentions).flatMap(({ text, isMention }) =>
            isMention
              ? [
                  tokenOf('strong_open', 'strong', 1),
                  tokenOf('text', '', 0, text),
                  tokenOf('strong_close', 'strong', -1),
                ]
              : [tokenOf('text', '', 0, text)],
          ),
    )
})

export const markdownHtml = (text: string, mentions: readonly Mention[] = []): string =>
  markdown.render(text, { mentions })
