// Plain text as Markdown in HTML, which is cleaned before it is shown.
import MarkdownIt from 'markdown-it'
import { type Mention, splitByMentions } from './mentions.ts'

/** Tags in the text are shown as they were typed, pictures as links, and lines that are only indented as text. */
const markdown = new MarkdownIt({ html: false, linkify: true, breaks: true }).disable([
  'code',
  'image',
  'lheading',
  'reference',
])
// “README.md” is no website.
markdown.linkify.set({ fuzzyLink: false })

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
        part.content = part.content.replace(/^\[ ?\](?=\s)/, '☐').replace(/^\[x\](?=\s)/i, '☑')
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
