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

/** HTML reduced to what a description may hold; run until it changes no more, since once is not always enough. */
export function cleanHtml(html: string): string {
  if (!/[<&>]/.test(html)) return html
  let previous = html
  for (let pass = 0; pass < 10; pass++) {
    const cleaned = sanitize(previous, options)
    if (cleaned === previous) return cleaned
    previous = cleaned
  }
  // What still changes after ten passes was made to; nothing of it is worth keeping as markup.
  return sanitize(previous, { allowedTags: [], allowedAttributes: {} })
}
