import DOMPurify from 'dompurify'
import { useMemo } from 'react'
import { allowedAttributes, allowedElements, allowedSchemes } from '#text/allowed-html.ts'
import './html.css'

/** The service's allow-list; HTML is cleaned again here, regardless of how it was stored. */
const allowed = {
  ALLOWED_TAGS: [...allowedElements],
  ALLOWED_ATTR: [...allowedAttributes],
  ALLOWED_URI_REGEXP: allowedSchemes,
}

export const cleanFragment = (html: string): DocumentFragment =>
  document.importNode(DOMPurify.sanitize(html, { ...allowed, RETURN_DOM_FRAGMENT: true }), true)

/** Text from the editor is formatted if it contains blocks. */
export const formatOf = (written: string): 'html' | 'text' =>
  /^<(?:p|h[1-4]|ul|ol|blockquote|table|pre|hr)\b[^<>]*>/.test(written) ? 'html' : 'text'

/** Formatted text. */
export function Html({ html }: { html: string }) {
  const clean = useMemo(() => DOMPurify.sanitize(html, allowed), [html])
  return (
    <div
      className="html"
      dir="auto"
      // biome-ignore lint/security/noDangerouslySetInnerHtml: the only place that does it, after cleaning.
      dangerouslySetInnerHTML={{ __html: clean }}
    />
  )
}

/** Plain text with its line breaks and spaces. */
export const PlainText = ({ text }: { text: string }) => (
  <div className="html plain-text" dir="auto">
    {text}
  </div>
)
