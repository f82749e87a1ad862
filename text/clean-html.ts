import sanitize from 'sanitize-html'

const options: sanitize.IOptions = {
  allowedTags: [
    'a',
    'b',
    'blockquote',
    'br',
    'code',
    'del',
    'em',
    'h1',
    'h2',
    'h3',
    'h4',
    'hr',
    'i',
    'li',
    'ol',
    'p',
    'pre',
    's',
    'strong',
    'u',
    'ul',
  ],
  allowedAttributes: { a: ['href', 'rel'] },
  allowedSchemes: ['http', 'https', 'mailto'],
  allowProtocolRelative: false,
  nestingLimit: 50,
  transformTags: { a: sanitize.simpleTransform('a', { rel: 'noopener nofollow' }) },
}

/** What is longer than this is refused by those who store it. */
export const longestCleanBytes = 64 * 1024

/** HTML reduced to what a description may hold; run until it changes no more, since once is not always enough. */
export function cleanHtml(html: string): string {
  if (!/[<&>]/.test(html)) return html
  let previous = html
  for (let pass = 0; pass < 4; pass++) {
    const cleaned = sanitize(previous, options)
    // Too long to be stored already: it will be refused, and further passes would only cost time.
    if (cleaned === previous || Buffer.byteLength(cleaned) > longestCleanBytes) return cleaned
    previous = cleaned
  }
  // What still changes after four passes was made to; nothing of it is worth keeping as markup.
  return sanitize(previous, { allowedTags: [], allowedAttributes: {} })
}
