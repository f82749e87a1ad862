// Plain text as Markdown in HTML, which is cleaned before it is shown.
import MarkdownIt from 'markdown-it'

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

export const markdownHtml = (text: string): string => markdown.render(text)
