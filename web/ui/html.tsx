import DOMPurify from 'dompurify'
import { useMemo } from 'react'
import './html.css'

/** The same list as the service cleans with; what is shown is cleaned once more here, whoever stored it. */
const allowed = {
  ALLOWED_TAGS: 'a b blockquote br code del em h1 h2 h3 h4 hr i li ol p pre s strong u ul'.split(' '),
  ALLOWED_ATTR: ['href', 'rel'],
  ALLOWED_URI_REGEXP: /^(?:https?|mailto):/i,
}

export const cleanFragment = (html: string): DocumentFragment =>
  document.importNode(DOMPurify.sanitize(html, { ...allowed, RETURN_DOM_FRAGMENT: true }), true)

/** Text that people have formatted. */
export function Html({ html }: { html: string }) {
  const clean = useMemo(() => DOMPurify.sanitize(html, allowed), [html])
  return (
    <div
      className="html"
      data-plain={!/<[a-z]/i.test(html)}
      dir="auto"
      // biome-ignore lint/security/noDangerouslySetInnerHtml: the one place that does it, after cleaning.
      dangerouslySetInnerHTML={{ __html: clean }}
    />
  )
}
